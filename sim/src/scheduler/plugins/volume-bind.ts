/**
 * Writes what was decided about a Pod's claims, then waits until the volume
 * controllers have done their part.
 * Models:     BindPodVolumes in pkg/scheduler/framework/plugins/volumebinding/
 *             binder.go @ v1.36
 * Leaves out: nothing that shows.
 */
import { PersistentVolume } from "../../api/kinds/persistentvolume.ts";
import { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import { keyOf } from "../../api/types.ts";
import type { Handle } from "../handle.ts";

/** Bind the claim to this volume; without one, have one made. */
export interface Decision {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume | undefined;
}

const POLL_MS = 1000;
const TIMEOUT_MS = 600_000;

/** Returns what went wrong; "" if all claims are bound. */
export async function bindVolumes(
  handle: Handle,
  decisions: readonly Decision[],
  nodeName: string,
): Promise<string> {
  const { kernel, listers } = handle;
  try {
    for (const decision of decisions) await write(handle, decision, nodeName);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const deadlineMs = kernel.now() + TIMEOUT_MS;
  for (;;) {
    const waiting = decisions.filter(({ claim }) => {
      const newest = listers.claim(keyOf(claim));
      const { annotations } = newest?.metadata ?? {};
      const done = annotations?.["pv.kubernetes.io/bind-completed"];
      return !(newest?.spec.volumeName && done);
    });
    if (waiting.length === 0) return "";
    if (kernel.now() >= deadlineMs) {
      return "binding volumes: context deadline exceeded";
    }
    await kernel.sleep(POLL_MS);
  }
}

/** Promises the volume to the claim, or marks the claim with the Node. */
async function write(
  { client }: Handle,
  { claim, volume }: Decision,
  nodeName: string,
): Promise<void> {
  const { namespace = "", name, uid } = claim.metadata;
  if (volume) {
    const { annotations } = volume.metadata;
    const claimRef = {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      ...{ namespace, name, uid },
    };
    await client.update(PersistentVolume, {
      ...volume,
      metadata: {
        ...volume.metadata,
        annotations: {
          ...annotations,
          "pv.kubernetes.io/bound-by-controller": "yes",
        },
      },
      spec: { ...volume.spec, claimRef },
    });
    return;
  }
  const annotations = { "volume.kubernetes.io/selected-node": nodeName };
  await client.patch(
    PersistentVolumeClaim,
    namespace,
    name,
    "application/merge-patch+json",
    { metadata: { annotations } },
  );
}
