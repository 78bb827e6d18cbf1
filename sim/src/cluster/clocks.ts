/** Machines whose clocks are wrong: what runs on them sees another kernel. */
import { type Kernel, withClock } from "../kernel/index.ts";
import type { Scenario } from "../scenario.ts";

/** The kernel for `actor`: `kubelet/node-1`, `kube-apiserver/cp-2`. */
export function clockOf(
  kernel: Kernel,
  { clocks = {} }: Scenario,
  actor: string,
): Kernel {
  const machine = actor.split("/")[1] ?? "cp-1";
  const aheadMs = clocks[machine] ?? 0;
  return aheadMs === 0 ? kernel : withClock(kernel, aheadMs);
}
