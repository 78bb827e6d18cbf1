/**
 * What to do about init containers: the plain ones one after another, each
 * to its end; sidecars started in their turn and kept running from then on.
 * Models: pkg/kubelet/kuberuntime/kuberuntime_container.go
 *         computeInitContainerActions @ v1.36
 */
import type { Container, Pod } from "../../api/kinds/pod.ts";
import { isSidecar, restartsAfter, restartsUnended } from "../containers.ts";
import { needsRestart } from "../resize/actuate.ts";
import type { Resize } from "../resize/resizes.ts";
import type { KillReason, PodActions, ProbeResults } from "./actions.ts";
import { containerHash } from "./labels.ts";
import {
  findContainer,
  type RuntimeContainer,
  type RuntimePod,
} from "./pod-status.ts";

/** What one container's state leads to. */
type Verdict =
  | { readonly kind: "wait" | "done" | "restart" | "fail" }
  | {
      readonly kind: "kill";
      readonly message: string;
      readonly reason: KillReason;
      readonly done: boolean;
    };

/**
 * Fills in `actions`; true once the Pod is initialized. Goes from the last
 * container to the first: the runtime may have removed the early ones.
 */
export function initActions(
  pod: Pod,
  status: RuntimePod,
  probes: ProbeResults,
  actions: PodActions,
  resize?: Pick<Resize, "inForce">,
): boolean {
  const init = pod.spec.initContainers ?? [];
  if (init.length === 0) return true;
  let initialized = mainRuns(pod, status);
  // Whether the container under the eye was passed before.
  let passed = initialized;
  for (let i = init.length - 1; i >= 0; i--) {
    const container = init[i]!;
    const current = findContainer(status, container.name);
    if (!current) {
      if (passed && isSidecar(container)) actions.initToStart.push(i);
      continue;
    }
    if (passed && !isSidecar(container)) continue;
    const verdict = judge(pod, container, current, probes, resize);
    if (verdict.kind === "fail") {
      actions.killPod = true;
      actions.initToStart = [];
      return false;
    }
    if (verdict.kind === "done" || (verdict.kind === "kill" && verdict.done)) {
      if (i === init.length - 1) initialized = true;
      else if (!passed) actions.initToStart.push(i + 1);
    }
    if (verdict.kind === "kill") {
      const { message, reason } = verdict;
      actions.toKill.push({ id: current.id, container, message, reason });
    }
    if (verdict.kind === "kill" || verdict.kind === "restart") {
      actions.initToStart.push(i);
    }
    passed = true;
  }
  if (!passed) actions.initToStart.push(0);
  actions.initToStart.reverse();
  return initialized;
}

/** A main container that exited does not count: its sandbox may be gone. */
function mainRuns(pod: Pod, status: RuntimePod): boolean {
  return pod.spec.containers.some(({ name }) => {
    const state = findContainer(status, name)?.state;
    return state === "created" || state === "running";
  });
}

function judge(
  pod: Pod,
  container: Container,
  current: RuntimeContainer,
  probes: ProbeResults,
  resize: Pick<Resize, "inForce"> | undefined,
): Verdict {
  const sidecar = isSidecar(container);
  switch (current.state) {
    case "created":
      return { kind: "restart" };
    case "running":
      return sidecar
        ? judgeSidecar(container, current, probes, resize)
        : { kind: "wait" };
    case "exited": {
      if (sidecar) return { kind: "restart" };
      const { exitCode } = current;
      if (exitCode === 0) return { kind: "done" };
      const ends = pod.metadata.deletionTimestamp !== undefined;
      const again = !ends && restartsAfter(pod, container, exitCode);
      return { kind: again ? "restart" : "fail" };
    }
    default:
      if (!restartsUnended(pod, container)) return { kind: "fail" };
      return kill(
        'Init container is in "unknown" state, try killing it before restart',
        "Unknown",
        false,
      );
  }
}

/** A sidecar counts as started once its startup probe has passed. */
function judgeSidecar(
  container: Container,
  current: RuntimeContainer,
  probes: ProbeResults,
  resize: Pick<Resize, "inForce"> | undefined,
): Verdict {
  const { name } = container;
  if (container.startupProbe) {
    const startup = probes.startup(current.id);
    if (startup === "Failure") {
      const message = `Init container ${name} failed startup probe`;
      return kill(message, "StartupProbe", false);
    }
    if (startup !== "Success") return { kind: "wait" };
  }
  if (containerHash(container) !== current.hash) {
    return kill(`Init container ${name} definition changed`, "", true);
  }
  if (container.livenessProbe) {
    const alive = probes.liveness(current.id);
    if (alive === "Failure") {
      const message = `Init container ${name} failed liveness probe`;
      return kill(message, "LivenessProbe", true);
    }
    // Not probed yet: a resize waits for the first answer.
    if (!alive) return { kind: "done" };
  }
  if (resize && needsRestart(container, resize.inForce.get(name))) {
    return kill(`Container ${name} resize requires restart`, "", true);
  }
  return { kind: "done" };
}

function kill(message: string, reason: KillReason, done: boolean): Verdict {
  return { kind: "kill", message, reason, done };
}
