/**
 * What one object uses of a namespace's quota. The API server and the
 * controller must count alike, so both ask here.
 * Models:     pkg/quota/v1/evaluator/core/{pods,services,
 *             persistent_volume_claims}.go, generic/evaluator.go @ v1.36
 * Leaves out: resource claims, volume attributes classes.
 */
import type { Kernel } from "../../kernel/index.ts";
import type { PersistentVolumeClaim } from "../kinds/persistentvolumeclaim.ts";
import type { Pod } from "../kinds/pod.ts";
import type { Service } from "../kinds/service.ts";
import { isMore } from "../quantity.ts";
import { groupResource } from "../resource.ts";
import type { KubeObject } from "../types.ts";
import { podQuantities, type Quantities } from "./pod-quantities.ts";
import { specInUse } from "./spec-in-use.ts";
import { storageClassOf } from "./storage-class.ts";

type Clock = Pick<Kernel, "now" | "msOf">;

/** Resources that were counted by their plain name before `count/…` was. */
const PLAIN_COUNTS = new Set([
  ...["configmaps", "secrets", "services", "persistentvolumeclaims"],
  ...["replicationcontrollers", "resourcequotas"],
]);

// region: usage
export function usageOf(
  ref: { readonly group: string; readonly resource: string },
  object: KubeObject,
  clock: Clock,
): Quantities {
  const counted = { [`count/${groupResource(ref)}`]: "1" };
  const { group, resource } = ref;
  if (group !== "") return counted;
  // Of these kinds, so they are what they say.
  if (resource === "pods") {
    return { ...counted, ...ofPod(object as Pod, clock) };
  }
  const plain = PLAIN_COUNTS.has(resource) ? { [resource]: "1" } : {};
  const more =
    resource === "services"
      ? ofService(object as Service)
      : resource === "persistentvolumeclaims"
        ? ofClaim(object as PersistentVolumeClaim)
        : {};
  return { ...counted, ...plain, ...more };
}
// endregion: usage

const COMPUTE = "cpu|memory|ephemeral-storage";
const TRACKED = new RegExp(
  "^(pods|configmaps|secrets|replicationcontrollers|resourcequotas|count/.*|" +
    `((requests|limits)\\.)?(${COMPUTE})|(requests\\.)?hugepages-.*|` +
    "requests\\.[^/]+/.*|requests\\.storage|persistentvolumeclaims|" +
    ".*\\.storageclass\\.storage\\.k8s\\.io/.*|" +
    "services(\\.(loadbalancers|nodeports))?)$",
);

/** Is there anything that could use this resource of a quota? */
export function isTracked(name: string): boolean {
  return TRACKED.test(name);
}

/**
 * A Pod that has ended uses nothing any more, nor does one that should have
 * been gone for its grace period by now: its node may be lost, and what takes
 * its place is not to wait for it.
 */
export function isOver({ metadata, status }: Pod, clock: Clock): boolean {
  if (status?.phase === "Succeeded" || status?.phase === "Failed") return true;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (!deletionTimestamp || deletionGracePeriodSeconds === undefined) {
    return false;
  }
  const goneMs = clock.msOf(deletionTimestamp);
  return clock.now() > goneMs + deletionGracePeriodSeconds * 1000;
}

const isCompute = new RegExp(`^(${COMPUTE})$`);

function ofPod(pod: Pod, clock: Clock): Quantities {
  if (isOver(pod, clock)) return {};
  const usage: Record<string, string> = { pods: "1" };
  const spec = specInUse(pod);
  const requests = podQuantities(spec, "requests");
  for (const [name, amount] of Object.entries(requests)) {
    const plain = isCompute.test(name) || name.startsWith("hugepages-");
    if (plain) usage[name] = amount;
    if (plain || name.includes("/")) usage[`requests.${name}`] = amount;
  }
  const limits = podQuantities(spec, "limits");
  for (const [name, amount] of Object.entries(limits)) {
    if (isCompute.test(name)) usage[`limits.${name}`] = amount;
  }
  return usage;
}

/** Ports of the nodes that it takes, or will be given. */
function ofService({ spec }: Service): Quantities {
  const { type, ports = [], allocateLoadBalancerNodePorts } = spec;
  const balanced = type === "LoadBalancer";
  const taken =
    balanced && allocateLoadBalancerNodePorts === false
      ? ports.filter(({ nodePort }) => nodePort).length
      : balanced || type === "NodePort"
        ? ports.length
        : 0;
  return {
    "services.loadbalancers": balanced ? "1" : "0",
    "services.nodeports": `${taken}`,
  };
}

function ofClaim(claim: PersistentVolumeClaim) {
  const { spec, status } = claim;
  const asked = spec.resources?.requests?.storage;
  const given = status?.allocatedResources?.storage;
  const storage = given && isMore(given, asked ?? "0") ? given : asked;
  const usage: Record<string, string> = {};
  if (storage !== undefined) usage["requests.storage"] = storage;
  const className = storageClassOf(claim);
  if (!className) return usage;
  const prefix = `${className}.storageclass.storage.k8s.io`;
  usage[`${prefix}/persistentvolumeclaims`] = "1";
  if (storage !== undefined) usage[`${prefix}/requests.storage`] = storage;
  return usage;
}
