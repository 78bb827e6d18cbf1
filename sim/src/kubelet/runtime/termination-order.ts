/**
 * Who stops when: the main containers first, then the sidecars, the last one
 * first. A sidecar waits for its turn, but not beyond the grace period.
 * Models: pkg/kubelet/kuberuntime/kuberuntime_termination_order.go @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import type { Kernel } from "../../kernel/index.ts";
import { sidecarsOf } from "../containers.ts";

export class TerminationOrder {
  private readonly kernel: Kernel;
  /** By sidecar: those that have to end before it. */
  private readonly before = new Map<string, readonly string[]>();
  private readonly running: Set<string>;
  private readonly waiters = new Set<() => void>();

  constructor(kernel: Kernel, pod: Pod, running: readonly string[]) {
    this.kernel = kernel;
    this.running = new Set(running);
    const earlier = pod.spec.containers.map(({ name }) => name);
    for (const { name } of sidecarsOf(pod).toReversed()) {
      this.before.set(name, [...earlier]);
      earlier.push(name);
    }
  }

  /** Waits until all before it have ended, or `graceSeconds`. */
  async waitForTurn(name: string, graceSeconds: number): Promise<void> {
    const isFree = () =>
      !this.before.get(name)?.some((other) => this.running.has(other));
    if (isFree()) return;
    await this.kernel.wait<void>((resolve) => {
      const check = () => {
        if (!isFree()) return;
        timer.cancel();
        this.waiters.delete(check);
        resolve();
      };
      const timer = this.kernel.after(graceSeconds * 1000, () => {
        this.waiters.delete(check);
        resolve();
      });
      this.waiters.add(check);
    });
  }

  ended(name: string): void {
    this.running.delete(name);
    for (const check of [...this.waiters]) check();
  }
}
