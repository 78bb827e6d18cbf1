/**
 * Job controller: runs Pods until so many have succeeded, or the Job has
 * failed. Changes of Pods are worked on once a second, in batches.
 * Models: pkg/controller/job/job_controller.go @ v1.36
 */
import { Job } from "../../api/kinds/job.ts";
import { Pod } from "../../api/kinds/pod.ts";
import type { ObjectKey } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { startController } from "../../client/controller.ts";
import { Expectations } from "../../client/expectations.ts";
import { findCondition, withCondition } from "../shared/conditions.ts";
import { completed, condition, decideEnd } from "./conditions.ts";
import { CONTROLLER, type Context, type Round } from "./context.ts";
import { listen } from "./listen.ts";
import { deletePods, managePods } from "./manage.ts";
import { isFinished, isSuspended } from "./pods.ts";
import { beginRound } from "./round.ts";
import { track } from "./track.ts";

export function startJobController(context: ComponentContext): Component {
  const controller = startController(context, {
    workers: 5,
    backoff: { firstMs: 1_000, maxMs: 60_000 },
    reconcile: (key) => reconcile(key, ctx),
  });
  const ctx: Context = {
    ...context,
    jobs: context.informers.informer(Job),
    pods: context.informers.informer(Pod),
    expectations: new Expectations(context.kernel),
    queue: controller.queue,
    backoff: new Map(),
    finalizersGone: new Set(),
  };
  const orphans = listen(controller, ctx);
  return {
    stop() {
      controller.stop();
      orphans.stop();
    },
  };
}

// region: reconcile
export async function reconcile(key: ObjectKey, ctx: Context): Promise<void> {
  const job = ctx.jobs.get(key);
  if (!job) ctx.expectations.forget(key);
  if (!job || isFinished(job)) {
    ctx.backoff.delete(key);
    return;
  }
  if ((job.spec.managedBy ?? CONTROLLER) !== CONTROLLER) return;
  const current = ctx.expectations.satisfied(key);
  const round = await beginRound(job, ctx);
  round.finished = decideEnd(round, ctx);
  let failure: unknown;
  let resumed = false;
  try {
    if (round.finished) await stopPods(round, current, ctx);
    else resumed = await goOn(round, current, ctx);
  } catch (error) {
    failure = error;
  }
  await track(round, setCounts(round) || resumed, ctx);
  if (failure !== undefined) throw failure;
}
// endregion: reconcile

/** The end is decided: whatever still runs is deleted first. */
async function stopPods(
  round: Round,
  current: boolean,
  ctx: Context,
): Promise<void> {
  const { finished, active } = round;
  // Not over yet if some could not be deleted, or are not seen yet.
  round.finished = undefined;
  if (active.length > 0) await deletePods(round, active, ctx);
  if (current && round.activeCount === 0) round.finished = finished;
}

/** True if the Job was suspended or resumed just now. */
async function goOn(
  round: Round,
  current: boolean,
  ctx: Context,
): Promise<boolean> {
  const { job, succeeded } = round;
  const manages = current && !job.metadata.deletionTimestamp;
  let failure: unknown;
  if (manages) {
    try {
      await managePods(round, ctx);
    } catch (error) {
      failure = error;
    }
  }
  const { completions } = job.spec;
  const enough =
    completions === undefined ? succeeded > 0 : succeeded >= completions;
  if (enough && round.activeCount === 0) {
    round.finished = completed(ctx.kernel);
  }
  const noted = !round.finished && manages && noteSuspension(round, ctx);
  if (failure !== undefined) throw failure;
  return noted;
}

/** The Suspended condition; the clock stops, and starts anew. */
function noteSuspension(round: Round, { events, kernel }: Context): boolean {
  const { job } = round;
  const suspended = isSuspended(job);
  const conditions = job.status?.conditions;
  const had = findCondition(conditions, "Suspended");
  const status = suspended ? "True" : "False";
  if (had ? had.status === status : !suspended) return false;
  const [reason, verb] = suspended
    ? ["JobSuspended", "suspended"]
    : ["JobResumed", "resumed"];
  const message = `Job ${verb}`;
  const next = condition("Suspended", reason, message, kernel, status);
  const startTime = suspended ? undefined : kernel.timestamp();
  round.job = {
    ...job,
    status: {
      ...job.status,
      startTime,
      conditions: withCondition(conditions, next),
    },
  };
  events.event(job, "Normal", suspended ? "Suspended" : "Resumed", message);
  return true;
}

/** True if the numbers of running Pods changed. */
function setCounts(round: Round): boolean {
  const { job } = round;
  const active = round.activeCount;
  const ready = round.readyCount;
  const terminating = round.terminatingCount;
  const { status } = job;
  round.job = { ...job, status: { ...status, active, ready, terminating } };
  return (
    (status?.active ?? 0) !== active ||
    status?.ready !== ready ||
    status?.terminating !== terminating
  );
}
