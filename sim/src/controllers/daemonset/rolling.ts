/**
 * Replaces Pods of an old template. Without surge it deletes as many as may
 * be unavailable, and `manage` makes the new ones; a Pod that is unavailable
 * anyway costs nothing.
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
      : replaceBySurge(set, pairs, maxSurge, ctx);
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
    } else if (old && !isAvailable(set, old, kernel)) free.push(old);
    else if (old && unavailable < maxUnavailable) candidates.push(old);
  }
  const budget = Math.max(0, maxUnavailable - unavailable);
  return { create: [], delete: [...free, ...candidates.slice(0, budget)] };
}
// endregion: replace-in-place

function replaceBySurge(
  set: DaemonSet,
  pairs: readonly NodePair[],
  maxSurge: number,
  { kernel }: Context,
): Changes {
  const create: string[] = [];
  const remove: Pod[] = [];
  const candidates: string[] = [];
  let surge = 0;
  for (const { name, pods } of pairs) {
    const { fresh, old } = pods ?? {};
    if (!pods || (!fresh && !old)) surge++;
    else if (fresh && old) {
      if (isAvailable(set, fresh, kernel)) remove.push(old);
      else surge++;
    } else if (fresh) {
      if (!isAvailable(set, fresh, kernel)) surge++;
    } else if (old && !isAvailable(set, old, kernel)) create.push(name);
    else if (old && surge < maxSurge) candidates.push(name);
  }
  const budget = Math.max(0, maxSurge - surge);
  create.push(...candidates.slice(0, budget));
  return { create, delete: remove };
}
