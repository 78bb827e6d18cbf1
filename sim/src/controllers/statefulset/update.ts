/**
 * One step of a StatefulSet. In order (the default): a Pod is created or
 * deleted only while all before it are running and ready. In parallel: all at
 * once. A new template goes from the highest ordinal down.
 * Models: pkg/controller/statefulset/stateful_set_control.go
 *         (updateStatefulSet) @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import type { StatefulSet } from "../../api/kinds/statefulset.ts";
import { slowStart } from "../shared/slow-start.ts";
import type { Context, Revisions } from "./context.ts";
import {
  identityMatches,
  ordinalOf,
  podFor,
  revisionOf,
  startOrdinal,
  templateOf,
} from "./identity.ts";
import {
  createClaims,
  createPod,
  deletePod,
  repairPod,
} from "./pod-control.ts";
import { claimIsStale, claimsMatch, settleClaims } from "./retention.ts";
import { isAvailable, isRunningAndReady, isTerminating } from "./status.ts";

interface Step {
  readonly set: StatefulSet;
  /** One a wanted ordinal: the Pod there is, or the one to be made. */
  readonly replicas: readonly Pod[];
  /** Beyond the wanted ordinals, highest first. */
  readonly condemned: readonly Pod[];
  readonly inOrder: boolean;
  readonly revisions: Revisions;
}

// region: update
/** How many Pods of the old template it deleted. */
export async function updatePods(
  set: StatefulSet,
  pods: readonly Pod[],
  revisions: Revisions,
  ctx: Context,
): Promise<number> {
  if (set.metadata.deletionTimestamp) return 0;
  const step = stepOf(set, pods, revisions);
  const blocked = await forAll(step, step.replicas, (pod) =>
    keepReplica(step, pod, ctx),
  );
  if (blocked) return 0;
  await forAll(step, step.condemned, async (pod) => {
    if (!claimsMatch(set, pod, ctx)) await settleClaims(set, pod, ctx);
    return false;
  });
  const shrinking = await forAll(step, step.condemned, (pod) =>
    removeCondemned(step, pod, ctx),
  );
  if (shrinking || set.spec.updateStrategy?.type === "OnDelete") return 0;
  return (await replaceOld(step, ctx)) ? 1 : 0;
}
// endregion: update

function stepOf(
  set: StatefulSet,
  pods: readonly Pod[],
  revisions: Revisions,
): Step {
  const start = startOrdinal(set);
  const count = set.spec.replicas ?? 1;
  const ordinal = (pod: Pod) => ordinalOf(set, pod.metadata.name);
  const byOrdinal = new Map(pods.map((pod) => [ordinal(pod), pod]));
  const replicas = Array.from({ length: count }, (_, i) => {
    return byOrdinal.get(start + i) ?? newPod(set, start + i, revisions);
  });
  const condemned = pods
    .filter((pod) => {
      const at = ordinal(pod);
      return at >= 0 && (at < start || at >= start + count);
    })
    .toSorted((a, b) => ordinal(b) - ordinal(a));
  const inOrder = set.spec.podManagementPolicy !== "Parallel";
  return { set, replicas, condemned, inOrder, revisions };
}

/** Below the partition the old template still holds. */
function newPod(
  set: StatefulSet,
  ordinal: number,
  { current, update }: Revisions,
): Pod {
  const { updateStrategy } = set.spec;
  const rolling = updateStrategy?.rollingUpdate;
  const below = rolling
    ? (rolling.partition ?? 0)
    : (set.status?.currentReplicas ?? 0);
  const isOld =
    updateStrategy?.type === "RollingUpdate" &&
    ordinal < startOrdinal(set) + below;
  const revision = isOld ? current : update;
  const template = templateOf(set, revision);
  return podFor(set, ordinal, template, revision.metadata.name);
}

/** True once `act` says to wait; in parallel, nobody waits. */
async function forAll(
  { inOrder }: Step,
  pods: readonly Pod[],
  act: (pod: Pod) => Promise<boolean>,
): Promise<boolean> {
  if (inOrder) {
    for (const pod of pods) if (await act(pod)) return true;
    return false;
  }
  const { error } = await slowStart(pods.length, (i) => act(pods[i]!));
  if (error !== undefined) throw error;
  return false;
}

// region: keep-replica
/** True if the ordinals after this one have to wait. */
async function keepReplica(
  { set, inOrder }: Step,
  pod: Pod,
  ctx: Context,
): Promise<boolean> {
  const { phase = "" } = pod.status ?? {};
  if (phase === "Failed" || phase === "Succeeded") {
    // The new one is made once this one is gone.
    if (!isTerminating(pod)) await deletePod(set, pod, ctx);
    return true;
  }
  if (phase === "") {
    if (claimIsStale(set, pod, ctx)) return true;
    await createPod(set, pod, ctx);
    return inOrder;
  }
  if (phase === "Pending") await createClaims(set, pod, ctx);
  if (inOrder && (isTerminating(pod) || !isAvailable(set, pod, ctx))) {
    return true;
  }
  const right = identityMatches(set, pod) && claimsMatch(set, pod, ctx);
  if (!right) await repairPod(set, pod, ctx);
  return false;
}
// endregion: keep-replica

/** True if the ones below have to wait. */
async function removeCondemned(
  { set, condemned, replicas, inOrder }: Step,
  pod: Pod,
  ctx: Context,
): Promise<boolean> {
  if (isTerminating(pod)) return inOrder;
  const isHealthy = (one: Pod) => isRunningAndReady(one) && !isTerminating(one);
  const firstBroken = [...replicas, ...condemned.toReversed()].find(
    (one) => !isHealthy(one),
  );
  const ready = isRunningAndReady(pod) && isAvailable(set, pod, ctx);
  if (inOrder && !ready && pod !== firstBroken) return true;
  await deletePod(set, pod, ctx);
  return true;
}

// region: replace-old
/** Deletes the highest Pod of the old template, if all above it serve. */
async function replaceOld(
  { set, replicas, revisions }: Step,
  ctx: Context,
): Promise<boolean> {
  const { partition = 0 } = set.spec.updateStrategy?.rollingUpdate ?? {};
  for (let i = replicas.length - 1; i >= partition; i--) {
    const pod = replicas[i]!;
    const isOld = revisionOf(pod) !== revisions.update.metadata.name;
    if (isOld && !isTerminating(pod)) {
      await deletePod(set, pod, ctx);
      return true;
    }
    if (isTerminating(pod) || !isAvailable(set, pod, ctx)) break;
  }
  return false;
}
// endregion: replace-old
