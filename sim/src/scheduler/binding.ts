/**
 * What follows a cycle: the binding of an assumed Pod, in a process of its
 * own, or the return of a Pod that could not be placed.
 * Models:     bindingCycle, handleSchedulingFailure in pkg/scheduler/
 *             schedule_one.go @ v1.36
 * Leaves out: a nomination written before volumes are bound (a hint for
 *             autoscalers).
 */
import type { NodeInfo } from "./cache/node-info.ts";
import { PodInfo } from "./cache/pod-info.ts";
import { Action, clusterEvent } from "./cluster-events.ts";
import type { Cycle } from "./cycle.ts";
import type { Handle } from "./handle.ts";
import { patchPodStatus } from "./pod-status.ts";
import type { SchedulingQueue } from "./queue/queue.ts";
import type { QueuedPod } from "./queue/queued-pod.ts";
import type { Runtime } from "./runtime.ts";
import type { Failure, Schedule } from "./schedule-one.ts";
import type { Status } from "./status.ts";

/** Longest message of an Event. */
const MESSAGE_MAX = 1024;

const POD_GONE = clusterEvent("AssignedPod", Action.Delete);

export interface BindingParts {
  readonly handle: Handle;
  readonly queue: SchedulingQueue;
  readonly runtime: Runtime;
  readonly schedule: Schedule;
}

/** Binds the Pod; the scheduler goes on meanwhile. */
export function bindLater(
  parts: BindingParts,
  queued: QueuedPod,
  cycle: Cycle,
  node: NodeInfo,
  waitMs: number,
): void {
  const { kernel, actor } = parts.handle;
  kernel.spawn(actor, async () => {
    if (waitMs > 0) await kernel.sleep(waitMs);
    const failed = await bind(parts, cycle, node);
    if (failed) bindingFailed(parts, queued, cycle, node, failed);
  });
}

// region: bind
async function bind(
  { handle, queue, runtime }: BindingParts,
  cycle: Cycle,
  node: NodeInfo,
): Promise<Status | null> {
  const { kernel, actor } = handle;
  const prepared = await runtime.binding.preBind(cycle, node);
  if (prepared) return prepared;
  const told = kernel.trace.wants("bind");
  const subject = told ? `Pod ${cycle.pod.key} to ${node.name}` : "";
  kernel.record(actor, "bind", subject);
  const failed = await runtime.binding.bind(cycle, node);
  if (failed) return failed;
  queue.bound(cycle.pod.key);
  handle.events.event(
    cycle.pod.pod,
    "Normal",
    "Scheduled",
    `Successfully assigned ${cycle.pod.key} to ${node.name}`,
    "Binding",
  );
  runtime.binding.postBind(cycle, node);
  return null;
}
// endregion: bind

/** Gives the room back and tries the Pod again after a backoff. */
function bindingFailed(
  parts: BindingParts,
  queued: QueuedPod,
  cycle: Cycle,
  node: NodeInfo,
  failed: Status,
): void {
  const { schedule, queue } = parts;
  schedule.undo(cycle, node);
  queue.move(POD_GONE, cycle.pod.pod);
  const message = failed.reasons.join(", ");
  const reason = "SchedulerError";
  fail(parts, queued, cycle, { reason, message, nominatedNode: "" });
}

// region: fail
/** Puts the Pod back, says why on an Event and in its status. */
export function fail(
  { handle, queue }: BindingParts,
  queued: QueuedPod,
  { diagnosis, pod }: Cycle,
  { reason, message, nominatedNode }: Failure,
): void {
  const { kernel, actor, listers, nominator, events } = handle;
  queued.unschedulablePlugins = diagnosis.unschedulablePlugins;
  queued.pendingPlugins = diagnosis.pendingPlugins;
  const newest = listers.pod(pod.key);
  if (!newest || newest.spec.nodeName) return queue.done(queued);
  if (newest !== pod.pod) queued.info = new PodInfo(newest);
  queue.giveBack(queued);
  if (nominatedNode !== undefined) nominator.set(queued.info, nominatedNode);
  events.event(
    pod.pod,
    "Warning",
    "FailedScheduling",
    cut(message),
    "Scheduling",
  );
  kernel.spawn(actor, async () => {
    try {
      const condition = {
        type: "PodScheduled",
        status: "False" as const,
        reason,
        message,
      };
      await patchPodStatus(handle, newest, condition, nominatedNode);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      kernel.record(actor, "error", `status of ${pod.key}`, "", {
        message: text,
      });
    }
  });
}
// endregion: fail

function cut(message: string): string {
  if (message.length <= MESSAGE_MAX) return message;
  return `${message.slice(0, MESSAGE_MAX - 4)} ...`;
}
