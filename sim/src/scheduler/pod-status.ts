/**
 * Writes a condition or a nomination into a Pod's status, if it changes it.
 * Models: updatePod in pkg/scheduler/schedule_one.go, PatchPodStatus in
 *         pkg/scheduler/util, UpdatePodCondition in pkg/api/v1/pod @ v1.36
 */
import { Pod, type PodCondition } from "../api/kinds/pod.ts";
import type { Client } from "../client/client.ts";
import type { Kernel } from "../kernel/index.ts";

interface Tools {
  readonly kernel: Kernel;
  readonly client: Client;
}

/** A condition but for its times. */
export interface ConditionChange {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/** `nominatedNode`: "" takes it away, absent leaves it. */
export async function patchPodStatus(
  { kernel, client }: Tools,
  pod: Pod,
  condition?: ConditionChange,
  nominatedNode?: string,
): Promise<void> {
  const { name, namespace = "", uid } = pod.metadata;
  const changed = condition && changedCondition(kernel, pod, condition);
  const nominates =
    nominatedNode !== undefined &&
    nominatedNode !== (pod.status?.nominatedNodeName ?? "");
  if (!changed && !nominates) return;
  const status = {
    ...(changed ? { conditions: [changed] } : {}),
    ...(nominates ? { nominatedNodeName: nominatedNode || null } : {}),
  };
  await client.patch(
    Pod,
    namespace,
    name,
    "application/strategic-merge-patch+json",
    { metadata: { uid }, status },
    { subresource: "status" },
  );
}

/** undefined if the Pod has the condition already, word for word. */
function changedCondition(
  kernel: Kernel,
  { status, metadata }: Pod,
  change: ConditionChange,
): PodCondition | undefined {
  const old = status?.conditions?.find(({ type }) => type === change.type);
  const observedGeneration = metadata.generation;
  const same =
    old?.status === change.status &&
    old.reason === change.reason &&
    old.message === change.message &&
    old.observedGeneration === observedGeneration;
  if (same) return undefined;
  const since = old?.status === change.status && old.lastTransitionTime;
  return {
    ...change,
    observedGeneration,
    lastTransitionTime: since || kernel.timestamp(),
  };
}
