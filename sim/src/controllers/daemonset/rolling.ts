/**
 * Replaces Pods of an old template. Without surge it deletes as many as may
 * be unavailable, and `manage` makes the new ones; a Pod that is unavailable
 * anyway goes at once, and counts.
 * Models: pkg/controller/daemon/update.go (rollingUpdate) @ v1.36
 */
import { scaledValue } from "../../api/intstr.ts";
import type { DaemonSet } from "../../api/kinds/daemonset.ts";
import type { Node } from "../../api/kinds/node.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { Context, PodsByNode } from "./context.ts";
import { type Changes, carryOut } from "./manage.ts";
import { isUpdated, placementOf } from "./placement.ts";
import { isAvailable } from "./surge.ts";

/** The new and the old Pod of a Node; undefined if there are more. */
function pair(
  set: DaemonSet,
  pods: readonly Pod[],
  hash: string,
): { fresh?: Pod; old?: Pod } | undefined {
  const alive = pods.filter(({ metadata }) => !metadata.deletionTimestamp);
  const [fresh, ...otherFresh] = alive.filter((p) => isUpdated(set, p, hash));
  const [old, ...otherOld] = alive.filter((p) => !isUpdated(set, p, hash));
  if (otherFresh.length + otherOld.length > 0) return undefined;
  return { fresh, old };
}

export async function rollOut(
  set: DaemonSet,
  nodes: readonly Node[],
  podsByNode: PodsByNode,
  hash: string,
  ctx: Context,
): Promise<void> {
  const targets = nodes.filter((node) => placementOf(set, node).run);
  const names = new Set(targets.map(({ metadata }) => metadata.name));
  for (const name of podsByNode.keys()) names.add(name);
  const { maxSurge, maxUnavailable } = limitsOf(set, targets.length);
  const pairs = [...names].map((name) => ({
    name,
    pods: pair(set, podsByNode.get(name) ?? [], hash),
  }));
  const changes =
    maxSurge === 0
      ? replaceInPlace(set, pairs, maxUnavailable, ctx)
      : replaceBySurge(set, pairs, { maxSurge, targets }, ctx);
  const { length } = changes.create;
  if (length + changes.delete.length === 0) return;
  await carryOut(set, changes, hash, ctx);
}

interface NodePair {
  readonly name: string;
  readonly pods: { fresh?: Pod; old?: Pod } | undefined;
}

/** Both round up; if both are 0, one Pod may be unavailable. */
function limitsOf({ spec }: DaemonSet, nodes: number) {
  const rolling = spec.updateStrategy?.rollingUpdate;
  const maxSurge = scaledValue(rolling?.maxSurge ?? 0, nodes, true);
  const given = scaledValue(rolling?.maxUnavailable ?? 1, nodes, true);
  const maxUnavailable = maxSurge === 0 && given === 0 ? 1 : given;
  return { maxSurge, maxUnavailable };
}

// region: replace-in-place
function replaceInPlace(
  set: DaemonSet,
  pairs: readonly NodePair[],
  maxUnavailable: number,
  { kernel }: Context,
): Changes {
  const free: Pod[] = [];
  const candidates: Pod[] = [];
  let unavailable = 0;
  for (const { pods } of pairs) {
    const { fresh, old } = pods ?? {};
    if (!fresh === !old)
      unavailable++; // None, or too many: manage's work.
    else if (fresh) {
      if (!isAvailable(set, fresh, kernel)) unavailable++;
    } else if (old && !isAvailable(set, old, kernel)) {
      free.push(old);
      unavailable++;
    } else if (old && unavailable < maxUnavailable) candidates.push(old);
  }
  const budget = Math.max(0, maxUnavailable - unavailable);
  return { create: [], delete: [...free, ...candidates.slice(0, budget)] };
}
// endregion: replace-in-place

/**
 * The old Pod goes when the new one is available. On a Node that is no target
 * any more it stays until the targets have all their Pods.
 */
function replaceBySurge(
  set: DaemonSet,
  pairs: readonly NodePair[],
  { maxSurge, targets }: { maxSurge: number; targets: readonly Node[] },
  { kernel }: Context,
): Changes {
  const wanted = new Set(targets.map(({ metadata }) => metadata.name));
  const create: string[] = [];
  const remove: Pod[] = [];
  const candidates: string[] = [];
  const strays: Pod[] = [];
  let surge = 0;
  let available = 0;
  for (const { name, pods } of pairs) {
    if (!pods) surge++;
    const { fresh, old } = pods ?? {};
    const serving = old ?? fresh;
    const serves = !!serving && isAvailable(set, serving, kernel);
    if (serves) available++;
    if (!old) continue; // A new one alone, or none: manage's work.
    if (fresh) {
      if (isAvailable(set, fresh, kernel)) remove.push(old);
      else surge++;
    } else if (!wanted.has(name)) (serves ? strays : remove).push(old);
    else if (!serves) create.push(name);
    else if (surge < maxSurge) candidates.push(name);
  }
  const spare = Math.max(0, available - wanted.size);
  const budget = Math.max(0, maxSurge - surge);
  create.push(...candidates.slice(0, budget));
  return { create, delete: [...remove, ...strays.slice(0, spare)] };
}
