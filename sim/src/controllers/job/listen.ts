/**
 * What wakes the Job controller; changes of Pods wait up to a second, so that
 * one reconcile takes many.
 * Models: pkg/controller/job/job_controller.go (event handlers) @ v1.36
 */
import { Job } from "../../api/kinds/job.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import { selectorFor } from "../../api/selector.ts";
import { isNotFound } from "../../api/status.ts";
import { controllerOf, keyOf } from "../../api/types.ts";
import type { Component } from "../../client/component.ts";
import { type Controller, startController } from "../../client/controller.ts";
import { controllerIn } from "../shared/owners.ts";
import { indexByController, ownedBy } from "../shared/pods.ts";
import { untilDeadlineMs } from "./conditions.ts";
import { BATCH_MS, CONTROLLER, type Context } from "./context.ts";
import { isFinished, isTracked } from "./pods.ts";
import { letGo } from "./release.ts";

/** Returns the controller that frees Pods whose Job is gone. */
export function listen(controller: Controller, ctx: Context): Component {
  const { jobs, pods, expectations, finalizersGone } = ctx;
  const { queue } = controller;
  indexByController(pods);
  const orphans = startController(ctx, {
    workers: 1,
    reconcile: (key) => freeOrphan(key, ctx),
  });
  const batched = (job: Job) => queue.addAfter(keyOf(job), BATCH_MS);
  controller.on(jobs, {
    added: (job) => queue.add(keyOf(job)),
    updated(job, old) {
      if (job.metadata.generation === old.metadata.generation) batched(job);
      else queue.add(keyOf(job));
      if (isFinished(job)) freeLeftOvers(job);
      const before = old.spec.activeDeadlineSeconds;
      if (job.spec.activeDeadlineSeconds === before) return;
      const leftMs = untilDeadlineMs(job, ctx);
      if (leftMs !== undefined) queue.addAfter(keyOf(job), leftMs);
    },
    deleted(job) {
      queue.add(keyOf(job));
      freeLeftOvers(job);
    },
  });
  const freeLeftOvers = (job: Job) => {
    for (const pod of ownedBy(pods, job)) {
      if (isTracked(pod)) orphans.queue.add(keyOf(pod));
    }
  };
  const deleted = (pod: Pod, isGone: boolean) => {
    if (!controllerOf(pod)) {
      if (isTracked(pod)) orphans.queue.add(keyOf(pod));
      return;
    }
    if (controllerOf(pod)?.kind !== Job.kind) return;
    const job = controllerIn(jobs, pod);
    if (!job || isFinished(job)) {
      // The reconcile of the Job will not take this finalizer off.
      if (isTracked(pod)) orphans.queue.add(keyOf(pod));
      return;
    }
    expectations.deletionSeen(keyOf(job), keyOf(pod));
    if (isGone || !isTracked(pod)) finalizersGone.delete(uidOf(pod));
    batched(job);
  };
  const wouldAdopt = (pod: Pod) => {
    if (jobs.size === 0) return;
    for (const job of jobs.list(pod.metadata.namespace)) {
      const selector = selectorFor(job.spec.selector);
      if (selector.matches(pod.metadata.labels)) batched(job);
    }
  };
  controller.on(pods, {
    added(pod) {
      if (pod.metadata.deletionTimestamp) return deleted(pod, false);
      const job = controllerIn(jobs, pod);
      if (job) {
        expectations.creationSeen(keyOf(job));
        batched(job);
      } else if (!controllerOf(pod)) {
        if (isTracked(pod)) orphans.queue.add(keyOf(pod));
        wouldAdopt(pod);
      }
    },
    updated(pod, old) {
      if (pod.metadata.deletionTimestamp) return deleted(pod, false);
      const moved = controllerOf(pod)?.uid !== controllerOf(old)?.uid;
      const before = moved ? controllerIn(jobs, old) : undefined;
      if (before) batched(before);
      const job = controllerIn(jobs, pod);
      if (job) {
        if (!isTracked(pod)) finalizersGone.delete(uidOf(pod));
        batched(job);
      } else if (!controllerOf(pod)) {
        if (isTracked(pod)) orphans.queue.add(keyOf(pod));
        const relabelled = pod.metadata.labels !== old.metadata.labels;
        if (moved || relabelled) wouldAdopt(pod);
      }
    },
    deleted: (pod) => deleted(pod, true),
  });
  return orphans;
}

function uidOf({ metadata }: Pod): string {
  return metadata.uid ?? "";
}

/** Takes the finalizer off a Pod that no unfinished Job will count. */
async function freeOrphan(key: string, ctx: Context): Promise<void> {
  const pod = ctx.pods.get(key);
  if (!pod || !isTracked(pod)) return;
  const owner = controllerOf(pod);
  if (owner && owner.kind !== Job.kind) return; // Another controller's.
  const job = controllerIn(ctx.jobs, pod);
  if (job && (job.spec.managedBy ?? CONTROLLER) !== CONTROLLER) return;
  if (job && !isFinished(job)) return;
  try {
    await letGo(pod, ctx);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
