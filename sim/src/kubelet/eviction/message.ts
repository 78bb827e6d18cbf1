/**
 * Why a Pod had to go, in the words of its status and of its Event.
 * Models: pkg/kubelet/eviction/helpers.go evictionMessage @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import { bytes, canonicalQuantity } from "../../api/quantity.ts";
import { allContainers } from "../containers.ts";
import type { ContainerUsage, Observations, PodUsage } from "./stats.ts";
import {
  amountText,
  bytesText,
  quantityText,
  SIGNALS,
  type Threshold,
} from "./thresholds.ts";

export interface EvictionText {
  readonly message: string;
  /** Of the Event. */
  readonly annotations: Readonly<Record<string, string>>;
}

export function evictionText(
  resource: string,
  pod: Pod,
  stats: PodUsage | undefined,
  thresholds: readonly Threshold[],
  seen: Observations,
): EvictionText {
  let message = `The node was low on resource: ${resource}. `;
  message += thresholdText(resource, thresholds, seen);
  if (!stats) return { message, annotations: {} };
  const annotations: Record<string, string> = {};
  const ofPod = pod.spec.resources?.requests?.memory;
  if (resource === "memory" && ofPod) {
    const used = bytesText(stats.memoryBytes);
    message += consumption("Pod", pod.metadata.name, used, ofPod, resource);
    annotations.offending_pod = pod.metadata.name;
    annotations.offending_pod_usage = used;
  }
  const names: string[] = [];
  const usages: string[] = [];
  for (const usage of stats.containers) {
    const spec = allContainers(pod).find(({ name }) => name === usage.name);
    const used = usageOf(resource, usage);
    const request = spec?.resources?.requests?.[resource] ?? "0";
    if (!spec || used === undefined || used <= bytes(request)) continue;
    const text = bytesText(used);
    message += consumption("Container", spec.name, text, request, resource);
    names.push(spec.name);
    usages.push(text);
  }
  annotations.offending_containers = names.join(",");
  annotations.offending_containers_usage = usages.join(",");
  annotations.starved_resource = resource;
  return { message, annotations };
}

function thresholdText(
  resource: string,
  thresholds: readonly Threshold[],
  seen: Observations,
): string {
  const met = thresholds.find(({ signal }) => SIGNALS[signal][1] === resource);
  if (!met) return "";
  const { available, capacity } = seen[met.signal];
  const counted = resource === "pids" || resource === "inodes";
  const format = counted ? "DecimalSI" : "BinarySI";
  const quantity = amountText(met.value, capacity);
  return `Threshold quantity: ${quantity}, available: ${quantityText(available, format)}. `;
}

function consumption(
  what: string,
  name: string,
  used: string,
  request: string,
  resource: string,
): string {
  const asked = canonicalQuantity(request);
  return `${what} ${name} was using ${used}, request is ${asked}, has larger consumption of ${resource}. `;
}

function usageOf(resource: string, usage: ContainerUsage): number | undefined {
  if (resource === "memory") return usage.memoryBytes;
  if (resource !== "ephemeral-storage") return undefined;
  return usage.rootfsBytes + usage.logsBytes;
}
