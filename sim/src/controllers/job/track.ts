/**
 * Counts each Pod once, though it may be deleted at any moment and the
 * controller may stop between any two writes. Three writes, in this order:
 * the Pod's uid into `uncountedTerminatedPods`; the finalizer off the Pod;
 * the uid out of the list and into the count. Whoever is in the list and has
 * no finalizer any more was seen, and is counted by the next round.
 * Models: pkg/controller/job/job_controller.go
 *         (trackJobStatusAndRemoveFinalizers) @ v1.36
 */
import { Job } from "../../api/kinds/job.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { JobStatus } from "../../api/kinds/types/batch.ts";
import { keyOf } from "../../api/types.ts";
import { withCondition } from "../shared/conditions.ts";
import { finalOf, isDecided } from "./conditions.ts";
import type { Context, Round } from "./context.ts";
import { countIndexes, hasIndex, indexesText, indexOf } from "./indexes.ts";
import { judgeFailure } from "./pod-failure-policy.ts";
import { hasValidIndex, isFailed, isIndexed, isTracked } from "./pods.ts";
import { release } from "./release.ts";

/** Uids in the list at once; the rest comes in the next round. */
const UNCOUNTED_MAX = 500;

interface Uncounted {
  succeeded: readonly string[];
  failed: readonly string[];
}

// region: track
/** Writes counts and conditions, and lets go of the Pods that are counted. */
export async function track(
  round: Round,
  needsWrite: boolean,
  ctx: Context,
): Promise<void> {
  const tracked = new Set(
    round.pods.filter((pod) => isHeld(pod, ctx)).map(uidOf),
  );
  const cleaned = countReleased(round, tracked);
  const noted = noteEnded(round, ctx);
  const told = tellDecision(round, ctx);
  let write = needsWrite || cleaned || noted.changed || told;
  if (write) round.job = await ctx.client.updateStatus(Job, round.job);
  ctx.backoff.set(keyOf(round.job), round.backoff);
  const { released, error } = await release(noted.toRelease, ctx);
  for (const uid of released) tracked.delete(uid);
  write = countReleased(round, tracked);
  if (error !== undefined) {
    if (write) await ctx.client.updateStatus(Job, round.job);
    throw error;
  }
  const over = !noted.full && finish(round, ctx);
  if (write || over) await ctx.client.updateStatus(Job, round.job);
  if (over) tellEnd(round, ctx);
}
// endregion: track

function uidOf({ metadata }: Pod): string {
  return metadata.uid ?? "";
}

function isHeld(pod: Pod, { finalizersGone }: Context): boolean {
  return isTracked(pod) && !finalizersGone.has(uidOf(pod));
}

function uncountedOf({ status }: Job): Uncounted {
  const { succeeded = [], failed = [] } = status?.uncountedTerminatedPods ?? {};
  return { succeeded, failed };
}

function setStatus(round: Round, change: Partial<JobStatus>): void {
  const { job } = round;
  round.job = { ...job, status: { ...job.status, ...change } };
}

/** Counts those in the list whose finalizer is off. */
function countReleased(round: Round, tracked: ReadonlySet<string>): boolean {
  const { succeeded, failed } = uncountedOf(round.job);
  const isLeft = (uid: string) => tracked.has(uid);
  const left = {
    succeeded: succeeded.filter(isLeft),
    failed: failed.filter(isLeft),
  };
  const { status } = round.job;
  const done = succeeded.length - left.succeeded.length;
  const lost = failed.length - left.failed.length;
  if (done + lost === 0) return false;
  setStatus(round, {
    uncountedTerminatedPods: left,
    succeeded: (status?.succeeded ?? 0) + done,
    failed: (status?.failed ?? 0) + lost,
  });
  return true;
}

/** Puts ended Pods into the list, and says whose finalizer may go. */
function noteEnded(
  round: Round,
  ctx: Context,
): { changed: boolean; toRelease: Pod[]; full: boolean } {
  const { job } = round;
  const indexed = isIndexed(job);
  const { succeeded, failed } = uncountedOf(job);
  const list = { succeeded: [...succeeded], failed: [...failed] };
  let newIndexes = 0;
  const toRelease: Pod[] = [];
  let changed = job.status?.uncountedTerminatedPods === undefined;
  let full = false;
  for (const pod of inIndexOrder(round)) {
    if (!isHeld(pod, ctx) || !mayRelease(round, pod)) continue;
    toRelease.push(pod);
    const uid = uidOf(pod);
    if (pod.status?.phase === "Succeeded" && !list.failed.includes(uid)) {
      if (indexed) {
        const isNew = !hasIndex(round.indexesBefore, indexOf(pod));
        if (hasValidIndex(pod, job) && isNew) newIndexes++;
      } else if (!list.succeeded.includes(uid)) list.succeeded.push(uid);
    } else if (countsAsFailed(round, pod) && !list.failed.includes(uid)) {
      list.failed.push(uid);
    }
    const waiting = newIndexes + list.succeeded.length + list.failed.length;
    if (waiting >= UNCOUNTED_MAX) {
      full = true;
      break;
    }
  }
  changed ||=
    newIndexes > 0 ||
    list.succeeded.length > succeeded.length ||
    list.failed.length > failed.length;
  setStatus(round, { uncountedTerminatedPods: list });
  if (indexed) changed = noteIndexes(round) || changed;
  return { changed, toRelease, full };
}

function inIndexOrder({ job, pods }: Round): readonly Pod[] {
  if (!isIndexed(job)) return pods;
  return pods.toSorted((a, b) => indexOf(a) - indexOf(b));
}

/** A failed Pod stays while its index waits for a new one. */
function mayRelease({ job, finished, replaced }: Round, pod: Pod): boolean {
  if (job.metadata.deletionTimestamp || finished) return true;
  if (pod.status?.phase === "Succeeded") return true;
  if (!isFailed(pod, job)) return false;
  return replaced.get(indexOf(pod))?.metadata.uid !== pod.metadata.uid;
}

/** Once the Job has failed, whatever has not ended has failed as well. */
function countsAsFailed({ job, finished }: Round, pod: Pod): boolean {
  const lost = finished && finished.type !== "SuccessCriteriaMet";
  if (!isFailed(pod, job) && !lost) return false;
  if (!hasValidIndex(pod, job)) return false;
  return judgeFailure(job.spec.podFailurePolicy, pod).counts;
}

function noteIndexes(round: Round): boolean {
  const { status } = round.job;
  const { indexes, failedIndexes: given } = round;
  const completedIndexes = indexesText(indexes);
  const failedIndexes = given ? indexesText(given) : status?.failedIndexes;
  const succeeded = countIndexes(indexes);
  setStatus(round, { succeeded, completedIndexes, failedIndexes });
  return (
    completedIndexes !== (status?.completedIndexes ?? "") ||
    failedIndexes !== status?.failedIndexes
  );
}

/** Says that the end is decided, before any finalizer goes. */
function tellDecision(round: Round, { kernel }: Context): boolean {
  const { finished, job } = round;
  if (!finished || !isDecided(finished)) return false;
  const conditions = job.status?.conditions ?? [];
  const known = conditions.some(({ type }) => type === finished.type);
  if (!known) setStatus(round, { conditions: [...conditions, finished] });
  round.finished = finalOf(finished, kernel);
  return !known;
}

/** The end itself, once all is counted and nothing is stopping any more. */
function finish(round: Round, { kernel }: Context): boolean {
  const { finished, job, terminatingCount } = round;
  const { succeeded, failed } = uncountedOf(job);
  if (!finished || succeeded.length + failed.length > 0) return false;
  if (terminatingCount > 0) return false;
  const conditions = withCondition(job.status?.conditions, finished);
  const completionTime = kernel.timestamp();
  const done = finished.type === "Complete" ? { completionTime } : {};
  setStatus(round, { conditions, ...done });
  return true;
}

function tellEnd({ job, finished }: Round, { events }: Context): void {
  if (finished?.type !== "Complete") {
    const { reason = "", message = "" } = finished ?? {};
    events.event(job, "Warning", reason, message);
    return;
  }
  const { completions = Number.MAX_VALUE } = job.spec;
  if ((job.status?.succeeded ?? 0) > completions) {
    const message =
      "Too many succeeded pods running after completion count reached";
    events.event(job, "Warning", "TooManySucceededPods", message);
  }
  events.event(job, "Normal", "Completed", "Job completed");
}
