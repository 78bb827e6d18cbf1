/**
 * Writes a condition of a Pod's status, other than the kubelet's.
 * Models: pkg/util/pod/pod.go @ v1.36
 */
import { Pod } from "../../api/kinds/pod.ts";
import type { PodCondition, PodStatus } from "../../api/kinds/types/pod.ts";
import type { Client } from "../../client/client.ts";
import { podCondition } from "./pods.ts";

const STRATEGIC = "application/strategic-merge-patch+json";

/** Sets `condition`, and `more` of the status; nothing if it is so already. */
export async function patchPodCondition(
  client: Client,
  pod: Pod,
  condition: PodCondition | undefined,
  more: PodStatus = {},
): Promise<void> {
  const { namespace = "", name, uid, generation } = pod.metadata;
  const old = condition && podCondition(pod, condition.type);
  const same =
    old?.status === condition?.status &&
    old?.reason === condition?.reason &&
    old?.message === condition?.message;
  if (same && Object.keys(more).length === 0) return;
  const conditions =
    condition && !same
      ? [{ ...condition, observedGeneration: generation }]
      : undefined;
  const body = { metadata: { uid }, status: { ...more, conditions } };
  const subresource = "status";
  await client.patch(Pod, namespace, name, STRATEGIC, body, { subresource });
}
