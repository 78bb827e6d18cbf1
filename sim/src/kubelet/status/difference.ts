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
  for (const key of Object.keys(after)) {
    if (key === "conditions" || equal(before[key], after[key])) continue;
    changed[key] = after[key];
  }
  for (const key of Object.keys(before)) {
    if (key !== "conditions" && !(key in after)) changed[key] = null;
  }
  const conditions = (to.conditions ?? []).flatMap((condition) => {
    const old = from.conditions?.find(({ type }) => type === condition.type);
    return equal(old, condition) ? [] : [{ ...cleared(old), ...condition }];
  });
  if (conditions.length === 0) return changed;
  const order = to.conditions?.map(({ type }) => ({ type }));
  return { "$setElementOrder/conditions": order, ...changed, conditions };
}

/** A condition merges with the old one: what shall go of that must be null. */
function cleared(old: PodCondition | undefined): object {
  return Object.fromEntries(Object.keys(old ?? {}).map((key) => [key, null]));
}

/** The conditions that we set are so in the API. */
export function agree(theirs: PodStatus | undefined, ours: PodStatus): boolean {
  return (ours.conditions ?? []).every(({ type, status }) => {
    const found = theirs?.conditions?.find((one) => one.type === type);
    return found?.status === status;
  });
}
