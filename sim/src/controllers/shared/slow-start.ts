/**
 * Slow start: 1 call, then 2, 4, 8 … side by side; the first batch with an
 * error is the last. A quota that refuses 500 Pods is asked once, not 500
 * times.
 * Models: pkg/controller/replicaset/replica_set.go (slowStartBatch) @ v1.36
 */

export interface SlowStartResult {
  readonly successes: number;
  /** The first error, if any. */
  readonly error?: unknown;
}

/** Calls `create` up to `count` times. */
export async function slowStart(
  count: number,
  create: (index: number) => Promise<unknown>,
): Promise<SlowStartResult> {
  let successes = 0;
  let remaining = count;
  for (let size = 1; remaining > 0; size *= 2) {
    const batch = Math.min(size, remaining);
    const from = count - remaining;
    const { done, error } = await sideBySide(batch, (i) => create(from + i));
    successes += done;
    if (error !== undefined) return { successes, error };
    remaining -= batch;
  }
  return { successes };
}

/** Calls `act` `count` times at once and waits for all of them. */
export async function sideBySide(
  count: number,
  act: (index: number) => Promise<unknown>,
): Promise<{ done: number; error?: unknown }> {
  let done = 0;
  let error: unknown;
  const one = async (index: number) => {
    try {
      await act(index);
      done++;
    } catch (caught) {
      error ??= caught;
    }
  };
  await Promise.all(Array.from({ length: count }, (_, index) => one(index)));
  return { done, error };
}
