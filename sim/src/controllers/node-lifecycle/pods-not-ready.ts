/**
 * Marks Pods of a silent Node as not ready, so that no Service sends them
 * anything; they may well still run.
 * Models: pkg/controller/util/node/controller_utils.go @ v1.36
 */
import { Pod } from "../../api/kinds/pod.ts";
import { isNotFound } from "../../api/status.ts";
import { isReady } from "../shared/pods.ts";
import type { Context } from "./context.ts";

export async function markPodNotReady(
  pod: Pod,
  { client, events, kernel }: Context,
): Promise<void> {
  if (!isReady(pod)) return;
  const lastTransitionTime = kernel.timestamp();
  const conditions = pod.status?.conditions?.map((condition) =>
    condition.type === "Ready"
      ? { ...condition, status: "False", lastTransitionTime }
      : condition,
  );
  const status = { ...pod.status, conditions };
  try {
    await client.updateStatus(Pod, { ...pod, status });
  } catch (error) {
    if (isNotFound(error)) return;
    throw error;
  }
  events.event(pod, "Warning", "NodeNotReady", "Node is not ready");
}
