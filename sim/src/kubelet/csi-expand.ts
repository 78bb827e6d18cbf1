/**
 * The node's half of making a volume larger: where the PersistentVolume is
 * larger than its claim's capacity, the driver lets the file system follow,
 * and the claim is given its new size.
 * Models:     pkg/volume/util/operationexecutor/node_expander.go,
 *             pkg/volume/util/resize_util.go @ v1.36
 * Leaves out: errors for good, and the states for them.
 */
import { PersistentVolume } from "../api/kinds/persistentvolume.ts";
import { PersistentVolumeClaim } from "../api/kinds/persistentvolumeclaim.ts";
import type { Pod, Volume } from "../api/kinds/pod.ts";
import { bytes } from "../api/quantity.ts";
import type { EventRecorder } from "../client/events.ts";
import { type CsiMount, type CsiNode, call, pathsOf } from "./csi-mount.ts";

export interface CsiExpander extends CsiNode {
  readonly events: EventRecorder;
}

const CONDITIONS = new Set([
  ...["Resizing", "FileSystemResizePending"],
  ...["ControllerResizeError", "NodeResizeError"],
]);

/** `during`: the volume is being mounted, or it is in use. */
export async function expandIfNeeded(
  options: CsiExpander,
  pod: Pod,
  volume: Volume,
  mount: CsiMount,
  during: "mount" | "use",
): Promise<void> {
  const { client, node, events } = options;
  const { namespace = "", uid = "" } = pod.metadata;
  const name = volume.persistentVolumeClaim?.claimName ?? "";
  const claim = await client.get(PersistentVolumeClaim, namespace, name);
  const { spec } = await client.get(PersistentVolume, "", mount.pv);
  const storage = spec.capacity?.storage;
  const turn = claim.status?.allocatedResourceStatuses?.storage ?? "";
  const smaller = bytes(claim.status?.capacity?.storage) < bytes(storage);
  if (!storage || !smaller || !turn.startsWith("NodeResize")) return;
  const mine = { allocatedResourceStatuses: { storage: IN_PROGRESS } };
  const marked = await note(options, claim, mine);
  const { staging, target } = pathsOf(uid, mount);
  await call(options, mount.driver, "nodeExpandVolume", {
    volume_id: mount.handle,
    volume_path: during === "mount" ? staging : target,
    staging_target_path: staging,
    capacity_range: { required_bytes: bytes(storage) },
  });
  const message = `MountVolume.NodeExpandVolume succeeded for volume "${mount.pv}" ${node}`;
  for (const one of [pod, claim]) {
    events.event(one, "Normal", "FileSystemResizeSuccessful", message);
  }
  const left = (marked.status?.conditions ?? []).filter(
    ({ type }) => !CONDITIONS.has(type),
  );
  await note(options, claim, {
    allocatedResourceStatuses: null,
    capacity: { storage },
    conditions: left.length > 0 ? left : null,
  });
}

const IN_PROGRESS = "NodeResizeInProgress";

function note(
  { client }: CsiNode,
  { metadata }: PersistentVolumeClaim,
  status: object,
): Promise<PersistentVolumeClaim> {
  const { namespace = "", name } = metadata;
  const type = "application/merge-patch+json";
  const more = { subresource: "status" };
  const ref = PersistentVolumeClaim;
  return client.patch(ref, namespace, name, type, { status }, more);
}
