/**
 * The external resizer: a claim that asks for more than it has gets it. The
 * driver makes the disk larger; where the file system has to follow, the
 * kubelet of the node does the second half.
 * Models:     kubernetes-csi/external-resizer pkg/controller @ v2
 * Leaves out: volume attributes classes; drivers that expand only what is not
 *             in use.
 * Try:        say that the claim is larger before the driver has done anything.
 */
import { PersistentVolume } from "../api/kinds/persistentvolume.ts";
import { PersistentVolumeClaim } from "../api/kinds/persistentvolumeclaim.ts";
import { bytes } from "../api/quantity.ts";
import { keyOf } from "../api/types.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startController } from "../client/controller.ts";
import type { Informer } from "../client/informer.ts";
import { type ControllerService, CsiError } from "../csi/api.ts";
import { BACKOFF, call } from "./call.ts";
import {
  failed,
  inProgress,
  isInfeasible,
  isOnNode,
  nextSize,
  nodePending,
  resized,
} from "./resize-status.ts";

interface Context extends ComponentContext {
  readonly driver: string;
  readonly service: ControllerService;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  /** Comes back to a claim after a long time, and not before. */
  readonly slowly: (key: string) => void;
  readonly isSlow: (key: string) => boolean;
}

/** The volume's size before, until all is done. */
const PRE_RESIZE = "volume.alpha.kubernetes.io/pre-resize-capacity";
const MERGE = "application/merge-patch+json";
const SLOW_MS = 300_000;
/** No retry alone makes these well. */
const INFEASIBLE = ["InvalidArgument", "OutOfRange", "NotFound"];

export function startResizer(
  context: ComponentContext,
  driver: string,
  service: ControllerService,
): Component {
  const { informers, kernel } = context;
  const slow = new Map<string, number>();
  const ctx: Context = {
    ...{ ...context, driver, service },
    claims: informers.informer(PersistentVolumeClaim),
    volumes: informers.informer(PersistentVolume),
    slowly(key) {
      slow.set(key, kernel.now() + SLOW_MS);
      controller.queue.addAfter(key, SLOW_MS);
    },
    isSlow: (key) => (slow.get(key) ?? 0) > kernel.now(),
  };
  const controller = startController(context, {
    workers: 4,
    reconcile: (key) => reconcile(key, ctx),
    backoff: BACKOFF,
  });
  const changed = (claim: PersistentVolumeClaim) =>
    controller.queue.add(keyOf(claim));
  controller.on(ctx.claims, { added: changed, updated: changed });
  controller.needs(ctx.volumes);
  return controller;
}

// region: reconcile
async function reconcile(key: string, ctx: Context): Promise<void> {
  const claim = ctx.claims.get(key);
  const volume = claim && ctx.volumes.get(claim.spec.volumeName ?? "");
  if (!volume || volume.spec.csi?.driver !== ctx.driver) return;
  if (volume.spec.claimRef?.uid !== claim.metadata.uid) return;
  const wanted = claim.spec.resources?.requests?.storage;
  const has = claim.status?.capacity?.storage;
  if (claim.status?.phase !== "Bound" || bytes(wanted) <= bytes(has)) {
    return forgetOldSize(volume, ctx);
  }
  const done = bytes(volume.spec.capacity?.storage) >= bytes(wanted);
  if (done && isOnNode(claim)) return;
  const same = claim.status?.allocatedResources?.storage === wanted;
  if (isInfeasible(claim) && same && ctx.isSlow(key)) return;
  await expand(claim, volume, nextSize(claim), ctx);
}
// endregion: reconcile

// region: expand
async function expand(
  claim: PersistentVolumeClaim,
  volume: PersistentVolume,
  size: string,
  ctx: Context,
): Promise<void> {
  const { events, kernel, service, driver } = ctx;
  const { name } = volume.metadata;
  const now = kernel.timestamp();
  const begun = await note(claim, inProgress(claim, size, now), ctx);
  const telling = `External resizer is resizing volume ${name}`;
  events.event(begun, "Normal", "Resizing", telling);
  const request = {
    volume_id: volume.spec.csi?.volumeHandle ?? "",
    capacity_range: { required_bytes: bytes(size) },
  };
  try {
    const { node_expansion_required } = await call(
      ...([ctx, driver, "ControllerExpandVolume", request] as const),
      () => service.controllerExpandVolume(request),
    );
    await grow(volume, claim.status?.capacity?.storage ?? "", size, ctx);
    await tell(begun, size, node_expansion_required, ctx);
  } catch (error) {
    if (!(error instanceof CsiError)) throw error;
    const message = `resize volume "${name}" by resizer "${driver}" failed: ${error.message}`;
    events.event(begun, "Warning", "VolumeResizeFailed", message);
    const never = INFEASIBLE.includes(error.code);
    await note(begun, failed(begun, error, kernel.timestamp(), never), ctx);
    // It is tried again, with a growing wait, or after a long one.
    if (!never) throw error;
    ctx.slowly(keyOf(claim));
  }
}
// endregion: expand

/** All is done, or the kubelet's turn comes. */
async function tell(
  claim: PersistentVolumeClaim,
  size: string,
  needsNode: boolean,
  ctx: Context,
): Promise<void> {
  const { events, kernel } = ctx;
  if (needsNode) {
    await note(claim, nodePending(claim, kernel.timestamp()), ctx);
    const message = "Require file system resize of volume on node";
    events.event(claim, "Normal", "FileSystemResizeRequired", message);
    return;
  }
  await note(claim, resized(claim, size), ctx);
  const message = "Resize volume succeeded";
  events.event(claim, "Normal", "VolumeResizeSuccessful", message);
}

function note(
  { metadata }: PersistentVolumeClaim,
  status: object,
  { client }: Context,
): Promise<PersistentVolumeClaim> {
  const { namespace = "", name } = metadata;
  const more = { subresource: "status" };
  const body = { status };
  const ref = PersistentVolumeClaim;
  return client.patch(ref, namespace, name, MERGE, body, more);
}

function grow(
  { metadata }: PersistentVolume,
  before: string,
  storage: string,
  { client }: Context,
): Promise<PersistentVolume> {
  const annotations = { [PRE_RESIZE]: before };
  const body = { metadata: { annotations }, spec: { capacity: { storage } } };
  return client.patch(PersistentVolume, "", metadata.name, MERGE, body);
}

async function forgetOldSize(
  { metadata }: PersistentVolume,
  { client }: Context,
): Promise<void> {
  if (metadata.annotations?.[PRE_RESIZE] === undefined) return;
  const body = { metadata: { annotations: { [PRE_RESIZE]: null } } };
  await client.patch(PersistentVolume, "", metadata.name, MERGE, body);
}
