/**
 * The status of a DaemonSet: counts of Nodes.
 * Models: pkg/controller/daemon/daemon_controller.go
 *         (updateDaemonSetStatus) @ v1.36
 */
import { DaemonSet } from "../../api/kinds/daemonset.ts";
import type { Node } from "../../api/kinds/node.ts";
import type { DaemonSetStatus } from "../../api/kinds/types/apps.ts";
import { keyOf } from "../../api/types.ts";
import { equalStatus } from "../shared/equal.ts";
import { isReady } from "../shared/pods.ts";
import type { Context, PodsByNode } from "./context.ts";
import { oldestFirst } from "./manage.ts";
import { isUpdated, placementOf } from "./placement.ts";
import { isAvailable } from "./surge.ts";

/** `observed`: this generation was acted upon. */
export async function updateStatus(
  set: DaemonSet,
  nodes: readonly Node[],
  podsByNode: PodsByNode,
  hash: string,
  observed: boolean,
  ctx: Context,
): Promise<void> {
  const counted = statusOf(set, nodes, podsByNode, hash, ctx);
  const { generation } = set.metadata;
  const observedGeneration = observed
    ? generation
    : set.status?.observedGeneration;
  const status = { ...set.status, ...counted, observedGeneration };
  if (!equalStatus(set.status, status)) {
    try {
      await ctx.client.updateStatus(DaemonSet, { ...set, status });
    } catch {
      const { namespace = "", name } = set.metadata;
      const fresh = await ctx.client.get(DaemonSet, namespace, name);
      const again = { ...fresh.status, ...counted, observedGeneration };
      await ctx.client.updateStatus(DaemonSet, { ...fresh, status: again });
    }
  }
  const { minReadySeconds = 0 } = set.spec;
  const waiting = counted.numberReady !== (counted.numberAvailable ?? 0);
  if (minReadySeconds > 0 && waiting) {
    ctx.queue.addAfter(keyOf(set), minReadySeconds * 1000);
  }
}

function statusOf(
  set: DaemonSet,
  nodes: readonly Node[],
  podsByNode: PodsByNode,
  hash: string,
  { kernel }: Context,
): DaemonSetStatus {
  let [desired, current, misscheduled] = [0, 0, 0];
  let [ready, available, updated] = [0, 0, 0];
  for (const node of nodes) {
    const { run } = placementOf(set, node);
    const [pod] = oldestFirst(podsByNode.get(node.metadata.name) ?? []);
    if (run) desired++;
    else if (pod) misscheduled++;
    if (!run || !pod) continue;
    current++;
    if (isReady(pod)) ready++;
    if (isAvailable(set, pod, kernel)) available++;
    if (isUpdated(set, pod, hash)) updated++;
  }
  return {
    currentNumberScheduled: current,
    numberMisscheduled: misscheduled,
    desiredNumberScheduled: desired,
    numberReady: ready,
    updatedNumberScheduled: updated,
    numberAvailable: available,
    numberUnavailable: desired - available,
  };
}
