/**
 * Quality of service: how well a Pod says what it needs decides whom the
 * node sacrifices first when memory runs out.
 * Models: pkg/apis/core/v1/helper/qos/qos.go, pkg/kubelet/qos/policy.go @ v1.36
 * Try:    give one container of two a limit, and see the class.
 */
import type { Container, Pod } from "../api/kinds/pod.ts";
import { bytes, milliCpu } from "../api/quantity.ts";
import { allContainers, isCriticalPod, isSidecar } from "./containers.ts";

export type QosClass = "Guaranteed" | "Burstable" | "BestEffort";

type Amounts = { readonly [resource: string]: string } | undefined;

/** The class that stands in the status, or else the one of the spec. */
export function qosOf(pod: Pod): QosClass {
  return (pod.status?.qosClass as QosClass | undefined) ?? computeQos(pod);
}

/** Only CPU and memory count, and only amounts above zero. */
export function computeQos(pod: Pod): QosClass {
  const own = pod.spec.resources;
  const parts = own ? [own] : allContainers(pod).map((c) => c.resources);
  const requests = new Sum();
  const limits = new Sum();
  let guaranteed = true;
  for (const part of parts) {
    requests.add(part?.requests);
    limits.add(part?.limits);
    guaranteed &&= milliCpu(part?.limits?.cpu) > 0;
    guaranteed &&= bytes(part?.limits?.memory) > 0;
  }
  if (requests.isEmpty() && limits.isEmpty()) return "BestEffort";
  const equal =
    requests.cpu === limits.cpu && requests.memory === limits.memory;
  return guaranteed && equal ? "Guaranteed" : "Burstable";
}

class Sum {
  cpu = 0;
  memory = 0;

  add(amounts: Amounts): void {
    this.cpu += milliCpu(amounts?.cpu);
    this.memory += bytes(amounts?.memory);
  }

  isEmpty(): boolean {
    return this.cpu === 0 && this.memory === 0;
  }
}

const GUARANTEED = -997;
const BEST_EFFORT = 1000;

/**
 * The container's oom_score_adj: the kernel kills the highest first.
 * `nodeMemoryBytes` is the node's capacity.
 */
export function oomScoreAdj(
  pod: Pod,
  container: Container,
  nodeMemoryBytes: number,
): number {
  const { priorityClassName } = pod.spec;
  const nodeCritical = priorityClassName === "system-node-critical";
  if (nodeCritical && isCriticalPod(pod)) return GUARANTEED;
  const qos = qosOf(pod);
  if (qos === "Guaranteed") return GUARANTEED;
  if (qos === "BestEffort") return BEST_EFFORT;
  const share = (requested: number) =>
    1000 - Math.trunc((1000 * requested) / nodeMemoryBytes);
  const spare = spareOfPod(pod);
  let score = share(memoryOf(container) + spare);
  if (isSidecar(container) && isInit(pod, container)) {
    const smallest = Math.min(...pod.spec.containers.map(memoryOf));
    score = Math.min(score, share(smallest + spare));
  }
  // Below all BestEffort Pods, above all Guaranteed ones.
  if (score < BEST_EFFORT + GUARANTEED) return BEST_EFFORT + GUARANTEED;
  return score === BEST_EFFORT ? BEST_EFFORT - 1 : score;
}

function memoryOf(container: Container): number {
  return bytes(container.resources?.requests?.memory);
}

function isInit(pod: Pod, container: Container): boolean {
  const init = pod.spec.initContainers ?? [];
  return init.some(({ name }) => name === container.name);
}

/** What the Pod requests beyond its containers, shared among them. */
function spareOfPod(pod: Pod): number {
  const whole = bytes(pod.spec.resources?.requests?.memory);
  if (whole === 0) return 0;
  const count = allContainers(pod).length;
  return Math.trunc((whole - containersMemory(pod)) / count);
}

/** Sidecars and main ones together, or an init container if that is more. */
function containersMemory(pod: Pod): number {
  let sidecars = 0;
  let peak = 0;
  for (const container of pod.spec.initContainers ?? []) {
    if (isSidecar(container)) sidecars += memoryOf(container);
    const needed = isSidecar(container) ? 0 : memoryOf(container);
    peak = Math.max(peak, sidecars + needed);
  }
  const main = pod.spec.containers.reduce((sum, c) => sum + memoryOf(c), 0);
  return Math.max(peak, sidecars + main);
}
