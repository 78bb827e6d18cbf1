/**
 * A node that is short of something lets no more Pods in than it must.
 * Models: pkg/kubelet/eviction/eviction_manager.go Admit @ v1.36
 */
import { tolerationsTolerate } from "../../api/helpers/tolerations.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { Rejection } from "../admission.ts";
import { isCriticalPod } from "../containers.ts";
import { qosOf } from "../qos.ts";
import type { Condition } from "./thresholds.ts";

const MEMORY_TAINT = {
  key: "node.kubernetes.io/memory-pressure",
  effect: "NoSchedule",
} as const;

export function rejectionUnder(
  conditions: ReadonlySet<Condition>,
  pod: Pod,
): Rejection | undefined {
  if (conditions.size === 0 || isCriticalPod(pod)) return undefined;
  if (conditions.size === 1 && conditions.has("MemoryPressure")) {
    // Who said how much memory it needs may come.
    if (qosOf(pod) !== "BestEffort") return undefined;
    const { tolerations } = pod.spec;
    if (tolerationsTolerate(tolerations, MEMORY_TAINT)) return undefined;
  }
  const message = `The node had condition: [${[...conditions].join(" ")}]. `;
  return { reason: "Evicted", message };
}
