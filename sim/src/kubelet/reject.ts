/**
 * A Pod that the node does not let in fails for good: whoever made it makes
 * another.
 * Models: pkg/kubelet/kubelet.go rejectPod @ v1.36
 */
import type { Pod } from "../api/kinds/pod.ts";
import type { Rejection } from "./admission.ts";
import type { KubeletParts } from "./parts.ts";

export function rejectPod(
  { events, status }: KubeletParts,
  pod: Pod,
  { reason, message }: Rejection,
): void {
  events.event(pod, "Warning", reason, message);
  const text = `Pod was rejected: ${message}`;
  const failed = { phase: "Failed", reason, message: text };
  status.set(pod, { ...status.get(pod), ...failed });
}
