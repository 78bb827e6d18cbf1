/**
 * The volume's side of a binding: free, or released once its claim is gone.
 * Models: pkg/controller/volume/persistentvolume/pv_controller.go (syncVolume,
 *         unbindVolume) @ v1.36
 */
import { PersistentVolume } from "../../api/kinds/persistentvolume.ts";
import { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import { isNotFound } from "../../api/status.ts";
import type { ObjectKey } from "../../api/types.ts";
import { type Context, setVolumePhase } from "./bind.ts";
import { BOUND_BY } from "./match.ts";

// region: sync-volume
/** A volume whose claim is gone is released, and deleted if it says so. */
export async function syncVolume(name: ObjectKey, ctx: Context): Promise<void> {
  const volume = ctx.volumes.get(name);
  if (!volume) return;
  const { claimRef } = volume.spec;
  if (!claimRef) return setVolumePhase(volume, "Available", ctx);
  if (!claimRef.uid) return setVolumePhase(volume, "Available", ctx);
  const claim = ctx.claims.get(`${claimRef.namespace}/${claimRef.name}`);
  if (claim?.metadata.uid === claimRef.uid) {
    const { volumeName } = claim.spec;
    if (volumeName && volumeName !== name) await unbind(volume, ctx);
    return;
  }
  if (await claimExists(claimRef, ctx)) return;
  await setVolumePhase(volume, "Released", ctx);
}
// endregion: sync-volume

/** Its claim has another volume by now. */
async function unbind(volume: PersistentVolume, ctx: Context): Promise<void> {
  const { [BOUND_BY]: chosen, ...annotations } =
    volume.metadata.annotations ?? {};
  const { claimRef, ...others } = volume.spec;
  const { uid: _, ...named } = claimRef ?? {};
  const spec = chosen ? others : { ...others, claimRef: named };
  const metadata = { ...volume.metadata, annotations };
  const free = { ...volume, metadata, spec };
  const written = await ctx.client.update(PersistentVolume, free);
  await setVolumePhase(written, "Available", ctx);
}

/** The copy may be late: the server is asked before a volume is released. */
async function claimExists(
  {
    namespace = "",
    name = "",
    uid,
  }: { namespace?: string; name?: string; uid?: string },
  { client }: Context,
): Promise<boolean> {
  try {
    const found = await client.get(PersistentVolumeClaim, namespace, name);
    return found.metadata.uid === uid;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
