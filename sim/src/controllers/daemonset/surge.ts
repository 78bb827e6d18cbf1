/**
 * Rolling update with maxSurge: on a Node the new Pod starts before the old
 * one goes.
 * Models: pkg/controller/daemon/{daemon_controller,update}.go @ v1.36
 */
import type { DaemonSet } from "../../api/kinds/daemonset.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { Kernel } from "../../kernel/index.ts";
import { isReady, untilAvailableMs } from "../shared/pods.ts";
import { isUpdated } from "./placement.ts";

export function allowsSurge({ spec }: DaemonSet): boolean {
  const { type, rollingUpdate } = spec.updateStrategy ?? {};
  const { maxSurge = 0 } = rollingUpdate ?? {};
  if (type !== "RollingUpdate") return false;
  return maxSurge !== 0 && maxSurge !== "0%";
}

export function isAvailable(
  { spec }: DaemonSet,
  pod: Pod,
  kernel: Pick<Kernel, "now" | "msOf">,
): boolean {
  return untilAvailableMs(pod, spec.minReadySeconds ?? 0, kernel) === 0;
}

/**
 * Of the Pods on one Node, oldest first, two may stay: an old one that is available and a
 * new one that is not yet. Returns the others.
 */
export function surplusWhileSurging(
  set: DaemonSet,
  running: readonly Pod[],
  hash: string,
  kernel: Pick<Kernel, "now" | "msOf">,
): Pod[] {
  if (running.length <= 1) return [];
  const [newest, ...otherNew] = running.filter((p) => isUpdated(set, p, hash));
  const [oldest, ...otherOld] = running.filter((p) => !isUpdated(set, p, hash));
  const surplus = [...otherNew, ...otherOld];
  if (newest && oldest) {
    const done = isAvailable(set, newest, kernel);
    if (done || !isReady(oldest)) surplus.push(oldest);
  }
  return surplus;
}
