/**
 * Evicts the victims of a preemption, in a process of its own, so that the
 * scheduler goes on: a condition that says why, then the deletion.
 * Models: pkg/scheduler/framework/preemption/executor.go @ v1.36
 */
import { Pod } from "../../api/kinds/pod.ts";
import { isNotFound } from "../../api/status.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import type { PodInfo } from "../cache/pod-info.ts";
import type { Cycle } from "../cycle.ts";
import type { Handle } from "../handle.ts";
import { patchPodStatus } from "../pod-status.ts";
import type { Candidate } from "../preemption.ts";

// region: evict
/** Deletes the victims in a process of its own, the last one at the end. */
export function evict(
  { node, victims }: Candidate,
  { pod }: Cycle,
  handle: Handle,
  running: Map<string, string>,
): void {
  const { kernel, actor, nominator } = handle;
  const left = victims.filter(({ terminating }) => !terminating);
  const names = victims.map(({ key }) => key);
  const detail = { node: node.name, victims: names };
  kernel.record(actor, "preempt", `Pod ${pod.key} on ${node.name}`, "", detail);
  if (left.length === 0) return;
  running.set(pod.uid, "");
  kernel.spawn(actor, async () => {
    try {
      for (const lower of nominator.on(node.name)) {
        if (lower.priority >= pod.priority) continue;
        await patchPodStatus(handle, lower.pod, undefined, "");
      }
      for (const [i, victim] of left.entries()) {
        if (i === left.length - 1) running.set(pod.uid, victim.key);
        await deleteVictim(victim, pod, node, handle);
      }
      running.delete(pod.uid);
    } catch (error) {
      running.delete(pod.uid);
      const message = error instanceof Error ? error.message : String(error);
      kernel.record(actor, "error", `preempt for ${pod.key}`, "", { message });
      handle.activate(pod.pod);
    }
  });
}
// endregion: evict

async function deleteVictim(
  victim: PodInfo,
  preemptor: PodInfo,
  node: NodeInfo,
  handle: Handle,
): Promise<void> {
  const newest = handle.listers.pod(victim.key) ?? victim.pod;
  const { name: podName, namespace = "", uid } = newest.metadata;
  try {
    await patchPodStatus(handle, newest, {
      type: "DisruptionTarget",
      status: "True",
      reason: "PreemptionByScheduler",
      message: `${preemptor.pod.spec.schedulerName}: preempting to accommodate a higher priority pod`,
    });
    await handle.client.delete(Pod, namespace, podName, {
      preconditions: { uid },
    });
  } catch (error) {
    if (isNotFound(error)) return;
    throw error;
  }
  handle.events.event(
    newest,
    "Normal",
    "Preempted",
    `Preempted by pod ${preemptor.uid} on node ${node.name}`,
    "Preempting",
  );
}
