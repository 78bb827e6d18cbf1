/**
 * Starting one container: its image, its configuration, CreateContainer,
 * StartContainer, the postStart hook. Each step that fails has its own reason.
 * Models: pkg/kubelet/kuberuntime/kuberuntime_container.go startContainer,
 *         kuberuntime_manager.go doBackOff @ v1.36
 */
import type { Container, Pod } from "../../api/kinds/pod.ts";
import type { PodSandboxConfig } from "../../cri/api.ts";
import { podText } from "../containers.ts";
import { containerConfig } from "./config.ts";
import {
  containerEvent,
  descOf,
  KubeletError,
  messageOf,
  type RuntimeContext,
} from "./context.ts";
import { goDuration } from "./go-duration.ts";
import { runHook } from "./hooks.ts";
import { killContainer } from "./kill.ts";
import { containerHash } from "./labels.ts";
import { findContainer, type RuntimePod } from "./pod-status.ts";
import { msOfNanos } from "./time.ts";

export interface Sandbox {
  readonly id: string;
  readonly config: PodSandboxConfig;
  readonly ips: readonly string[];
}

const PULL_ERRORS: readonly string[] = [
  "ErrImagePull",
  "ImagePullBackOff",
  "ErrImageNeverPull",
  "InvalidImageName",
  "ImageInspectError",
  "RegistryUnavailable",
  "SignatureValidationFailed",
];

/** Throws KubeletError: the reason for which the container waits. */
export async function startContainer(
  context: RuntimeContext,
  pod: Pod,
  container: Container,
  status: RuntimePod,
  sandbox: Sandbox,
): Promise<void> {
  const { runtime } = context;
  const say = (type: "Normal" | "Warning", reason: string, message: string) =>
    containerEvent(context, pod, container, type, reason, message);
  const failed = (reason: string, error: unknown): never => {
    // The message of a waiting reason that the image manager gave is its own.
    const known = error instanceof KubeletError ? error : undefined;
    const why = known?.reason ?? reason;
    const shown = isPullError(why) ? why : descOf(error);
    say("Warning", "Failed", `Error: ${shown}`);
    throw known ?? new KubeletError(why, descOf(error));
  };
  try {
    await context.images.ensure(context, pod, container);
  } catch (error) {
    return failed("ErrImagePull", error);
  }
  const last = findContainer(status, container.name);
  const attempt = last ? last.restartCount + 1 : 0;
  let id = "";
  try {
    const config = await containerConfig(
      context,
      pod,
      container,
      attempt,
      sandbox,
    );
    const request = { pod_sandbox_id: sandbox.id, config };
    const sandbox_config = sandbox.config;
    const made = await create(context, { ...request, sandbox_config });
    id = made.container_id;
  } catch (error) {
    return failed("CreateContainerError", error);
  }
  context.onContainer?.(pod, container, id);
  say("Normal", "Created", "Container created");
  try {
    await runtime.startContainer({ container_id: id });
  } catch (error) {
    return failed("RunContainerError", error);
  }
  say("Normal", "Started", "Container started");
  await postStart(context, pod, container, id);
}

function create(
  { runtime }: RuntimeContext,
  request: Parameters<RuntimeContext["runtime"]["createContainer"]>[0],
) {
  return runtime.createContainer(request);
}

/** The Event of these says the word only: another one has told the rest. */
function isPullError(reason: string): boolean {
  return PULL_ERRORS.includes(reason);
}

async function postStart(
  context: RuntimeContext,
  pod: Pod,
  container: Container,
  id: string,
): Promise<void> {
  const hook = container.lifecycle?.postStart;
  if (!hook) return;
  try {
    await runHook(context, pod, container, hook, id);
  } catch (error) {
    const reason = "FailedPostStartHook";
    // Why it failed might be a secret: the Event does not say it.
    const message = "PostStartHook failed";
    containerEvent(context, pod, container, "Warning", reason, message);
    const target = { id, container, message: reason, reason } as const;
    await killContainer(context, pod, target, {});
    throw new KubeletError("PostStartHookError", messageOf(error));
  }
}

/**
 * Throws CrashLoopBackOff while the container has to wait; otherwise notes
 * the restart, so that the next one waits longer. The first is at once.
 */
export function backOffIfCrashing(
  context: RuntimeContext,
  pod: Pod,
  container: Container,
  status: RuntimePod,
): void {
  const { kernel, crashBackoff } = context;
  const exited = status.containers.find(
    ({ name, state }) => name === container.name && state === "exited",
  );
  if (!exited) return;
  const finishedMs = msOfNanos(kernel, exited.finishedAt ?? 0);
  const key = crashKey(pod, container);
  if (crashBackoff.waitsSince(key, finishedMs, kernel.now())) {
    const text = podText(pod);
    const event = `Back-off restarting failed container ${container.name} in pod ${text}`;
    containerEvent(context, pod, container, "Warning", "BackOff", event);
    const waitMs = crashBackoff.get(key);
    const message = `back-off ${goDuration(waitMs)} restarting failed container=${container.name} pod=${text}`;
    throw new KubeletError("CrashLoopBackOff", message, finishedMs + waitMs);
  }
  crashBackoff.next(key, finishedMs, kernel.now());
}

export function crashKey(pod: Pod, container: Container): string {
  return `${pod.metadata.uid}_${container.name}_${containerHash(container)}`;
}
