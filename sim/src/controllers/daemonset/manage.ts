/**
 * One Pod on each Node that should have one.
 * Models: pkg/controller/daemon/daemon_controller.go (manage, syncNodes)
 *         @ v1.36
 */
import type { DaemonSet } from "../../api/kinds/daemonset.ts";
import type { Node } from "../../api/kinds/node.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import { hasCause, isNotFound } from "../../api/status.ts";
import { keyOf } from "../../api/types.ts";
import { byAge } from "../shared/by-age.ts";
import * as podControl from "../shared/pod-control.ts";
import { isTerminated } from "../shared/pods.ts";
import { sideBySide, slowStart } from "../shared/slow-start.ts";
import type { Context, PodsByNode } from "./context.ts";
import { placementOf, podFor } from "./placement.ts";
import { allowsSurge, surplusWhileSurging } from "./surge.ts";

/** Most Pods that one reconcile creates or deletes. */
const BURST = 250;
const FAILED_WAIT_MS = 1_000;
const FAILED_WAIT_MS_MAX = 15 * 60_000;

export interface Changes {
  /** Names of the Nodes that get a Pod. */
  readonly create: string[];
  readonly delete: Pod[];
}

// region: manage
export async function manage(
  set: DaemonSet,
  nodes: readonly Node[],
  podsByNode: PodsByNode,
  hash: string,
  ctx: Context,
): Promise<void> {
  const changes: Changes = { create: [], delete: [] };
  const known = new Set<string>();
  for (const node of nodes) {
    known.add(node.metadata.name);
    const pods = podsByNode.get(node.metadata.name) ?? [];
    planNode(set, node, pods, hash, changes, ctx);
  }
  for (const [name, pods] of podsByNode) {
    // Not bound yet, and its Node is gone: it never will be.
    if (known.has(name)) continue;
    changes.delete.push(...pods.filter(({ spec }) => !spec.nodeName));
  }
  await carryOut(set, changes, hash, ctx);
}
// endregion: manage

function planNode(
  set: DaemonSet,
  node: Node,
  pods: readonly Pod[],
  hash: string,
  changes: Changes,
  ctx: Context,
): void {
  const { run, keep } = placementOf(set, node);
  const alive = pods.filter(({ metadata }) => !metadata.deletionTimestamp);
  if (run && pods.length === 0) changes.create.push(node.metadata.name);
  else if (keep) {
    const running = alive.filter((pod) => !isTerminated(pod));
    for (const pod of alive) {
      if (!isTerminated(pod) || !mayReplace(set, node, pod, ctx)) continue;
      tellEnd(set, node, pod, ctx);
      changes.delete.push(pod);
    }
    if (!allowsSurge(set)) {
      // The oldest stays.
      changes.delete.push(...oldestFirst(running).slice(1));
      return;
    }
    const surplus = surplusWhileSurging(
      set,
      oldestFirst(running),
      hash,
      ctx.kernel,
    );
    changes.delete.push(...surplus);
  } else changes.delete.push(...alive);
}

export function oldestFirst(pods: readonly Pod[]): Pod[] {
  const bound = ({ spec }: Pod) => Number(!spec.nodeName);
  return pods.toSorted((a, b) => bound(a) - bound(b) || byAge(a, b));
}

/** It has failed or succeeded; both are told, for neither should happen. */
function tellEnd(
  set: DaemonSet,
  node: Node,
  pod: Pod,
  { events }: Context,
): void {
  const { namespace, name } = pod.metadata;
  const what = `daemon pod ${namespace}/${name} on node ${node.metadata.name}`;
  if (pod.status?.phase === "Failed") {
    const message = `Found failed ${what}, will try to kill it`;
    events.event(set, "Warning", "FailedDaemonPod", message);
  } else {
    const message = `Found succeeded ${what}, will try to delete it`;
    events.event(set, "Normal", "SucceededDaemonPod", message);
  }
}

/** Failed Pods are replaced more and more slowly. */
function mayReplace(
  set: DaemonSet,
  node: Node,
  pod: Pod,
  { failedBackoff, kernel, queue }: Context,
): boolean {
  if (pod.status?.phase !== "Failed") return true;
  const key = `${set.metadata.uid}/${node.metadata.name}`;
  const now = kernel.now();
  const last = failedBackoff.get(key);
  const sinceMs = now - (last?.atMs ?? 0);
  const before = sinceMs > 2 * FAILED_WAIT_MS_MAX ? undefined : last;
  if (before && sinceMs < before.waitMs) {
    queue.addAfter(keyOf(set), before.waitMs);
    return false;
  }
  const doubled = before ? before.waitMs * 2 : FAILED_WAIT_MS;
  const waitMs = Math.min(doubled, FAILED_WAIT_MS_MAX);
  failedBackoff.set(key, { waitMs, atMs: now });
  return true;
}

/** Creates and deletes, at most 250 of each. Throws the first error. */
export async function carryOut(
  set: DaemonSet,
  changes: Changes,
  hash: string,
  ctx: Context,
): Promise<void> {
  const key = keyOf(set);
  const create = changes.create.slice(0, BURST);
  const remove = changes.delete.slice(0, BURST);
  ctx.expectations.expect(key, create.length, remove.map(keyOf));
  const created = await slowStart(create.length, (i) =>
    podControl.createPod(ctx, set, podFor(set, create[i]!, hash)),
  );
  const unmade = create.length - created.successes;
  if (unmade > 0) ctx.expectations.creationSeen(key, unmade);
  const deleted = await sideBySide(remove.length, async (i) => {
    const pod = remove[i]!;
    try {
      await podControl.deletePod(ctx, set, pod);
    } catch (error) {
      ctx.expectations.deletionSeen(key, keyOf(pod));
      if (!isNotFound(error)) throw error;
    }
  });
  const { error = deleted.error } = created;
  if (error === undefined) return;
  if (!hasCause(error, podControl.NAMESPACE_TERMINATING)) throw error;
}
