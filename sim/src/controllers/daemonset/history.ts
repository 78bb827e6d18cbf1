/**
 * The templates of a DaemonSet as ControllerRevisions.
 * Models: pkg/controller/daemon/update.go (constructHistory) @ v1.36
 */
import { ControllerRevision } from "../../api/kinds/controllerrevision.ts";
import { DaemonSet } from "../../api/kinds/daemonset.ts";
import { labelSelector } from "../../api/selector.ts";
import { podTemplateHash } from "../../api/template-hash.ts";
import { json } from "../shared/json.ts";
import { claim } from "../shared/owners.ts";
import { orphansIn, ownedBy } from "../shared/pods.ts";
import {
  createRevision,
  dataOf,
  hasData,
  inOrder,
  newRevision,
  renumberRevision,
  trimRevisions,
} from "../shared/revisions.ts";
import type { Context, PodsByNode } from "./context.ts";
import { HASH_LABEL } from "./placement.ts";

export interface History {
  readonly current: ControllerRevision;
  readonly old: readonly ControllerRevision[];
  /** `controller-revision-hash` of the present template. */
  readonly hash: string;
}

export async function findHistory(
  set: DaemonSet,
  ctx: Context,
): Promise<History> {
  const data = dataOf(set.spec.template);
  const all = inOrder(await ownRevisions(set, ctx));
  const same = all.filter((revision) => hasData(revision, data));
  const old = all.filter((revision) => !same.includes(revision));
  const number = Math.max(0, ...old.map(({ revision }) => revision)) + 1;
  const known = same.at(-1);
  const current = known
    ? await renumberRevision(
        ctx.client,
        known,
        Math.max(number, known.revision),
      )
    : await snapshot(set, number, ctx);
  const hash = current.metadata.labels?.[HASH_LABEL] ?? "";
  return { current, old, hash };
}

async function ownRevisions(
  set: DaemonSet,
  { client, revisions }: Context,
): Promise<ControllerRevision[]> {
  const candidates = [
    ...ownedBy(revisions, set),
    ...orphansIn(revisions, set.metadata.namespace),
  ];
  const ref = ControllerRevision;
  const selector = labelSelector(set.spec.selector);
  const claimed = { client, ownerRef: DaemonSet, owner: set, ref, selector };
  return claim(claimed, candidates);
}

async function snapshot(
  set: DaemonSet,
  revision: number,
  { client }: Context,
): Promise<ControllerRevision> {
  const { template } = set.spec;
  const data = dataOf(template);
  const collisions = set.status?.collisionCount;
  const made = await createRevision(client, collisions ?? 0, (count) => {
    const hash = podTemplateHash(
      json(template),
      count === 0 ? collisions : count,
    );
    const labels = { ...template.metadata?.labels, [HASH_LABEL]: hash };
    const name = `${set.metadata.name}-${hash}`;
    return newRevision(DaemonSet, set, { name, labels, data, revision });
  });
  if (made.collisions !== (collisions ?? 0)) {
    const { namespace = "", name } = set.metadata;
    const fresh = await client.get(DaemonSet, namespace, name);
    const collisionCount = made.collisions;
    const status = { ...EMPTY, ...fresh.status, collisionCount };
    await client.updateStatus(DaemonSet, { ...fresh, status });
  }
  return made.revision;
}

const EMPTY = {
  currentNumberScheduled: 0,
  numberMisscheduled: 0,
  desiredNumberScheduled: 0,
  numberReady: 0,
};

/** Deletes revisions that no Pod has, beyond the limit. */
export async function trimHistory(
  set: DaemonSet,
  { old, hash }: History,
  podsByNode: PodsByNode,
  { client }: Context,
): Promise<void> {
  const live = new Set([hash]);
  for (const pods of podsByNode.values()) {
    for (const { metadata } of pods)
      live.add(metadata.labels?.[HASH_LABEL] ?? "");
  }
  const unused = old.filter(
    ({ metadata }) => !live.has(metadata.labels?.[HASH_LABEL] ?? ""),
  );
  const limit = set.spec.revisionHistoryLimit ?? 10;
  const excess = old.length - limit;
  await trimRevisions(client, unused, Math.max(0, unused.length - excess));
}
