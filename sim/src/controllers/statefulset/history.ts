/**
 * Which template is current and which is new.
 * Models: pkg/controller/statefulset/stateful_set_control.go
 *         (getStatefulSetRevisions, truncateHistory) @ v1.36
 */
import { ControllerRevision } from "../../api/kinds/controllerrevision.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import { StatefulSet } from "../../api/kinds/statefulset.ts";
import { labelSelector } from "../../api/selector.ts";
import { revisionHash } from "../../api/template-hash.ts";
import { claim } from "../shared/owners.ts";
import { orphansIn, ownedBy } from "../shared/pods.ts";
import {
  createRevision,
  dataOf,
  hasData,
  inOrder,
  newRevision,
  renumberRevision,
  sortedJson,
  trimRevisions,
} from "../shared/revisions.ts";
import type { Context, Revisions } from "./context.ts";
import { revisionOf } from "./identity.ts";

const HASH_LABEL = "controller.kubernetes.io/hash";

export async function ownRevisions(
  set: StatefulSet,
  { client, revisions }: Context,
): Promise<ControllerRevision[]> {
  const { namespace } = set.metadata;
  const candidates = [
    ...ownedBy(revisions, set),
    ...orphansIn(revisions, namespace),
  ];
  const ref = ControllerRevision;
  const selector = labelSelector(set.spec.selector);
  const claimed = { client, ownerRef: StatefulSet, owner: set, ref, selector };
  return inOrder(await claim(claimed, candidates));
}

export async function findRevisions(
  set: StatefulSet,
  known: readonly ControllerRevision[],
  { client }: Context,
): Promise<Revisions> {
  const collisionCount = set.status?.collisionCount ?? 0;
  const number = (known.at(-1)?.revision ?? 0) + 1;
  const data = dataOf(set.spec.template);
  const same = known.filter((revision) => hasData(revision, data)).at(-1);
  const current = known.find(
    ({ metadata }) => metadata.name === set.status?.currentRevision,
  );
  if (same) {
    const update =
      same === known.at(-1)
        ? same
        : await renumberRevision(client, same, number);
    return { current: current ?? update, update, collisionCount };
  }
  const make = (collisions: number) => {
    const hash = revisionHash(sortedJson(data), collisions);
    const labels = {
      ...set.spec.template.metadata?.labels,
      [HASH_LABEL]: hash,
    };
    const name = `${set.metadata.name}-${hash}`;
    const revision = number;
    return newRevision(StatefulSet, set, { name, labels, data, revision });
  };
  const made = await createRevision(client, collisionCount, make);
  const { revision: update, collisions } = made;
  return { current: current ?? update, update, collisionCount: collisions };
}

/** Deletes revisions that no Pod has, beyond the limit. */
export async function trimHistory(
  set: StatefulSet,
  known: readonly ControllerRevision[],
  pods: readonly Pod[],
  { current, update }: Revisions,
  { client }: Context,
): Promise<void> {
  const live = new Set([
    ...[current.metadata.name, update.metadata.name],
    ...pods.map(revisionOf),
  ]);
  const unused = known.filter(({ metadata }) => !live.has(metadata.name));
  const limit = set.spec.revisionHistoryLimit ?? 10;
  await trimRevisions(client, unused, limit);
}
