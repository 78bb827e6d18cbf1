/**
 * What controllers ask about a Pod.
 * Models: pkg/api/v1/pod/util.go, pkg/controller/controller_utils.go @ v1.36
 */
import type { Container, ContainerStatus, Pod } from "../../api/kinds/pod.ts";
import type { PodCondition } from "../../api/kinds/types/pod.ts";
import type { KubeObject } from "../../api/types.ts";
import { controllerOf } from "../../api/types.ts";
import type { Informer } from "../../client/informer.ts";
import type { Kernel } from "../../kernel/index.ts";

/** It has ended, well or not, and will not run again. */
export function isTerminated(pod: Pod): boolean {
  const phase = pod.status?.phase;
  return phase === "Succeeded" || phase === "Failed";
}

/** It runs or may yet run, and nobody asked for its deletion. */
export function isActive(pod: Pod): boolean {
  return !isTerminated(pod) && !pod.metadata.deletionTimestamp;
}

/** Its deletion was asked for and it has not ended. */
export function isTerminating(pod: Pod): boolean {
  return !isTerminated(pod) && !!pod.metadata.deletionTimestamp;
}

export function podCondition(pod: Pod, type: string): PodCondition | undefined {
  return pod.status?.conditions?.find((condition) => condition.type === type);
}

export function isReady(pod: Pod): boolean {
  const conditions = pod.status?.conditions;
  if (!conditions) return false;
  for (const condition of conditions) {
    if (condition.type === "Ready") return condition.status === "True";
  }
  return false;
}

/** Its sidecars: init containers that go on running beside the others. */
export function sidecarsOf({ spec }: Pod): readonly Container[] {
  return (spec.initContainers ?? []).filter(
    ({ restartPolicy }) => restartPolicy === "Always",
  );
}

export function sidecarStatuses(pod: Pod): readonly ContainerStatus[] {
  const names = sidecarsOf(pod).map(({ name }) => name);
  const statuses = pod.status?.initContainerStatuses ?? [];
  return statuses.filter(({ name }) => names.includes(name));
}

/**
 * Ms until the Pod has been ready for `minReadySeconds`: 0 if it has been,
 * undefined if it is not ready.
 */
export function untilAvailableMs(
  pod: Pod,
  minReadySeconds: number,
  kernel: Pick<Kernel, "now" | "msOf">,
): number | undefined {
  if (!isReady(pod)) return undefined;
  if (minReadySeconds === 0) return 0;
  const since = podCondition(pod, "Ready")?.lastTransitionTime;
  if (!since) return undefined;
  const atMs = kernel.msOf(since) + minReadySeconds * 1000;
  return Math.max(0, atMs - kernel.now());
}

export const BY_CONTROLLER = "controller-uid";

/** Index values: the uid of the controller, or `orphan/<namespace>`. */
function controllerIndex(object: KubeObject): string {
  const owner = controllerOf(object);
  return owner ? owner.uid : `orphan/${object.metadata.namespace}`;
}

/** Makes `ownedBy` and `orphansIn` possible on this informer. */
export function indexByController<T extends KubeObject>(
  informer: Informer<T>,
): void {
  informer.addIndex(BY_CONTROLLER, controllerIndex);
}

/** The objects that `owner` controls. */
export function ownedBy<T extends KubeObject>(
  informer: Informer<T>,
  owner: KubeObject,
): T[] {
  return informer.byIndex(BY_CONTROLLER, owner.metadata.uid ?? "");
}

/** The objects of a namespace that no controller owns. */
export function orphansIn<T extends KubeObject>(
  informer: Informer<T>,
  namespace: string | undefined,
): T[] {
  return informer.byIndex(BY_CONTROLLER, `orphan/${namespace}`);
}

const BY_NODE = "spec.nodeName";

/** Makes `podsOnNode` possible. */
export function indexByNode(pods: Informer<Pod>): void {
  pods.addIndex(BY_NODE, (pod) => pod.spec.nodeName ?? "");
}

export function podsOnNode(pods: Informer<Pod>, node: string): Pod[] {
  return pods.byIndex(BY_NODE, node);
}
