/**
 * The phase of a Pod: one word for the states of all its containers.
 * Models: pkg/kubelet/kubelet_pods.go getPhase @ v1.36
 */
import type { ContainerStatus, Pod } from "../../api/kinds/pod.ts";
import { isSidecar, isStaticPod, restartsAfter } from "../containers.ts";

export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed";

class Counts {
  pendingInit = 0;
  pendingSidecars = 0;
  failedInit = 0;
  unknown = 0;
  running = 0;
  waiting = 0;
  stopped = 0;
  succeeded = 0;
  /** Ended, and their own policy or rules start them again. */
  restarting = 0;
}

/** `statuses`: those of all containers, init containers included. */
export function phaseOf(
  pod: Pod,
  statuses: readonly ContainerStatus[],
  podIsTerminal: boolean,
  podHasInitialized: boolean,
): PodPhase {
  const n = count(pod, statuses);
  const policy = pod.spec.restartPolicy ?? "Always";
  if (n.failedInit > 0 && policy === "Never") return "Failed";
  const initializing =
    n.pendingInit > 0 ||
    n.failedInit > 0 ||
    (!podHasInitialized && n.pendingSidecars > 0);
  if (initializing || n.waiting > 0 || n.unknown > 0) return "Pending";
  if (n.running > 0) return "Running";
  if (n.stopped === 0) return "Pending";
  const allSucceeded = n.stopped === n.succeeded;
  if (podIsTerminal && !isStaticPod(pod)) {
    return allSucceeded ? "Succeeded" : "Failed";
  }
  if (n.restarting > 0 || policy === "Always") return "Running";
  if (allSucceeded) return "Succeeded";
  return policy === "Never" ? "Failed" : "Running";
}

function count(pod: Pod, statuses: readonly ContainerStatus[]): Counts {
  const n = new Counts();
  const statusOf = (name: string) => statuses.find((s) => s.name === name);
  for (const container of pod.spec.initContainers ?? []) {
    const status = statusOf(container.name);
    if (isSidecar(container)) countSidecar(n, status);
    else countInit(n, status);
  }
  for (const container of pod.spec.containers) {
    const status = statusOf(container.name);
    countMain(n, status);
    const code = (status?.state?.terminated ?? status?.lastState?.terminated)
      ?.exitCode;
    const own = container.restartPolicy || container.restartPolicyRules;
    const ended = code !== undefined && !status?.state?.running;
    if (own && ended && restartsAfter(pod, container, code)) n.restarting++;
  }
  return n;
}

function countInit(n: Counts, status: ContainerStatus | undefined): void {
  const { terminated, waiting } = status?.state ?? {};
  const ended = terminated ?? (waiting && status?.lastState?.terminated);
  if (!ended) n.pendingInit++;
  else if (ended.exitCode !== 0) n.failedInit++;
}

/** Sidecars that ended do not count: they come again or do not matter. */
function countSidecar(n: Counts, status: ContainerStatus | undefined): void {
  const { running, terminated, waiting } = status?.state ?? {};
  if (!status) n.unknown++;
  else if (running) {
    if (!status.started) n.pendingSidecars++;
    n.running++;
  } else if (terminated) return;
  else if (waiting) {
    if (status.lastState?.terminated) return;
    n.pendingSidecars++;
    n.waiting++;
  } else {
    n.pendingSidecars++;
    n.unknown++;
  }
}

function countMain(n: Counts, status: ContainerStatus | undefined): void {
  const { running, terminated, waiting } = status?.state ?? {};
  if (running) n.running++;
  else if (terminated) {
    n.stopped++;
    if (terminated.exitCode === 0) n.succeeded++;
  } else if (waiting) {
    if (status?.lastState?.terminated) n.stopped++;
    else n.waiting++;
  } else n.unknown++;
}
