/**
 * A Pod's whole status out of what the runtime and the probes say.
 * Models: pkg/kubelet/kubelet_pods.go generateAPIPodStatus @ v1.36
 */
import type {
  ContainerStatus,
  Pod,
  PodCondition,
  PodStatus,
} from "../../api/kinds/pod.ts";
import { isSidecar } from "../containers.ts";
import { qosOf } from "../qos.ts";
import type { Resize } from "../resize/resizes.ts";
import type { RuntimePod } from "../runtime/pod-status.ts";
import { KUBELET_CONDITIONS, podConditions, withTimes } from "./conditions.ts";
import { containerStatusOf, type StatusSource } from "./container-status.ts";
import { type PodPhase, phaseOf } from "./phase.ts";

/** What the probes say about a container that runs. */
export interface Readiness {
  started(pod: Pod, name: string, containerId: string): boolean;
  ready(pod: Pod, name: string, containerId: string): boolean;
}

export interface GenerateContext extends StatusSource {
  readonly hostIP: string;
  readonly readiness: Readiness;
}

/** `before`: the status that was set last, or the API's. */
export function generateStatus(
  context: GenerateContext,
  pod: Pod,
  runtime: RuntimePod,
  before: PodStatus,
  podIsTerminal: boolean,
): PodStatus {
  const { kernel, hostIP } = context;
  const { conditions = [] } = before;
  const initStatuses = statusesOf(context, pod, runtime, before, true);
  const statuses = statusesOf(context, pod, runtime, before, false);
  const wasInitialized = conditions.some(
    ({ type, status }) => type === "Initialized" && status === "True",
  );
  const all =
    initStatuses.length > 0 ? [...initStatuses, ...statuses] : statuses;
  const next = phaseOf(pod, all, podIsTerminal, wasInitialized);
  const phase = lastPhase(next, pod, before);
  const others = conditions.filter(
    ({ type }) => !KUBELET_CONDITIONS.includes(type),
  );
  const sandboxReady = isSandboxReady(pod, runtime);
  const input = { pod, phase, sandboxReady, initStatuses, statuses, others };
  const { generation } = pod.metadata;
  const now = kernel.timestamp();
  const own = withTimes(podConditions(input), conditions, now, generation);
  const resize = context.resizes?.of(pod);
  const made = resize ? [...resizeConditions(resize), ...own] : own;
  const ips = pod.spec.hostNetwork ? [hostIP] : runtime.ips;
  // Field by field, in their order: spreads would cost as much as the rest.
  const status: { -readonly [Field in keyof PodStatus]: PodStatus[Field] } = {};
  if (generation) status.observedGeneration = generation;
  status.phase = phase;
  if (phase === before.phase) Object.assign(status, reasonOf(pod, before));
  status.conditions = others.length > 0 ? [...made, ...others] : made;
  status.hostIP = hostIP;
  status.hostIPs = [{ ip: hostIP }];
  const podIPs = ips.length > 0 ? ips.map((ip) => ({ ip })) : before.podIPs;
  if (podIPs?.[0]?.ip) {
    status.podIP = podIPs[0].ip;
    status.podIPs = podIPs;
  }
  status.startTime = before.startTime ?? now;
  if (initStatuses.length > 0) status.initContainerStatuses = initStatuses;
  status.containerStatuses = byName(statuses);
  if (pod.spec.ephemeralContainers)
    status.ephemeralContainerStatuses = guests(context, pod, runtime, before);
  status.qosClass = qosOf(pod);
  return status;
}

function resizeConditions({ pending, inProgress }: Resize): PodCondition[] {
  return [pending, inProgress].filter((each) => each !== undefined);
}

/** Containers that look into the Pod: no probe asks after them. */
function guests(
  context: GenerateContext,
  pod: Pod,
  runtime: RuntimePod,
  { ephemeralContainerStatuses: known }: PodStatus,
): ContainerStatus[] {
  const { ephemeralContainers = [] } = pod.spec;
  const statuses = ephemeralContainers.map((container) => {
    const old = known?.find(({ name }) => name === container.name);
    return containerStatusOf(context, pod, container, runtime, old);
  });
  return byName(statuses);
}

function byName(statuses: ContainerStatus[]): ContainerStatus[] {
  if (statuses.length < 2) return statuses;
  return statuses.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** What has ended stays so, even when the runtime has forgotten it. */
function lastPhase(next: PodPhase, { status }: Pod, before: PodStatus) {
  for (const phase of [next, before.phase, status?.phase]) {
    if (phase === "Failed" || phase === "Succeeded") return phase;
  }
  return next;
}

/** Why the phase is what it is. */
function reasonOf({ status }: Pod, before: PodStatus) {
  const reason = before.reason || status?.reason;
  const message = before.message || status?.message;
  if (!reason && !message) return undefined;
  return { ...(reason ? { reason } : {}), ...(message ? { message } : {}) };
}

/** Statuses of the init containers, or of the main ones. */
function statusesOf(
  context: GenerateContext,
  pod: Pod,
  runtime: RuntimePod,
  before: PodStatus,
  init: boolean,
): ContainerStatus[] {
  const { initContainers = [], containers } = pod.spec;
  const known = init ? before.initContainerStatuses : before.containerStatuses;
  return (init ? initContainers : containers).map((container) => {
    const old = known?.find(({ name }) => name === container.name);
    const status = containerStatusOf(context, pod, container, runtime, old);
    return withProbes(context, pod, status, !init || isSidecar(container));
  });
}

export function isSandboxReady(pod: Pod, { sandboxes, ips }: RuntimePod) {
  const newest = sandboxes[0];
  if (newest?.state !== "SANDBOX_READY") return false;
  return pod.spec.hostNetwork || ips.length > 0;
}

/** `lasting`: a container that runs on, so that probes decide on it. */
function withProbes(
  { readiness, runtimeName }: GenerateContext,
  pod: Pod,
  status: ContainerStatus,
  lasting: boolean,
): ContainerStatus {
  const { name, state, containerID = "" } = status;
  const id = containerID.slice(runtimeName.length + 3);
  if (!lasting) {
    return { ...status, ready: state?.terminated?.exitCode === 0 };
  }
  if (!state?.running) return status;
  const started = readiness.started(pod, name, id);
  return {
    ...status,
    started,
    ready: started && readiness.ready(pod, name, id),
  };
}
