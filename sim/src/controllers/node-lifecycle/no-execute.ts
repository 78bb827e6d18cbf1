/**
 * The NoExecute taints of silent Nodes: put on at the rate of the zone, taken
 * off at once when the Node speaks again.
 * Models: pkg/controller/nodelifecycle/node_lifecycle_controller.go
 *         (doNoExecuteTaintingPass, processTaintBaseEviction) @ v1.36
 */
import type { Node } from "../../api/kinds/node.ts";
import type { Taint } from "../../api/kinds/types/core.ts";
import {
  hasTaint,
  NOT_READY,
  swapTaints,
  UNREACHABLE,
  withoutTaints,
  writeTaints,
} from "../shared/taints.ts";
import { type Context, zoneOf } from "./context.ts";
import { readyCondition } from "./health.ts";
import { TaintQueue } from "./taint-queue.ts";
import { EVICTIONS_PER_SECOND } from "./zones.ts";

const NOT_READY_TAINT: Taint = { key: NOT_READY, effect: "NoExecute" };
const UNREACHABLE_TAINT: Taint = { key: UNREACHABLE, effect: "NoExecute" };

export function queueOf(zone: string, ctx: Context): TaintQueue {
  const known = ctx.taintQueues.get(zone);
  if (known) return known;
  const queue = new TaintQueue(ctx.kernel, EVICTIONS_PER_SECOND);
  ctx.taintQueues.set(zone, queue);
  return queue;
}

/** The taint for a Ready condition of this status, and the other one. */
function taintsFor(status: string): { wanted: Taint; other: Taint } {
  return status === "False"
    ? { wanted: NOT_READY_TAINT, other: UNREACHABLE_TAINT }
    : { wanted: UNREACHABLE_TAINT, other: NOT_READY_TAINT };
}

/** One look at one Node: queue it, change its taint, or set it free. */
export async function followReadiness(
  node: Node,
  status: string,
  ctx: Context,
): Promise<void> {
  if (status === "True") return markReachable(node, ctx);
  const { wanted, other } = taintsFor(status);
  if (hasTaint(node, other)) {
    return swapTaints(ctx.client, node, [stamped(wanted, ctx)], [other]);
  }
  const queue = queueOf(zoneOf(node), ctx);
  if (!hasTaint(node, wanted)) queue.forget(node.metadata.name);
  queue.add(node.metadata.name);
}

/** Takes both taints off. */
export async function markReachable(node: Node, ctx: Context): Promise<void> {
  const taints = [NOT_READY_TAINT, UNREACHABLE_TAINT];
  queueOf(zoneOf(node), ctx).remove(node.metadata.name);
  if (!taints.some((taint) => hasTaint(node, taint))) return;
  await writeTaints(ctx.client, node, (old) => withoutTaints(old, taints));
}

/** Taints the Nodes whose turn it is. */
export async function taintNext(ctx: Context): Promise<void> {
  for (const queue of ctx.taintQueues.values()) {
    for (let name = queue.next(); name; name = queue.next()) {
      const node = ctx.nodes.get(name);
      const ready = node && readyCondition(node);
      if (!node || !ready || ready.status === "True") continue;
      const { wanted, other } = taintsFor(ready.status);
      const swap = swapTaints(
        ctx.client,
        node,
        [stamped(wanted, ctx)],
        [other],
      );
      await swap.catch(() => queue.retry(node.metadata.name));
    }
  }
}

function stamped(taint: Taint, { kernel }: Context): Taint {
  return { ...taint, timeAdded: kernel.timestamp() };
}
