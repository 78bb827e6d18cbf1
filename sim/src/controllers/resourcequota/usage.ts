/**
 * What objects use of a namespace's quota.
 * Models:     pkg/quota/v1/evaluator/core/{pods,services,
 *             persistent_volume_claims}.go, generic/evaluator.go @ v1.36
 * Leaves out: resource claims, volume attributes classes.
 */
import { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import { Service } from "../../api/kinds/service.ts";
import type { Container } from "../../api/kinds/types/containers.ts";
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
} from "../../api/quantity.ts";
import { groupResource, type ResourceRef } from "../../api/resource.ts";
import type { KubeObject } from "../../api/types.ts";
import type { Kernel } from "../../kernel/index.ts";
import { isTerminated } from "../shared/pods.ts";

/** Quantities by resource name. */
export type Amounts = { readonly [resource: string]: string };

export function sum(a: Amounts, b: Amounts): Amounts {
  return merge(a, b, (x, y) =>
    formatQuantity(addQuantities(parseQuantity(x), parseQuantity(y))),
  );
}

function larger(a: Amounts, b: Amounts): Amounts {
  return merge(a, b, (x, y) =>
    compareQuantities(parseQuantity(x), parseQuantity(y)) < 0 ? y : x,
  );
}

function merge(
  a: Amounts,
  b: Amounts,
  join: (x: string, y: string) => string,
): Amounts {
  const merged: Record<string, string> = { ...a };
  for (const [name, amount] of Object.entries(b)) {
    const own = a[name];
    merged[name] = own === undefined ? amount : join(own, amount);
  }
  return merged;
}

const PLAIN_COUNTS = new Set([
  ...["configmaps", "secrets", "services", "persistentvolumeclaims"],
  ...["replicationcontrollers", "resourcequotas"],
]);

type Clock = Pick<Kernel, "now" | "msOf">;

// region: usage
export function usageOf(
  ref: ResourceRef,
  object: KubeObject,
  clock: Clock,
): Amounts {
  const counted = { [`count/${groupResource(ref)}`]: "1" };
  if (ref.group !== "") return counted;
  // Of these kinds, so they are what they say.
  if (ref.resource === "pods") {
    return { ...counted, ...ofPod(object as Pod, clock) };
  }
  const plain = PLAIN_COUNTS.has(ref.resource) ? { [ref.resource]: "1" } : {};
  const more =
    ref.resource === Service.resource
      ? ofService(object as Service)
      : ref.resource === PersistentVolumeClaim.resource
        ? ofClaim(object as PersistentVolumeClaim)
        : {};
  return { ...counted, ...plain, ...more };
}
// endregion: usage

/** A Pod that has ended uses nothing any more, nor does one that hangs. */
function ofPod(pod: Pod, clock: Clock): Amounts {
  if (isTerminated(pod) || hangs(pod, clock)) return {};
  const requests = podTotal(pod, ({ resources }) => resources?.requests ?? {});
  const limits = podTotal(pod, ({ resources }) => resources?.limits ?? {});
  const usage: Record<string, string> = { pods: "1" };
  for (const [name, amount] of Object.entries(requests)) {
    usage[`requests.${name}`] = amount;
    const isPlain = ["cpu", "memory", "ephemeral-storage"].includes(name);
    if (isPlain || name.startsWith("hugepages-")) usage[name] = amount;
  }
  for (const [name, amount] of Object.entries(limits)) {
    usage[`limits.${name}`] = amount;
  }
  return usage;
}

/**
 * It should have been gone for its grace period by now: its node may be lost,
 * and what takes its place is not to wait for it.
 */
function hangs({ metadata }: Pod, clock: Clock): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (!deletionTimestamp || deletionGracePeriodSeconds === undefined) {
    return false;
  }
  const goneMs = clock.msOf(deletionTimestamp);
  return clock.now() > goneMs + deletionGracePeriodSeconds * 1000;
}

/** Containers add up; of init containers the greediest counts. */
function podTotal(
  { spec }: Pod,
  of: (container: Container) => Amounts,
): Amounts {
  let total: Amounts = {};
  for (const container of spec.containers) total = sum(total, of(container));
  let sidecars: Amounts = {};
  let greediest: Amounts = {};
  for (const container of spec.initContainers ?? []) {
    const own = of(container);
    if (container.restartPolicy === "Always") {
      total = sum(total, own);
      sidecars = sum(sidecars, own);
      greediest = larger(greediest, sidecars);
    } else greediest = larger(greediest, sum(own, sidecars));
  }
  return sum(larger(total, greediest), spec.overhead ?? {});
}

function ofService({ spec }: Service): Amounts {
  const ports = `${spec.ports?.length ?? 0}`;
  if (spec.type === "NodePort") return { "services.nodeports": ports };
  if (spec.type !== "LoadBalancer") return {};
  const none = spec.allocateLoadBalancerNodePorts === false;
  return {
    "services.loadbalancers": "1",
    "services.nodeports": none ? "0" : ports,
  };
}

function ofClaim({ spec }: PersistentVolumeClaim): Amounts {
  const storage = spec.resources?.requests?.storage;
  const usage: Record<string, string> = {};
  if (storage !== undefined) usage["requests.storage"] = storage;
  const { storageClassName } = spec;
  if (!storageClassName) return usage;
  const prefix = `${storageClassName}.storageclass.storage.k8s.io`;
  usage[`${prefix}/persistentvolumeclaims`] = "1";
  if (storage !== undefined) usage[`${prefix}/requests.storage`] = storage;
  return usage;
}
