/**
 * A Pod that was announced as a disruption's target and is still there two
 * minutes later was spared: the condition is taken back.
 * Models: pkg/controller/disruption/disruption.go (stale pod disruption)
 *         @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import type { ObjectKey } from "../../api/types.ts";
import type { ComponentContext } from "../../client/component.ts";
import type { Informer } from "../../client/informer.ts";
import type { Kernel } from "../../kernel/index.ts";
import { patchPodCondition } from "../shared/pod-condition.ts";
import { isTerminated, podCondition } from "../shared/pods.ts";

const SPARED_MS = 2 * 60 * 1000;
const TARGET = "DisruptionTarget";
/** What a kubelet announces may take any time. */
const BY_KUBELET = "TerminationByKubelet";

/** Ms until the condition is stale; undefined if the Pod has none. */
export function staleAfterMs(
  pod: Pod,
  kernel: Pick<Kernel, "now" | "msOf">,
): number | undefined {
  if (pod.metadata.deletionTimestamp || isTerminated(pod)) return undefined;
  const target = podCondition(pod, TARGET);
  if (target?.status !== "True" || !target.lastTransitionTime) return undefined;
  if (target.reason === BY_KUBELET) return undefined;
  const atMs = kernel.msOf(target.lastTransitionTime) + SPARED_MS;
  return Math.max(0, atMs - kernel.now());
}

export async function clearStaleCondition(
  key: ObjectKey,
  ctx: ComponentContext & { readonly pods: Informer<Pod> },
): Promise<void> {
  const { client, kernel, pods } = ctx;
  const pod = pods.get(key);
  if (!pod || staleAfterMs(pod, kernel) !== 0) return;
  const lastTransitionTime = kernel.timestamp();
  const condition = { type: TARGET, status: "False", lastTransitionTime };
  await patchPodCondition(client, pod, condition);
}
