/**
 * Pods that break their own word about the disk are evicted whether or not
 * the node is short of it: an emptyDir beyond its size, or more written than
 * the limits of ephemeral storage allow.
 * Models: pkg/kubelet/eviction/eviction_manager.go localStorageEviction @ v1.36
 */
import type { Container, Pod } from "../../api/kinds/pod.ts";
import {
  addQuantities,
  bytes,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  isZero,
  parseQuantity,
  type Quantity,
  value,
  zero,
} from "../../api/quantity.ts";
import { isSidecar } from "../containers.ts";
import { diskOf } from "./rank.ts";
import type { PodUsage } from "./stats.ts";

/** Why the Pod has to go; undefined: it keeps its limits. */
export function brokenStorageLimit(
  pod: Pod,
  stats: PodUsage,
  dedicatedImageFs: boolean,
): string | undefined {
  return (
    brokenVolume(pod, stats) ??
    brokenPodLimit(pod, stats) ??
    brokenContainerLimit(pod, stats, dedicatedImageFs)
  );
}

function brokenVolume(pod: Pod, { volumes }: PodUsage): string | undefined {
  for (const { name, emptyDir } of pod.spec.volumes ?? []) {
    const limit = emptyDir?.sizeLimit;
    if (limit === undefined || bytes(limit) <= 0) continue;
    if ((volumes.get(name) ?? 0) <= bytes(limit)) continue;
    const text = canonicalQuantity(limit);
    return `Usage of EmptyDir volume "${name}" exceeds the limit "${text}". `;
  }
  return undefined;
}

/** The sum of the containers' limits; those without one add nothing. */
function brokenPodLimit(pod: Pod, stats: PodUsage): string | undefined {
  const { containers, initContainers = [] } = pod.spec;
  const lasting = [...containers, ...initContainers.filter(isSidecar)];
  const first = initContainers.filter((container) => !isSidecar(container));
  const sum = lasting.map(limitOf).reduce(addQuantities, zero);
  const peak = first.map(limitOf).reduce(larger, sum);
  const limit = Number(value(peak));
  if (limit === 0) return undefined;
  const used = diskOf(stats, { rootfs: true, local: true });
  if (used <= limit) return undefined;
  return `Pod ephemeral local storage usage exceeds the total limit of containers ${formatQuantity(peak)}. `;
}

function brokenContainerLimit(
  pod: Pod,
  { containers }: PodUsage,
  dedicatedImageFs: boolean,
): string | undefined {
  for (const { name, rootfsBytes, logsBytes } of containers) {
    const spec = pod.spec.containers.find((one) => one.name === name);
    const limit = spec && limitOf(spec);
    const used = logsBytes + (dedicatedImageFs ? 0 : rootfsBytes);
    if (!limit || isZero(limit) || used <= Number(value(limit))) continue;
    return `Container ${name} exceeded its local ephemeral storage limit "${formatQuantity(limit)}". `;
  }
  return undefined;
}

function limitOf({ resources }: Container): Quantity {
  return parseQuantity(`${resources?.limits?.["ephemeral-storage"] ?? 0}`);
}

function larger(a: Quantity, b: Quantity): Quantity {
  return compareQuantities(a, b) < 0 ? b : a;
}
