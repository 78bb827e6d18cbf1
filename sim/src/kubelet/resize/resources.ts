/** The resources of a Pod's containers that can be resized, by name. */
import { isResized } from "../../api/helpers/pod-requests.ts";
import type { Container, Pod } from "../../api/kinds/pod.ts";
import { bytes, milliCpu } from "../../api/quantity.ts";
import { isSidecar } from "../containers.ts";

export type Resources = Container["resources"];
export type Amounts = Readonly<Record<string, Resources>>;

/** CPU in thousandths, memory in bytes; 0: none is said. */
export interface Sizes {
  readonly cpuRequest: number;
  readonly cpuLimit: number;
  readonly memoryRequest: number;
  readonly memoryLimit: number;
}

/** All but init containers that end. */
export function resizable({ spec }: Pod): readonly Container[] {
  return [...(spec.initContainers ?? []).filter(isSidecar), ...spec.containers];
}

export function resourcesOf(pod: Pod): Amounts {
  const each = resizable(pod).map((c) => [c.name, c.resources] as const);
  return Object.fromEntries(each);
}

export function sizesOf(resources: Resources): Sizes {
  const { requests, limits } = resources ?? {};
  return {
    cpuRequest: milliCpu(requests?.cpu),
    cpuLimit: milliCpu(limits?.cpu),
    memoryRequest: bytes(requests?.memory),
    memoryLimit: bytes(limits?.memory),
  };
}

/** Whether the request or the limit for `cpu` or `memory` is another one. */
export function changes(wanted: Sizes, now: Sizes, resource: string): boolean {
  if (resource === "cpu") {
    const { cpuRequest, cpuLimit } = now;
    return wanted.cpuRequest !== cpuRequest || wanted.cpuLimit !== cpuLimit;
  }
  const { memoryRequest, memoryLimit } = now;
  return (
    wanted.memoryRequest !== memoryRequest || wanted.memoryLimit !== memoryLimit
  );
}

export function sameSizes(a: Resources, b: Resources): boolean {
  const [left, right] = [sizesOf(a), sizesOf(b)];
  return !changes(left, right, "cpu") && !changes(left, right, "memory");
}

export function differ(a: Amounts, b: Amounts): boolean {
  return Object.keys(a).some((name) => !sameSizes(a[name], b[name]));
}

/** The Pod with these resources in place of its own. */
export function withResources(pod: Pod, amounts: Amounts): Pod {
  if (!differ(resourcesOf(pod), amounts)) return pod;
  const changed = (container: Container) =>
    container.name in amounts
      ? { ...container, resources: amounts[container.name] }
      : container;
  const { containers, initContainers } = pod.spec;
  const init = initContainers && {
    initContainers: initContainers.map(changed),
  };
  const spec = { ...pod.spec, ...init, containers: containers.map(changed) };
  return { ...pod, spec };
}

/** The API's status tells of other resources than the spec wants. */
export function wantsOther(pod: Pod): boolean {
  const { generation = 1 } = pod.metadata;
  return generation > 1 && isResized(pod);
}

/** What a kubelet that is gone had granted, as it wrote into the status. */
export function grantedBefore(pod: Pod): Amounts {
  return fromStatus(pod, (wanted, { allocatedResources, resources }) => {
    const requests = allocatedResources ?? resources?.requests;
    const granted = { ...wanted, requests };
    // Granted as wanted, though it may not be in force yet.
    if (sameSizes(granted, wanted)) return wanted;
    return { ...resources, requests };
  });
}

/** What was in force then. */
export function inForceBefore(pod: Pod): Amounts {
  return fromStatus(pod, (wanted, { resources }) => resources ?? wanted);
}

type Statuses = NonNullable<Pod["status"]>["containerStatuses"];

function fromStatus(
  pod: Pod,
  pick: (wanted: Resources, status: NonNullable<Statuses>[number]) => Resources,
): Amounts {
  const { containerStatuses = [], initContainerStatuses = [] } =
    pod.status ?? {};
  const statuses = [...initContainerStatuses, ...containerStatuses];
  const each = resizable(pod).map(({ name, resources }) => {
    const status = statuses.find((one) => one.name === name);
    return [name, status ? pick(resources, status) : resources] as const;
  });
  return Object.fromEntries(each);
}
