/**
 * How far a claim's growth has come, as its status says it: the size that is
 * being made, whose turn it is, and conditions for people.
 * Models: kubernetes-csi/external-resizer pkg/{controller/resize_status,
 *         util/util}.go @ v2
 */
import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimStatus,
} from "../api/kinds/persistentvolumeclaim.ts";

type Conditions = NonNullable<PersistentVolumeClaimStatus["conditions"]>;

const OURS = new Set([
  ...["Resizing", "FileSystemResizePending"],
  ...["ControllerResizeError", "NodeResizeError"],
]);

function othersOf({ status }: PersistentVolumeClaim): Conditions {
  return (status?.conditions ?? []).filter(({ type }) => !OURS.has(type));
}

/** Merged into the claim's status: whose turn it is. */
function withStatus(storage: string | null) {
  return { allocatedResourceStatuses: { storage } };
}

export function inProgress(
  claim: PersistentVolumeClaim,
  storage: string,
  lastTransitionTime: string,
) {
  const resizing = { type: "Resizing", status: "True", lastTransitionTime };
  return {
    ...withStatus("ControllerResizeInProgress"),
    allocatedResources: { storage },
    conditions: [...othersOf(claim), resizing],
  };
}

/** That it failed, for people; and whether it can ever succeed. */
export function failed(
  claim: PersistentVolumeClaim,
  { message: why }: Error,
  lastTransitionTime: string,
  isInfeasible: boolean,
) {
  const type = "ControllerResizeError";
  const message = `failed to expand pvc with ${why}`;
  const others = (claim.status?.conditions ?? []).filter(
    (one) => one.type !== type,
  );
  return {
    ...(isInfeasible && withStatus("ControllerResizeInfeasible")),
    conditions: [
      ...others,
      { type, status: "True", lastTransitionTime, message },
    ],
  };
}

export function isInfeasible(claim: PersistentVolumeClaim): boolean {
  return turnOf(claim) === "ControllerResizeInfeasible";
}

export function nodePending(
  claim: PersistentVolumeClaim,
  lastTransitionTime: string,
) {
  const pending = {
    ...{ type: "FileSystemResizePending", status: "True", lastTransitionTime },
    message:
      "Waiting for user to (re-)start a pod to finish file system resize of volume on node.",
  };
  return {
    ...withStatus("NodeResizePending"),
    conditions: [...othersOf(claim), pending],
  };
}

export function resized(claim: PersistentVolumeClaim, storage: string) {
  const conditions = othersOf(claim);
  return {
    allocatedResourceStatuses: null,
    capacity: { storage },
    conditions: conditions.length > 0 ? conditions : null,
  };
}

function turnOf({ status }: PersistentVolumeClaim): string {
  return status?.allocatedResourceStatuses?.storage ?? "";
}

/** The kubelet has the rest to do. */
export function isOnNode(claim: PersistentVolumeClaim): boolean {
  return turnOf(claim).startsWith("NodeResize");
}

/** What was begun is finished first, unless it can never be. */
export function nextSize(claim: PersistentVolumeClaim): string {
  const { spec, status } = claim;
  const wanted = spec.resources?.requests?.storage ?? "0";
  const begun = status?.allocatedResources?.storage;
  const turn = turnOf(claim);
  const stuck = turn === "" || turn.endsWith("Infeasible");
  return stuck ? wanted : (begun ?? wanted);
}
