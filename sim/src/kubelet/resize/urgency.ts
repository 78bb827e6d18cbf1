/**
 * Who is looked at first where several Pods wait to be resized.
 * Models: sortPendingResizes in pkg/kubelet/allocation/allocation_manager.go @ v1.36
 */
import { podRequests } from "../../api/helpers/pod-requests.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import { qosOf } from "../qos.ts";
import type { Resize } from "./resizes.ts";
import { withResources } from "./resources.ts";

/** Who asks for no more, then by priority, by QoS, and who waits longest. */
export function byUrgency(a: Resize, b: Resize): number {
  return (
    Number(asksForMore(a)) - Number(asksForMore(b)) ||
    (b.pod.spec.priority ?? 0) - (a.pod.spec.priority ?? 0) ||
    rank(a.pod) - rank(b.pod) ||
    compare(sinceOf(a), sinceOf(b))
  );
}

function asksForMore({ pod, granted }: Resize): boolean {
  const before = requestsOf(withResources(pod, granted));
  const after = requestsOf(pod);
  const more = (name: string) =>
    (after.get(name) ?? 0) > (before.get(name) ?? 0);
  return more("cpu") || more("memory");
}

/** Of the spec alone: the status tells of a resize that is under way. */
export function requestsOf(pod: Pod) {
  return podRequests({ ...pod, status: undefined });
}

function rank(pod: Pod): number {
  return qosOf(pod) === "Guaranteed" ? 0 : 1;
}

/** Who does not wait yet comes after those that do. */
function sinceOf({ pending }: Resize): string {
  return pending?.lastTransitionTime ?? "~";
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
