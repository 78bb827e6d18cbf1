/**
 * What a pod worker does with its Pod: keep it going, end it, clean up after
 * it. Three functions, one for each part of a Pod's life on a node; the order
 * of the steps is upstream's.
 * Models:     pkg/kubelet/kubelet.go SyncPod, SyncTerminatingPod,
 *             SyncTerminatedPod, pod_workers.go completeWork @ v1.36
 * Leaves out: user namespaces, devices, tracing.
 * Try:        write the status after the containers instead of before.
 */
import type { Pod, PodStatus } from "../api/kinds/pod.ts";
import { isStaticPod } from "./containers.ts";
import type { Ending, KubeletParts } from "./parts.ts";
import { checkProgress } from "./resize/actuate.ts";
import { KubeletError } from "./runtime/context.ts";
import { killPod } from "./runtime/kill.ts";
import type { RuntimePod } from "./runtime/pod-status.ts";
import { type SyncErrors, syncRuntime } from "./runtime/sync.ts";
import { generateStatus } from "./status/generate.ts";

export interface SyncResult {
  /** The Pod has come to its end by itself. */
  readonly terminal: boolean;
  /** When to come again, in ms; absent or never: when something happens. */
  readonly againAtMs?: number;
}

const NEVER = Number.POSITIVE_INFINITY;

const NETWORK_RETRY_MS = 1000;
const ERROR_RETRY_MS = 10_000;
const RESYNC_MS = 60_000;

// region: sync-pod
export async function syncPod(
  parts: KubeletParts,
  pod: Pod,
  runtime: RuntimePod,
): Promise<SyncResult> {
  const resize = parts.context.resizes?.of(pod);
  if (resize) checkProgress(parts.context, pod, resize, runtime);
  const status = setStatus(parts, pod, runtime, false);
  if (status.phase === "Succeeded" || status.phase === "Failed") {
    return { terminal: true };
  }
  const deadlineMs = deadlineOf(parts, pod);
  if (deadlineMs <= parts.kernel.now()) {
    endByDeadline(parts, pod);
    return { terminal: true };
  }
  const problem = parts.networkProblem();
  if (problem && !pod.spec.hostNetwork) {
    const message = `network is not ready: ${problem}`;
    parts.events.event(pod, "Warning", "NetworkNotReady", message);
    return {
      terminal: false,
      againAtMs: parts.kernel.now() + NETWORK_RETRY_MS,
    };
  }
  if (isStaticPod(pod)) await parts.mirror(pod);
  const missing = await parts.volumes.waitForAttachAndMount(pod);
  if (missing) {
    const { message, againAtMs } = missing;
    if (message) parts.events.event(pod, "Warning", "FailedMount", message);
    return { terminal: false, againAtMs };
  }
  parts.probes.addPod(pod);
  const errors = await syncRuntime(parts.context, pod, runtime);
  parts.reasons.set(pod.metadata.uid ?? "", errors);
  if (errors.size > 0) setStatus(parts, pod, runtime, false);
  const againAtMs = Math.min(retryAtMs(parts, errors), deadlineMs);
  return { terminal: false, againAtMs };
}
// endregion: sync-pod

/** When `activeDeadlineSeconds` have passed since the start; else never. */
function deadlineOf({ kernel, status }: KubeletParts, pod: Pod): number {
  const { activeDeadlineSeconds: seconds } = pod.spec;
  const { startTime } = status.get(pod);
  if (seconds === undefined || !startTime) return NEVER;
  return kernel.msOf(startTime) + seconds * 1000;
}

function endByDeadline({ ending, events }: KubeletParts, pod: Pod): void {
  const reason = "DeadlineExceeded";
  const message =
    "Pod was active on the node longer than the specified deadline";
  ending.set(pod.metadata.uid ?? "", { phase: "Failed", reason, message });
  events.event(pod, "Normal", reason, message);
}

/** The status first: the API shall know before the node acts. */
function setStatus(
  parts: KubeletParts,
  pod: Pod,
  runtime: RuntimePod,
  podIsTerminal: boolean,
) {
  const before = parts.status.get(pod);
  const status = generateStatus(
    parts.generate,
    pod,
    runtime,
    before,
    podIsTerminal,
  );
  const ending = parts.ending.get(pod.metadata.uid ?? "");
  const now = parts.kernel.timestamp();
  const shown = ending ? ended(status, ending, podIsTerminal, now) : status;
  parts.status.set(pod, shown);
  return status;
}

/** No Pod is Failed while something of it may still run. */
function ended(
  status: PodStatus,
  { condition, unlessSucceeded, ...ending }: Ending,
  podIsTerminal: boolean,
  lastTransitionTime: string,
): PodStatus {
  const { conditions = [], phase } = status;
  const known = conditions.some(({ type }) => type === condition?.type);
  const all =
    condition && !known
      ? { conditions: [...conditions, { ...condition, lastTransitionTime }] }
      : {};
  if (!podIsTerminal) return { ...status, ...all };
  const well = unlessSucceeded && phase === "Succeeded";
  return { ...status, ...all, ...ending, ...(well ? { phase } : {}) };
}

/** When the back-off is over, or in a minute; in 10 s where there is none. Up to half more, by chance. */
function retryAtMs({ kernel, random }: KubeletParts, errors: SyncErrors) {
  if (errors.size === 0) return NEVER;
  const now = kernel.now();
  const ends = [...errors.values()].map((error) => error.retryAtMs ?? NEVER);
  const endMs = Math.min(...ends);
  const waitMs = endMs === NEVER ? ERROR_RETRY_MS : Math.max(0, endMs - now);
  return now + Math.min(waitMs, RESYNC_MS) * random.between(1, 1.5);
}

/** Ends all containers; resolves with their last states. */
export async function syncTerminatingPod(
  parts: KubeletParts,
  pod: Pod,
  runtime: RuntimePod,
  graceOverride: number | undefined,
): Promise<RuntimePod> {
  setStatus(parts, pod, runtime, false);
  parts.probes.stopLivenessAndStartup(pod);
  await killPod(parts.context, pod, runtime, graceOverride);
  parts.probes.removePod(pod);
  // The last states of all containers: exit codes decide the phase.
  const ended = await parts.readStatus(pod);
  const running = ended.containers.find(({ state }) => state === "running");
  if (running) {
    throw new KubeletError(
      "KillPodError",
      `container ${running.name} still runs`,
    );
  }
  setStatus(parts, pod, ended, true);
  return ended;
}

/** Nothing runs any more: unmount, forget, and let the object go. */
export async function syncTerminatedPod(
  parts: KubeletParts,
  pod: Pod,
  runtime: RuntimePod,
): Promise<void> {
  setStatus(parts, pod, runtime, true);
  await parts.volumes.waitForUnmount(pod);
  parts.status.finish(pod);
}
