/**
 * The runtime's part of a sync: does what computePodActions found, in order:
 * kill, sandbox, init containers, resizes, main containers.
 * Models: pkg/kubelet/kuberuntime/kuberuntime_manager.go SyncPod @ v1.36
 * Try:    start the main containers before the init containers have ended.
 */
import type { Container, Pod } from "../../api/kinds/pod.ts";
import { isSidecar } from "../containers.ts";
import { actuate, outdated, startedWith } from "../resize/actuate.ts";
import { computePodActions, type PodActions } from "./actions.ts";
import { sandboxConfig } from "./config.ts";
import { KubeletError, messageOf, type RuntimeContext } from "./context.ts";
import { killContainer, killPod } from "./kill.ts";
import { findContainer, ipsOf, type RuntimePod } from "./pod-status.ts";
import {
  backOffIfCrashing,
  type Sandbox,
  startContainer,
} from "./start-container.ts";

/** What failed, by container; "" stands for the Pod as a whole. */
export type SyncErrors = ReadonlyMap<string, KubeletError>;

// region: sync-runtime
export async function syncRuntime(
  context: RuntimeContext,
  pod: Pod,
  status: RuntimePod,
): Promise<SyncErrors> {
  const resize = context.resizes?.of(pod);
  const actions = computePodActions(pod, status, context.probes, resize);
  const isResized = resize && outdated(pod, resize, status).length > 0;
  if (isNothing(actions) && !isResized) return NO_ERRORS;
  const errors = new Map<string, KubeletError>();
  announceNewSandbox(context, pod, actions);
  if (actions.killPod) {
    await killPod(context, pod, status);
    if (!actions.createSandbox) return errors;
    if (status.containers.length > 0) {
      await removeInitContainers(context, pod, status);
    }
  } else {
    for (const target of actions.toKill) {
      await killContainer(context, pod, target, {});
    }
  }
  const sandbox = await ensureSandbox(context, pod, status, actions, errors);
  if (!sandbox) return errors;
  const start = (container: Container) =>
    tryStart(context, pod, container, status, sandbox, errors);
  for (const index of actions.ephemeralToStart) {
    await start(pod.spec.ephemeralContainers![index]!);
  }
  for (const index of actions.initToStart) {
    const container = pod.spec.initContainers![index]!;
    const started = await start(container);
    // The ones after it wait for a plain init container, not for a sidecar.
    if (!started && !isSidecar(container)) return errors;
  }
  if (isResized) {
    const runs = stillRunning(status, actions);
    const error = await actuate(context, pod, resize, runs);
    if (error) errors.set("", error);
  }
  for (const index of actions.toStart) {
    await start(pod.spec.containers[index]!);
  }
  return errors;
}
// endregion: sync-runtime

/** Without the containers that were just killed. */
function stillRunning(status: RuntimePod, { toKill }: PodActions): RuntimePod {
  if (toKill.length === 0) return status;
  const killed = new Set(toKill.map(({ id }) => id));
  const containers = status.containers.filter(({ id }) => !killed.has(id));
  return { ...status, containers };
}

const NO_ERRORS: SyncErrors = new Map();

function isNothing(actions: PodActions): boolean {
  const { toKill, ephemeralToStart, initToStart, toStart } = actions;
  const toDo = toKill.length + ephemeralToStart.length + initToStart.length;
  return toDo + toStart.length === 0 && !actions.killPod;
}

function announceNewSandbox(
  { events }: RuntimeContext,
  pod: Pod,
  { createSandbox, sandboxId }: PodActions,
): void {
  if (!createSandbox || !sandboxId) return;
  const message = "Pod sandbox changed, it will be killed and re-created.";
  events.event(pod, "Normal", "SandboxChanged", message);
}

/** They run again in the new sandbox, and must not seem to have ended. */
async function removeInitContainers(
  { runtime }: RuntimeContext,
  pod: Pod,
  status: RuntimePod,
): Promise<void> {
  for (const { name } of pod.spec.initContainers ?? []) {
    for (const { id, name: other } of status.containers) {
      if (other === name) await runtime.removeContainer({ container_id: id });
    }
  }
}

async function ensureSandbox(
  context: RuntimeContext,
  pod: Pod,
  status: RuntimePod,
  { createSandbox, sandboxId, attempt }: PodActions,
  errors: Map<string, KubeletError>,
): Promise<Sandbox | undefined> {
  const config = sandboxConfig(context.config, pod, attempt);
  if (!createSandbox) return { id: sandboxId, config, ips: status.ips };
  const { runtime, events } = context;
  try {
    const request = { config, runtime_handler: runtimeHandler(pod) };
    const { pod_sandbox_id } = await runtime.runPodSandbox(request);
    const answer = await runtime.podSandboxStatus({ pod_sandbox_id });
    const ips = pod.spec.hostNetwork
      ? [context.config.hostIP]
      : ipsOf(answer.status);
    context.onSandboxReady?.(pod, ips);
    return { id: pod_sandbox_id, config, ips };
  } catch (error) {
    const message = `Failed to create pod sandbox: ${messageOf(error)}`;
    events.event(pod, "Warning", "FailedCreatePodSandBox", message);
    errors.set("", new KubeletError("CreatePodSandboxError", messageOf(error)));
    return undefined;
  }
}

/** Of the RuntimeClass; the class of a name is taken to have that handler. */
function runtimeHandler({ spec }: Pod): string {
  return spec.runtimeClassName ?? "";
}

/** False if it did not start; the error is kept for the status. */
async function tryStart(
  context: RuntimeContext,
  pod: Pod,
  container: Container,
  status: RuntimePod,
  sandbox: Sandbox,
  errors: Map<string, KubeletError>,
): Promise<boolean> {
  try {
    backOffIfCrashing(context, pod, container, status);
    await startContainer(context, pod, container, status, sandbox);
    const resize = context.resizes?.of(pod);
    if (resize) startedWith(resize, container);
    return true;
  } catch (error) {
    const known = error instanceof KubeletError;
    const reason = known
      ? error
      : new KubeletError("RunContainerError", messageOf(error));
    errors.set(container.name, reason);
    return false;
  }
}

/** True if the runtime has the container running. */
export function isRunning(status: RuntimePod, name: string): boolean {
  return findContainer(status, name)?.state === "running";
}
