/**
 * Taints that the control plane puts on Nodes, and how it writes them.
 * Models: pkg/controller/controller_utils.go (AddOrUpdateTaintOnNode,
 *         RemoveTaintOffNode), pkg/util/taints @ v1.36
 */
import { Node } from "../../api/kinds/node.ts";
import type { Taint } from "../../api/kinds/types/core.ts";
import { isConflict, isNotFound } from "../../api/status.ts";
import type { Client } from "../../client/client.ts";

export const NOT_READY = "node.kubernetes.io/not-ready";
export const UNREACHABLE = "node.kubernetes.io/unreachable";

const CONFLICTS_MAX = 5;

/** Same key and effect; the value may differ. */
export function matchesTaint(a: Taint, b: Taint): boolean {
  return a.key === b.key && a.effect === b.effect;
}

export function hasTaint(node: Node, taint: Taint): boolean {
  return (node.spec.taints ?? []).some((one) => matchesTaint(one, taint));
}

/** `taints` with `more` in them. */
export function withTaints(
  taints: readonly Taint[],
  more: readonly Taint[],
): readonly Taint[] {
  const kept = taints.map(
    (taint) => more.find((one) => matchesTaint(one, taint)) ?? taint,
  );
  const added = more.filter(
    (one) => !taints.some((taint) => matchesTaint(one, taint)),
  );
  return [...kept, ...added];
}

export function withoutTaints(
  taints: readonly Taint[],
  less: readonly Taint[],
): readonly Taint[] {
  return taints.filter(
    (taint) => !less.some((one) => matchesTaint(one, taint)),
  );
}

/** Adds, then removes: two writes, so that the Node is never without. */
export async function swapTaints(
  client: Client,
  node: Node,
  add: readonly Taint[],
  remove: readonly Taint[],
): Promise<void> {
  if (add.length > 0) {
    await writeTaints(client, node, (old) => withTaints(old, add));
  }
  if (remove.some((taint) => hasTaint(node, taint))) {
    await writeTaints(client, node, (old) => withoutTaints(old, remove));
  }
}

/** Patches the taints of a fresh copy; again after a conflict. */
export async function writeTaints(
  client: Client,
  node: Node,
  change: (taints: readonly Taint[]) => readonly Taint[],
): Promise<void> {
  const { name } = node.metadata;
  for (let tries = 0; ; tries++) {
    try {
      const fresh = await client.get(Node, "", name);
      const before = fresh.spec.taints ?? [];
      const taints = change(before);
      const same =
        taints.length === before.length &&
        taints.every((taint, i) => taint === before[i]);
      if (same) return;
      const { resourceVersion } = fresh.metadata;
      const body = { metadata: { resourceVersion }, spec: { taints } };
      const type = "application/strategic-merge-patch+json";
      await client.patch(Node, "", name, type, body);
      return;
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isConflict(error) || tries >= CONFLICTS_MAX) throw error;
    }
  }
}
