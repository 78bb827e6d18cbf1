/**
 * Each bad condition of a Node has a NoSchedule taint, so that the scheduler
 * need know taints alone.
 * Models: pkg/controller/nodelifecycle/node_lifecycle_controller.go
 *         (doNoScheduleTaintingPass) @ v1.36
 */
import type { Node } from "../../api/kinds/node.ts";
import type { Taint } from "../../api/kinds/types/core.ts";
import { matchesTaint, NOT_READY, UNREACHABLE } from "../shared/taints.ts";

const EFFECT = "NoSchedule";
const UNSCHEDULABLE = "node.kubernetes.io/unschedulable";

/** Taint key by condition and status. */
const TAINT_KEYS: Record<string, Record<string, string>> = {
  Ready: { False: NOT_READY, Unknown: UNREACHABLE },
  MemoryPressure: { True: "node.kubernetes.io/memory-pressure" },
  DiskPressure: { True: "node.kubernetes.io/disk-pressure" },
  NetworkUnavailable: { True: "node.kubernetes.io/network-unavailable" },
  PIDPressure: { True: "node.kubernetes.io/pid-pressure" },
};

const OURS = new Set([
  UNSCHEDULABLE,
  ...Object.values(TAINT_KEYS).flatMap((keys) => Object.values(keys)),
]);

/** What the Node's conditions ask for, against what it has. */
export function taintChanges(
  node: Node,
  now: string,
): { add: Taint[]; remove: Taint[] } {
  const wanted: Taint[] = [];
  for (const { type, status } of node.status?.conditions ?? []) {
    const key = TAINT_KEYS[type]?.[status];
    if (key) wanted.push({ key, effect: EFFECT, timeAdded: now });
  }
  if (node.spec.unschedulable) {
    wanted.push({ key: UNSCHEDULABLE, effect: EFFECT, timeAdded: now });
  }
  const has = (node.spec.taints ?? []).filter(
    ({ key, effect }) => effect === EFFECT && OURS.has(key),
  );
  const among = (taint: Taint, list: readonly Taint[]) =>
    list.some((one) => matchesTaint(one, taint));
  return {
    add: wanted.filter((taint) => !among(taint, has)),
    remove: has.filter((taint) => !among(taint, wanted)),
  };
}
