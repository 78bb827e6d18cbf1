/**
 * Writes that a claim and a volume belong together, and what they are now.
 * Models: pkg/controller/volume/persistentvolume/pv_controller.go (bind)
 *         @ v1.36
 */
import { PersistentVolume } from "../../api/kinds/persistentvolume.ts";
import { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { StorageClass } from "../../api/kinds/storageclass.ts";
import type { ComponentContext } from "../../client/component.ts";
import type { Informer } from "../../client/informer.ts";
import { equalStatus } from "../shared/equal.ts";
import { BIND_COMPLETED, BOUND_BY, isFor } from "./match.ts";

export interface Context extends ComponentContext {
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly classes: Informer<StorageClass>;
  readonly pods: Informer<Pod>;
}

// region: bind
/** Four writes: the volume, its phase, the claim, its phase. */
export async function bind(
  claim: PersistentVolumeClaim,
  volume: PersistentVolume,
  ctx: Context,
): Promise<void> {
  const { client } = ctx;
  let bound = volume;
  if (volume.spec.claimRef?.uid !== claim.metadata.uid) {
    const { namespace, name, uid, resourceVersion } = claim.metadata;
    const claimRef = {
      ...{ apiVersion: "v1", kind: "PersistentVolumeClaim" },
      ...{ namespace, name, uid, resourceVersion },
    };
    bound = await client.update(PersistentVolume, {
      ...volume,
      // One that names the claim already was not our choice.
      metadata: isFor(volume, claim)
        ? volume.metadata
        : withNote(volume.metadata, BOUND_BY),
      spec: { ...volume.spec, claimRef },
    });
  }
  await setVolumePhase(bound, "Bound", ctx);
  let owner = claim;
  const { name: volumeName } = volume.metadata;
  if (!claim.metadata.annotations?.[BIND_COMPLETED]) {
    const chosen = claim.spec.volumeName === undefined;
    const noted = withNote(claim.metadata, BIND_COMPLETED);
    owner = await client.update(PersistentVolumeClaim, {
      ...claim,
      metadata: chosen ? withNote(noted, BOUND_BY) : noted,
      spec: { ...claim.spec, volumeName },
    });
  }
  const { accessModes, capacity } = volume.spec;
  // Later it grows as the volume does: who expands it says so.
  const becomes = owner.status?.phase !== "Bound";
  const more = becomes ? { accessModes, capacity } : { accessModes };
  await setPhase(owner, "Bound", ctx, more);
}
// endregion: bind

function withNote<M extends { annotations?: { [key: string]: string } }>(
  metadata: M,
  note: string,
): M {
  return {
    ...metadata,
    annotations: { ...metadata.annotations, [note]: "yes" },
  };
}

export async function setPhase(
  claim: PersistentVolumeClaim,
  phase: string,
  { client }: Context,
  more: Partial<PersistentVolumeClaim["status"]> = {},
): Promise<void> {
  const status = { ...claim.status, ...more, phase };
  if (equalStatus(claim.status, status)) return;
  await client.updateStatus(PersistentVolumeClaim, { ...claim, status });
}

export async function setVolumePhase(
  volume: PersistentVolume,
  phase: string,
  { client, kernel }: Context,
): Promise<void> {
  if (volume.status?.phase === phase) return;
  const lastPhaseTransitionTime = kernel.timestamp();
  const status = { ...volume.status, phase, lastPhaseTransitionTime };
  await client.updateStatus(PersistentVolume, { ...volume, status });
}
