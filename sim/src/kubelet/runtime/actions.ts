/**
 * computePodActions: the Pod as it should be against the Pod as the runtime
 * has it, and what to do about the difference. A pure function.
 * Models:     pkg/kubelet/kuberuntime/kuberuntime_manager.go @ v1.36
 * Try:        keep restarting a container that ended with 0 under OnFailure.
 */
import type { Container, Pod } from "../../api/kinds/pod.ts";
import { restartsAfter, restartsUnended } from "../containers.ts";
import { needsRestart } from "../resize/actuate.ts";
import type { Resize } from "../resize/resizes.ts";
import { initActions } from "./init-actions.ts";
import { containerHash } from "./labels.ts";
import {
  findContainer,
  type RuntimeContainer,
  type RuntimePod,
} from "./pod-status.ts";

export type ProbeResult = "Success" | "Failure" | "Unknown";

/** Results of probes by the container's id; undefined: none yet. */
export interface ProbeResults {
  liveness(containerId: string): ProbeResult | undefined;
  startup(containerId: string): ProbeResult | undefined;
}

export type KillReason =
  | ""
  | "StartupProbe"
  | "LivenessProbe"
  | "FailedPostStartHook"
  | "Unknown";

export interface ContainerToKill {
  readonly id: string;
  readonly container: Container;
  readonly message: string;
  readonly reason: KillReason;
}

export interface PodActions {
  /** Stop everything, with the sandbox. */
  killPod: boolean;
  createSandbox: boolean;
  /** The sandbox now; "" if there is none. */
  sandboxId: string;
  attempt: number;
  /** Indexes into the Pod's lists. */
  initToStart: number[];
  ephemeralToStart: number[];
  toStart: number[];
  toKill: ContainerToKill[];
}

export function computePodActions(
  pod: Pod,
  status: RuntimePod,
  probes: ProbeResults,
  resize?: Pick<Resize, "inForce">,
): PodActions {
  const { changed, attempt, sandboxId } = sandboxChanged(pod, status);
  const actions: PodActions = {
    killPod: changed,
    createSandbox: changed,
    sandboxId,
    attempt,
    initToStart: [],
    ephemeralToStart: [],
    toStart: [],
    toKill: [],
  };
  if (changed) {
    startAnew(pod, status, actions);
    return actions;
  }
  for (const [i, { name }] of (pod.spec.ephemeralContainers ?? []).entries()) {
    if (!findContainer(status, name)) actions.ephemeralToStart.push(i);
  }
  const initialized = initActions(pod, status, probes, actions, resize);
  if (actions.killPod || !initialized) return actions;
  let kept = 0;
  for (const [index, container] of pod.spec.containers.entries()) {
    const current = findContainer(status, container.name);
    if (current?.state !== "running") {
      restartIfWanted(pod, index, current, actions);
    } else if (!killIfWanted(pod, index, current, probes, actions, resize))
      kept++;
  }
  if (kept === 0 && actions.toStart.length === 0) {
    // Sidecars alone do not keep a Pod alive.
    actions.killPod = true;
    actions.initToStart = [];
  }
  return actions;
}

/** Is a new sandbox needed? None, not ready, two ready, or no address. */
function sandboxChanged(pod: Pod, { sandboxes }: RuntimePod) {
  const newest = sandboxes[0];
  if (!newest) return { changed: true, attempt: 0, sandboxId: "" };
  const { id: sandboxId, metadata, state, network, linux } = newest;
  const attempt = metadata.attempt ?? 0;
  const ready = sandboxes.filter((each) => each.state === "SANDBOX_READY");
  const again = { changed: true, attempt: attempt + 1, sandboxId };
  if (ready.length > 1 || state !== "SANDBOX_READY") return again;
  const onNode = linux?.namespaces.options.network === "NODE";
  if (onNode !== (pod.spec.hostNetwork ?? false)) {
    return { ...again, sandboxId: "" };
  }
  if (!onNode && network && !network.ip) return again;
  return { changed: false, attempt, sandboxId };
}

/** The sandbox goes; what shall run in the next one? */
function startAnew(pod: Pod, status: RuntimePod, actions: PodActions): void {
  const ran = status.containers.length > 0;
  if (!restartsOnFailure(pod) && actions.attempt !== 0 && ran) {
    actions.createSandbox = false;
    return;
  }
  const wanted = pod.spec.containers.flatMap((container, index) => {
    const last = findContainer(status, container.name);
    const succeeded = last?.state === "exited" && last.exitCode === 0;
    const done = pod.spec.restartPolicy === "OnFailure" && succeeded;
    return done ? [] : [index];
  });
  if (wanted.length === 0 && anyMainCreated(pod, status)) {
    actions.createSandbox = false;
    return;
  }
  if (pod.spec.initContainers?.length) actions.initToStart = [0];
  else actions.toStart = wanted;
}

function restartsOnFailure({ spec }: Pod): boolean {
  return spec.restartPolicy !== "Never";
}

function anyMainCreated(pod: Pod, status: RuntimePod): boolean {
  return pod.spec.containers.some(({ name }) => {
    const state = findContainer(status, name)?.state;
    return state !== undefined && state !== "unknown";
  });
}

function restartIfWanted(
  pod: Pod,
  index: number,
  current: RuntimeContainer | undefined,
  actions: PodActions,
): void {
  const container = pod.spec.containers[index]!;
  if (!shouldRun(pod, container, current)) return;
  actions.toStart.push(index);
  if (current?.state !== "unknown") return;
  const message =
    'Container is in "unknown" state, try killing it before restart';
  actions.toKill.push({
    id: current.id,
    container,
    message,
    reason: "Unknown",
  });
}

/** Never made, never started, in an unknown state, or its policy says so. */
function shouldRun(
  pod: Pod,
  container: Container,
  current: RuntimeContainer | undefined,
): boolean {
  if (pod.metadata.deletionTimestamp) return false;
  if (!current || current.state === "unknown") return true;
  if (current.state === "created") return true;
  return restartsAfter(pod, container, current.exitCode);
}

/** True if the running container has to be killed. */
function killIfWanted(
  pod: Pod,
  index: number,
  current: RuntimeContainer,
  probes: ProbeResults,
  actions: PodActions,
  resize: Pick<Resize, "inForce"> | undefined,
): boolean {
  const container = pod.spec.containers[index]!;
  const { name } = container;
  let message = "";
  let reason: KillReason = "";
  let restart = restartsUnended(pod, container);
  if (containerHash(container) !== current.hash) {
    message = `Container ${name} definition changed`;
    restart = true;
  } else if (probes.liveness(current.id) === "Failure") {
    message = `Container ${name} failed liveness probe`;
    reason = "LivenessProbe";
  } else if (probes.startup(current.id) === "Failure") {
    message = `Container ${name} failed startup probe`;
    reason = "StartupProbe";
  } else {
    const { id } = current;
    const inForce = resize?.inForce.get(name);
    if (!resize || !needsRestart(container, inForce)) return false;
    message = `Container ${name} resize requires restart`;
    actions.toStart.push(index);
    actions.toKill.push({ id, container, message, reason });
    return true;
  }
  if (restart) {
    message += ", will be restarted";
    actions.toStart.push(index);
  }
  actions.toKill.push({ id: current.id, container, message, reason });
  return true;
}
