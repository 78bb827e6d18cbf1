/** Questions about a Pod's containers that many parts of the kubelet ask. */
import type { Container, Pod } from "../api/kinds/pod.ts";

/** An init container with restartPolicy Always: a sidecar. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === "Always";
}

export function sidecarsOf(pod: Pod): readonly Container[] {
  return pod.spec.initContainers?.filter(isSidecar) ?? NONE;
}

/** Init containers first, then the main ones. */
export function allContainers(pod: Pod): readonly Container[] {
  const { initContainers, containers } = pod.spec;
  return initContainers?.length
    ? [...initContainers, ...containers]
    : containers;
}

const NONE: readonly Container[] = Object.freeze([]);

/**
 * Shall the container run again after it ended with `exitCode`? Its own
 * policy and rules come first, then the Pod's.
 * Source: pkg/api/v1/pod/util.go ContainerShouldRestart @ v1.36
 */
export function restartsAfter(
  pod: Pod,
  container: Container,
  exitCode: number,
): boolean {
  for (const { action, exitCodes } of container.restartPolicyRules ?? []) {
    const listed = exitCodes?.values?.includes(exitCode) ?? false;
    const matches = exitCodes?.operator === "In" ? listed : !listed;
    if (exitCodes && matches && action.startsWith("Restart")) return true;
  }
  const policy = container.restartPolicy ?? pod.spec.restartPolicy ?? "Always";
  return policy === "OnFailure" ? exitCode !== 0 : policy === "Always";
}

/**
 * The same of one that has not ended: without an exit code its rules say
 * nothing.
 */
export function restartsUnended(
  { spec }: Pod,
  { restartPolicy = spec.restartPolicy }: Container,
): boolean {
  return restartPolicy !== "Never";
}

/** `web_default(uid)`, as the kubelet's messages name a Pod. */
export function podText(pod: Pod): string {
  const { name, namespace, uid } = pod.metadata;
  return `${name}_${namespace}(${uid})`;
}

/** Made from a file on the node, not from the API. */
export function isStaticPod(pod: Pod): boolean {
  const source = pod.metadata.annotations?.["kubernetes.io/config.source"];
  return source !== undefined && source !== "api";
}

const SYSTEM_CRITICAL = 2_000_000_000;

/** Static Pods, mirror Pods, and those of the system's priority classes. */
export function isCriticalPod(pod: Pod): boolean {
  if (isStaticPod(pod) || isMirrorPod(pod)) return true;
  return (pod.spec.priority ?? 0) >= SYSTEM_CRITICAL;
}

/** The API's picture of a static Pod. */
export function isMirrorPod(pod: Pod): boolean {
  const { annotations } = pod.metadata;
  return annotations?.["kubernetes.io/config.mirror"] !== undefined;
}

/** uid of the static Pod whose mirror this is. */
export function mirroredUid({ metadata }: Pod): string {
  return metadata.annotations?.["kubernetes.io/config.mirror"] ?? "";
}

/** Its processes have ended for good. */
export function isOver({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}
