/**
 * A container's status for the API: what the runtime says about the newest
 * two of its name, and why it waits if it does.
 * Models:     pkg/kubelet/kubelet_pods.go convertToAPIContainerStatuses @ v1.36
 */
import type {
  Container,
  ContainerState,
  ContainerStatus,
  Pod,
} from "../../api/kinds/pod.ts";
import type { Kernel } from "../../kernel/index.ts";
import { isSidecar, restartsAfter } from "../containers.ts";
import type { Resize } from "../resize/resizes.ts";
import type { KubeletError } from "../runtime/context.ts";
import type { RuntimeContainer, RuntimePod } from "../runtime/pod-status.ts";
import { msOfNanos } from "../runtime/time.ts";

export interface StatusSource {
  readonly kernel: Kernel;
  /** `containerd`, the scheme of container ids. */
  readonly runtimeName: string;
  /** Why a container did not start at the last try. */
  readonly reason: (uid: string, name: string) => KubeletError | undefined;
  readonly imageIdOf: (container: RuntimeContainer) => string;
  readonly resizes?: { of(pod: Pod): Resize | undefined };
}

/** `ready` and `started` are the probes' business and false here. */
export function containerStatusOf(
  source: StatusSource,
  pod: Pod,
  container: Container,
  runtime: RuntimePod,
  old: ContainerStatus | undefined,
): ContainerStatus {
  const own = runtime.containers.filter(({ name }) => name === container.name);
  const [newest, previous] = own;
  const waiting = { waiting: { reason: defaultReason(pod) } };
  let state: ContainerState = newest ? stateOf(source, newest) : waiting;
  let lastState: ContainerState =
    previous?.state === "exited" ? stateOf(source, previous) : {};
  if (!previous && old?.lastState?.terminated) lastState = old.lastState;
  if (!newest && old?.state?.terminated) {
    // The runtime has forgotten it; the API has not.
    lastState = { terminated: old.state.terminated };
  }
  const why = reasonOf(source, pod, container, newest);
  if (why) {
    if (state.terminated) lastState = { terminated: state.terminated };
    state = { waiting: { reason: why.reason, message: why.message } };
  }
  return {
    name: container.name,
    state,
    lastState,
    ready: false,
    restartCount: newest?.restartCount ?? old?.restartCount ?? 0,
    image: newest?.image ?? container.image ?? "",
    imageID: newest ? source.imageIdOf(newest) : "",
    ...(newest ? { containerID: `${source.runtimeName}://${newest.id}` } : {}),
    started: false,
    ...resourcesOf(container, newest, source.resizes?.of(pod)),
  };
}

function defaultReason({ spec }: Pod): string {
  return spec.initContainers?.length ? "PodInitializing" : "ContainerCreating";
}

function stateOf(
  source: StatusSource,
  container: RuntimeContainer,
): ContainerState {
  const { kernel, runtimeName } = source;
  const time = (nanos: number | undefined) =>
    nanos ? kernel.timestamp(msOfNanos(kernel, nanos)) : undefined;
  const startedAt = time(container.startedAt);
  switch (container.state) {
    case "running":
      return { running: { startedAt } };
    case "exited":
      return {
        terminated: {
          exitCode: container.exitCode,
          reason: container.reason,
          ...(container.message ? { message: container.message } : {}),
          startedAt,
          finishedAt: time(container.finishedAt),
          containerID: `${runtimeName}://${container.id}`,
        },
      };
    default:
      return { waiting: { reason: "ContainerCreating" } };
  }
}

/** A reason counts only for a container that is to be started. */
function reasonOf(
  source: StatusSource,
  pod: Pod,
  container: Container,
  newest: RuntimeContainer | undefined,
): KubeletError | undefined {
  const reason = source.reason(pod.metadata.uid ?? "", container.name);
  if (!reason || newest?.state === "running") return undefined;
  if (pod.metadata.deletionTimestamp) return undefined;
  if (newest?.state !== "exited") return reason;
  const init = pod.spec.initContainers?.includes(container);
  if (init && !isSidecar(container) && newest.exitCode === 0) return undefined;
  return restartsAfter(pod, container, newest.exitCode) ? reason : undefined;
}

/** What was granted; and what is in force, if that is still something else. */
function resourcesOf(
  { name, resources: granted }: Container,
  newest: RuntimeContainer | undefined,
  resize: Resize | undefined,
) {
  const inForce = newest?.state === "running" ? resize?.inForce : undefined;
  const resources = inForce?.has(name) ? inForce.get(name) : granted;
  const { requests } = granted ?? {};
  if (!requests && !resources?.requests && !resources?.limits) return {};
  return { ...(requests ? { allocatedResources: requests } : {}), resources };
}
