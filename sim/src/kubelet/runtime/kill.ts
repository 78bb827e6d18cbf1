/**
 * Killing: a container with its preStop hook and its grace period, a Pod with
 * all its containers at once (sidecars last) and then its sandbox.
 * Models: pkg/kubelet/kuberuntime/kuberuntime_container.go killContainer,
 *         kuberuntime_manager.go killPodWithSyncResult @ v1.36
 * Try:    give a preStop hook of 40 s a grace period of 30 s.
 */
import type { Container, Pod } from "../../api/kinds/pod.ts";
import { allContainers, sidecarsOf } from "../containers.ts";
import { runAll, withTimeout } from "../processes.ts";
import type { ContainerToKill, KillReason } from "./actions.ts";
import { containerEvent, type RuntimeContext } from "./context.ts";
import { runHook } from "./hooks.ts";
import type { RuntimePod } from "./pod-status.ts";
import { TerminationOrder } from "./termination-order.ts";

/** Never less, so that a container gets TERM before KILL. */
const GRACE_SECONDS_MIN = 2;

export interface KillOptions {
  /** Instead of the Pod's own grace period. */
  readonly graceOverride?: number;
  readonly order?: TerminationOrder;
}

export async function killContainer(
  context: RuntimeContext,
  pod: Pod,
  { id, container, message, reason }: ContainerToKill,
  { graceOverride, order }: KillOptions,
): Promise<void> {
  const { kernel, runtime } = context;
  const text = message || `Stopping container ${container.name}`;
  containerEvent(context, pod, container, "Normal", "Killing", text);
  let grace = graceOverride ?? graceSeconds(pod, container, reason);
  const elapsed = (sinceMs: number) =>
    Math.floor((kernel.now() - sinceMs) / 1000);
  if (container.lifecycle?.preStop && grace > 0) {
    const begunMs = kernel.now();
    await preStop(context, pod, container, id, grace);
    grace -= elapsed(begunMs);
  }
  if (order && grace > 0) {
    const begunMs = kernel.now();
    await order.waitForTurn(container.name, grace);
    grace -= elapsed(begunMs);
  }
  const timeout = Math.max(grace, GRACE_SECONDS_MIN);
  await runtime.stopContainer({ container_id: id, timeout });
  order?.ended(container.name);
}

/** The grace period of the deletion, of the probe that failed, of the spec. */
function graceSeconds(
  pod: Pod,
  container: Container,
  reason: KillReason,
): number {
  const { deletionGracePeriodSeconds } = pod.metadata;
  if (deletionGracePeriodSeconds !== undefined)
    return deletionGracePeriodSeconds;
  const { terminationGracePeriodSeconds: ofPod } = pod.spec;
  if (ofPod === undefined) return GRACE_SECONDS_MIN;
  const probe =
    reason === "LivenessProbe"
      ? container.livenessProbe
      : reason === "StartupProbe"
        ? container.startupProbe
        : undefined;
  return probe?.terminationGracePeriodSeconds ?? ofPod;
}

/** Ends after the grace period even if the hook does not. */
async function preStop(
  context: RuntimeContext,
  pod: Pod,
  container: Container,
  id: string,
  graceSecondsLeft: number,
): Promise<void> {
  const { kernel, actor } = context;
  const hook = container.lifecycle?.preStop;
  if (!hook) return;
  try {
    const limitMs = graceSecondsLeft * 1000;
    const run = () => runHook(context, pod, container, hook, id);
    await withTimeout(kernel, actor, limitMs, run);
  } catch {
    const reason = "FailedPreStopHook";
    const message = "PreStopHook failed";
    containerEvent(context, pod, container, "Warning", reason, message);
  }
}

/** Stops all running containers side by side, then every sandbox. */
export async function killPod(
  context: RuntimeContext,
  pod: Pod,
  status: RuntimePod,
  graceOverride?: number,
): Promise<void> {
  // A Pod that is new has nothing yet.
  if (status.containers.length + status.sandboxes.length === 0) return;
  const running = status.containers.filter((c) => c.state === "running");
  const names = running.map((container) => container.name);
  const order =
    sidecarsOf(pod).length > 0
      ? new TerminationOrder(context.kernel, pod, names)
      : undefined;
  const specs = allContainers(pod);
  const kills = running.map(({ id, name }) => {
    const container = specs.find((spec) => spec.name === name) ?? { name };
    const target: ContainerToKill = { id, container, message: "", reason: "" };
    return () => killContainer(context, pod, target, { graceOverride, order });
  });
  if (kills.length > 0) await runAll(context.kernel, context.actor, kills);
  for (const { id } of status.sandboxes) {
    await context.runtime.stopPodSandbox({ pod_sandbox_id: id });
  }
}
