/**
 * What one object uses of a namespace's quota.
 * Models:     pkg/quota/v1/evaluator/core/{pods,services,
 *             persistent_volume_claims}.go, generic/evaluator.go @ v1.36
 * Leaves out: resource claims, volume attributes classes.
 */
import { at, list, obj, str } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import { groupResource } from "../../../api/resource.ts";
import type { JsonObject } from "../../../api/types.ts";
import type { Kernel } from "../../../kernel/index.ts";
import { podAmounts, type ResourceMap, specOf } from "../limits/amounts.ts";

/** Resources that were counted by their plain name before `count/…` was. */
const PLAIN_COUNTS = [
  "configmaps",
  "secrets",
  "replicationcontrollers",
  "resourcequotas",
  "services",
  "persistentvolumeclaims",
];

type Clock = Pick<Kernel, "now" | "msOf">;

export function usageOf(
  ref: { readonly group: string; readonly resource: string },
  object: Obj,
  clock: Clock,
): ResourceMap {
  const counts: Record<string, string> = {
    [`count/${groupResource(ref)}`]: "1",
  };
  if (ref.group !== "") return counts;
  if (PLAIN_COUNTS.includes(ref.resource)) counts[ref.resource] = "1";
  if (ref.resource === "pods") {
    return { ...counts, ...podUsage(object, clock) };
  }
  if (ref.resource === "services")
    return { ...counts, ...serviceUsage(object) };
  if (ref.resource === "persistentvolumeclaims") {
    return { ...counts, ...claimUsage(object) };
  }
  return counts;
}

/**
 * A Pod that has ended uses nothing any more, nor does one that should have
 * been gone for its grace period by now.
 */
function isOver({ metadata, status }: Obj, clock: Clock): boolean {
  const phase = str(obj(status).phase);
  if (phase === "Succeeded" || phase === "Failed") return true;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (!deletionTimestamp || deletionGracePeriodSeconds === undefined) {
    return false;
  }
  const goneMs = clock.msOf(deletionTimestamp);
  return clock.now() > goneMs + deletionGracePeriodSeconds * 1000;
}

function podUsage(pod: Obj, clock: Clock): ResourceMap {
  if (isOver(pod, clock)) return {};
  const { requests, limits } = podAmounts(specOf(pod));
  const usage: Record<string, string> = { pods: "1" };
  for (const [name, amount] of Object.entries(requests)) {
    usage[`requests.${name}`] = amount;
    if (["cpu", "memory", "ephemeral-storage"].includes(name)) {
      usage[name] = amount;
    } else if (name.startsWith("hugepages-")) usage[name] = amount;
  }
  for (const [name, amount] of Object.entries(limits)) {
    usage[`limits.${name}`] = amount;
  }
  return usage;
}

function serviceUsage(service: Obj): ResourceMap {
  const spec = specOf(service);
  const ports = list(spec.ports).length;
  const balanced = spec.type === "LoadBalancer";
  const withPorts =
    spec.type === "NodePort" ||
    (balanced && spec.allocateLoadBalancerNodePorts !== false);
  return {
    services: "1",
    "services.loadbalancers": balanced ? "1" : "0",
    "services.nodeports": withPorts ? String(ports) : "0",
  };
}

function claimUsage(claim: Obj): ResourceMap {
  const spec = specOf(claim);
  const storage = str(at(spec, "resources", "requests", "storage"));
  const usage: Record<string, string> = { persistentvolumeclaims: "1" };
  if (storage) usage["requests.storage"] = storage;
  const name = str(spec.storageClassName);
  if (name) {
    const stem = `${name}.storageclass.storage.k8s.io`;
    usage[`${stem}/persistentvolumeclaims`] = "1";
    if (storage) usage[`${stem}/requests.storage`] = storage;
  }
  return usage;
}

/** Amounts that a quota counts and that a container does not say. */
export function unsaid(pod: Obj, hard: readonly string[]): string[] {
  const spec = specOf(pod);
  const all = [...list(spec.initContainers), ...list(spec.containers)];
  return hard.flatMap((constraint) => {
    const [kind, name] = amountNamed(constraint);
    if (!kind) return [];
    const silent = all.filter((container) => {
      const { [kind]: said } = obj(container.resources) as Record<
        string,
        JsonObject
      >;
      return said?.[name] === undefined;
    });
    const names = silent.map((container) => str(container.name)).sort();
    return names.length > 0 ? [`${constraint} for: ${names.join(",")}`] : [];
  });
}

function amountNamed(constraint: string): ["requests" | "limits" | "", string] {
  if (constraint === "cpu" || constraint === "memory") {
    return ["requests", constraint];
  }
  const [, kind, name] =
    /^(requests|limits)\.(cpu|memory)$/.exec(constraint) ?? [];
  return [(kind as "requests") ?? "", name ?? ""];
}
