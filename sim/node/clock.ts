/** A kernel bound to the wall clock: its steps run when their time has come. */
import type { Kernel } from "../src/kernel/index.ts";

/** How often the simulated clock is moved up to the real one, in ms. */
const TICK_MS = 5;

/**
 * Moves the kernel on, `speed` times as fast as time passes, from now. Returns
 * how to end that; `onError` hears of what ended it otherwise.
 */
export function followClock(
  kernel: Kernel,
  speed = 1,
  onError?: (error: unknown) => void,
): () => Promise<void> {
  let open = true;
  const began = performance.now();
  const drive = async () => {
    while (open) {
      await kernel.run({ untilMs: (performance.now() - began) * speed });
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
  };
  const driving = onError ? drive().catch(onError) : drive();
  return async () => {
    open = false;
    await driving;
  };
}
