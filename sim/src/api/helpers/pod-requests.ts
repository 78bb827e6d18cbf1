/**
 * What a Pod asks of a Node. Containers add up; init containers run one after
 * another, so only the greediest counts; sidecars (restartable init
 * containers) go on running and add up too; the runtime's overhead is on top.
 * Models:     component-helpers/resource/helpers.go, pkg/scheduler/framework/
 *             types.go (calculateResource) @ v1.36
 * Leaves out: amounts finer than 1m of CPU or 1 byte of memory.
 */
import type { Container, ContainerStatus, Pod } from "../kinds/pod.ts";
import { bytes, milliCpu, type QuantityText } from "../quantity.ts";

/** A resource list of the API: name to quantity. */
export type ResourceList = { readonly [name: string]: QuantityText };

/** Amounts by resource name; CPU in thousandths, memory in bytes. */
export type Amounts = ReadonlyMap<string, number>;
type Sums = Map<string, number>;

/** Counted, when scoring, for a container that asks for no CPU: 0.1 core. */
export const DEFAULT_CPU_MILLI = 100;
/** Counted, when scoring, for a container that asks for no memory: 200 Mi. */
export const DEFAULT_MEMORY_BYTES = 200 * 1024 * 1024;

/** The defaults of scoring, as a resource list. */
export const SCORING_DEFAULTS: ResourceList = Object.freeze({
  cpu: `${DEFAULT_CPU_MILLI}m`,
  memory: `${DEFAULT_MEMORY_BYTES}`,
});

/** By specs as they are stored: those never change. */
const known = new WeakMap<Pod["spec"], Amounts>();

/**
 * Requests of the whole Pod. A container without a request for a resource in
 * `missing` counts with that amount.
 */
export function podRequests(pod: Pod, missing?: ResourceList): Amounts {
  if (missing || !Object.isFrozen(pod.spec) || isResized(pod)) {
    return sumOf(pod, missing);
  }
  let found = known.get(pod.spec);
  if (!found) {
    found = sumOf(pod);
    known.set(pod.spec, found);
  }
  return found;
}

/** Whether a container's status tells of other amounts than its spec. */
export function isResized(pod: Pod): boolean {
  const { containers, initContainers = [] } = pod.spec;
  if (!pod.status?.containerStatuses && !pod.status?.initContainerStatuses)
    return false;
  return containers.some(differs, pod) || initContainers.some(differs, pod);
}

function differs(this: Pod, container: Container): boolean {
  const status = statusOf(this, container);
  if (!status) return false;
  const wanted = container.resources?.requests;
  const actual = status.resources?.requests;
  if (saysOther(status.allocatedResources, wanted)) return true;
  if (saysOther(actual, wanted)) return true;
  return actual !== undefined && resizeIsInfeasible(this);
}

function saysOther(list?: ResourceList, wanted?: ResourceList): boolean {
  for (const name in list) if (list[name] !== wanted?.[name]) return true;
  return false;
}

function sumOf(pod: Pod, missing?: ResourceList): Amounts {
  const { containers, initContainers, overhead } = pod.spec;
  const [first, ...others] = containers;
  const total: Sums = first
    ? containerRequests(pod, first, missing)
    : new Map();
  for (const container of others) {
    add(total, containerRequests(pod, container, missing));
  }
  if (initContainers) addInit(total, pod, initContainers, missing);
  if (pod.spec.resources) {
    for (const [name, amount] of podLevelRequests(pod)) total.set(name, amount);
  }
  if (overhead) add(total, amountsOf(overhead));
  return total;
}

/** Sidecars add up; of the others the greediest counts, sidecars before it. */
function addInit(
  total: Sums,
  pod: Pod,
  containers: readonly Container[],
  missing: ResourceList | undefined,
): void {
  const sidecars: Sums = new Map();
  const greediest: Sums = new Map();
  for (const container of containers) {
    const requests = containerRequests(pod, container, missing);
    if (container.restartPolicy === "Always") {
      add(total, requests);
      add(sidecars, requests);
      raise(greediest, sidecars);
    } else {
      add(requests, sidecars);
      raise(greediest, requests);
    }
  }
  raise(total, greediest);
}

/** Requests set for the Pod as a whole; they stand instead of the sum. */
export function podLevelRequests(pod: Pod): Amounts {
  const { requests } = pod.spec.resources ?? {};
  const found = sumsOf(requests ?? {});
  for (const name of found.keys()) {
    if (!isPodLevel(name)) found.delete(name);
  }
  return found;
}

/** Of these resources alone a Pod can ask as a whole. */
export function isPodLevel(name: string): boolean {
  return name === "cpu" || name === "memory" || name.startsWith("hugepages-");
}

/** While a container is being resized, the larger of wanted and actual. */
function containerRequests(
  pod: Pod,
  container: Container,
  missing: ResourceList | undefined,
): Sums {
  const wanted = sumsOf(container.resources?.requests ?? {});
  const status = statusOf(pod, container);
  const actual = status?.resources?.requests;
  if (actual) {
    if (resizeIsInfeasible(pod)) wanted.clear();
    raiseTo(wanted, actual);
  }
  const allocated = status?.allocatedResources;
  if (allocated) raiseTo(wanted, allocated);
  if (missing) {
    for (const name in missing) {
      if (!wanted.has(name)) wanted.set(name, amountOf(name, missing[name]));
    }
  }
  return wanted;
}

const none: readonly ContainerStatus[] = Object.freeze([]);

export function resizeIsInfeasible({ status }: Pod): boolean {
  return !!status?.conditions?.some(
    ({ type, reason }) =>
      type === "PodResizePending" && reason === "Infeasible",
  );
}

function statusOf(pod: Pod, { name }: Container): ContainerStatus | undefined {
  const { containerStatuses, initContainerStatuses } = pod.status ?? {};
  return named(containerStatuses, name) ?? named(initContainerStatuses, name);
}

function named(statuses: readonly ContainerStatus[] | undefined, name: string) {
  for (const status of statuses ?? none) {
    if (status.name === name) return status;
  }
  return undefined;
}

/** CPU is counted in thousandths, all else in whole units. */
export function amountOf(name: string, quantity: QuantityText): number {
  return name === "cpu" ? milliCpu(quantity) : bytes(quantity);
}

/** A resource list as numbers. */
export function amountsOf(list: ResourceList): Amounts {
  return sumsOf(list);
}

function sumsOf(list: ResourceList): Sums {
  const amounts: Sums = new Map();
  for (const name in list) amounts.set(name, amountOf(name, list[name]));
  return amounts;
}

function add(to: Sums, more: Amounts): void {
  for (const [name, amount] of more) to.set(name, (to.get(name) ?? 0) + amount);
}

function raise(to: Sums, other: Amounts): void {
  for (const [name, amount] of other) {
    if (amount > (to.get(name) ?? -1)) to.set(name, amount);
  }
}

/** The same from a resource list, without making amounts of it first. */
function raiseTo(to: Sums, list: ResourceList): void {
  for (const name in list) {
    const amount = amountOf(name, list[name]);
    if (amount > (to.get(name) ?? -1)) to.set(name, amount);
  }
}
