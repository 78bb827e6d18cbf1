/**
 * What the kubelet writes of a Pod's status: only what differs.
 * Models: statusutil.PatchPodStatus, pkg/util/pod/pod.go @ v1.36
 */
import type { PodCondition, PodStatus } from "../../api/kinds/pod.ts";
import { equal } from "../equal.ts";

/** Fields that changed; conditions merge by their type. */
export function difference(from: PodStatus, to: PodStatus): object {
  const before = from as Readonly<Record<string, unknown>>;
  const after = to as Readonly<Record<string, unknown>>;
  const changed: Record<string, unknown> = {};
  for (const key in after) {
    if (key === "conditions" || equal(before[key], after[key])) continue;
    changed[key] = after[key];
  }
  for (const key in before) {
    if (key !== "conditions" && !(key in after)) changed[key] = null;
  }
  const conditions: object[] = [];
  for (const condition of to.conditions ?? []) {
    const old = conditionOf(from, condition.type);
    if (!equal(old, condition)) conditions.push(replacing(old, condition));
  }
  for (const { type } of from.conditions ?? []) {
    if (conditionOf(to, type)) continue;
    conditions.push({ $patch: "delete", type });
  }
  if (conditions.length === 0) return changed;
  const order = to.conditions?.map(({ type }) => ({ type }));
  return { "$setElementOrder/conditions": order, ...changed, conditions };
}

function conditionOf(status: PodStatus | undefined, type: string) {
  return status?.conditions?.find((one) => one.type === type);
}

/** A condition merges with the old one: what shall go of that must be null. */
function replacing(old: PodCondition | undefined, wanted: PodCondition) {
  const merged: Record<string, unknown> = {};
  for (const key in old) merged[key] = null;
  return Object.assign(merged, wanted);
}

/** The conditions that we set are so in the API. */
export function agree(theirs: PodStatus | undefined, ours: PodStatus): boolean {
  return (ours.conditions ?? []).every(({ type, status }) => {
    return conditionOf(theirs, type)?.status === status;
  });
}
