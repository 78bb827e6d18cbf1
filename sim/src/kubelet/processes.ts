/**
 * Work side by side: each part is a process of its own, as a goroutine is.
 * (Two waits of one process must not race: the kernel runs one at a time.)
 */
import type { Kernel } from "../kernel/index.ts";

type Body = () => Promise<void>;

/** Runs all, each in a process; resolves once all have ended. */
export function runAll(
  kernel: Kernel,
  actor: string,
  bodies: readonly Body[],
): Promise<void> {
  return kernel.wait((resolve, reject) => {
    let left = bodies.length;
    if (left === 0) kernel.after(0, () => resolve());
    for (const body of bodies) {
      kernel.spawn(actor, async () => {
        try {
          await body();
        } catch (error) {
          reject(error);
        }
        if (--left === 0) resolve();
      });
    }
  });
}

/** Runs `body`, but goes on after `limitMs` without it. */
export function withTimeout(
  kernel: Kernel,
  actor: string,
  limitMs: number,
  body: Body,
): Promise<void> {
  return kernel.wait((resolve, reject) => {
    const timer = kernel.after(limitMs, () => resolve());
    kernel.spawn(actor, async () => {
      try {
        await body();
        resolve();
      } catch (error) {
        reject(error);
      }
      timer.cancel();
    });
  });
}
