/**
 * TTL controller: deletes a Job some time after it has finished, together
 * with its Pods.
 * Models: pkg/controller/ttlafterfinished/ttlafterfinished_controller.go
 *         @ v1.36
 */
import { Job } from "../api/kinds/job.ts";
import { isNotFound } from "../api/status.ts";
import { keyOf, type ObjectKey, splitKey } from "../api/types.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startController } from "../client/controller.ts";
import type { Kernel } from "../kernel/index.ts";

export function startTtlAfterFinishedController(
  context: ComponentContext,
): Component {
  const { client, informers, kernel } = context;
  const jobs = informers.informer(Job);

  // region: reconcile
  const reconcile = async (key: ObjectKey) => {
    const known = jobs.get(key);
    const leftMs = known && remainingMs(known, kernel);
    if (leftMs === undefined) return;
    if (leftMs > 0) return controller.queue.addAfter(key, leftMs);
    try {
      // As of now: the copy may be old, and someone may have changed the TTL.
      const { namespace, name } = splitKey(key);
      const job = await client.get(Job, namespace, name);
      if ((remainingMs(job, kernel) ?? 1) > 0) return;
      const { uid, resourceVersion } = job.metadata;
      await client.delete(Job, namespace, name, {
        propagationPolicy: "Foreground",
        preconditions: { uid, resourceVersion },
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  };
  // endregion: reconcile

  const controller = startController(context, { workers: 5, reconcile });
  const look = (job: Job) => {
    const leftMs = remainingMs(job, kernel);
    if (leftMs !== undefined) controller.queue.addAfter(keyOf(job), leftMs);
  };
  controller.on(jobs, { added: look, updated: look });
  return controller;
}

/** Ms until the Job is to go; undefined if it is not to. */
function remainingMs(
  { metadata, spec, status }: Job,
  kernel: Pick<Kernel, "now" | "msOf">,
): number | undefined {
  const { ttlSecondsAfterFinished } = spec;
  if (ttlSecondsAfterFinished === undefined) return undefined;
  if (metadata.deletionTimestamp) return undefined;
  const end = status?.conditions?.find(
    ({ type, status: is }) =>
      (type === "Complete" || type === "Failed") && is === "True",
  );
  if (!end?.lastTransitionTime) return undefined;
  const endMs = kernel.msOf(end.lastTransitionTime);
  return Math.max(0, endMs + ttlSecondsAfterFinished * 1000 - kernel.now());
}
