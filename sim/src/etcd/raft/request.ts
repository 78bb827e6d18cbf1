/** A request that may wait for a leader, and that is given up in the end. */
import type { Kernel } from "../../kernel/index.ts";
import { ETCD_ERRORS, EtcdError } from "../types.ts";

/** A member gives a request up after five seconds and two elections. */
const SERVER_TIMEOUT_MS = 7000;
/** A request that found no leader is tried again after so long. */
export const RETRY_MS = 100;

export interface Settle<T> {
  readonly done: boolean;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/**
 * Calls `begin`, and again whenever that asks for it, until it settles or the
 * time is up: the client's `timeoutMs`, or without one the member's own.
 */
export function patiently<T>(
  kernel: Kernel,
  timeoutMs: number | undefined,
  begin: (settle: Settle<T>, again: () => void) => void,
): Promise<T> {
  const text =
    timeoutMs === undefined ? ETCD_ERRORS.timeout : ETCD_ERRORS.deadline;
  return kernel.wait<T>((resolve, reject) => {
    const settle = {
      done: false,
      resolve: (value: T) => finish(() => resolve(value)),
      reject: (error: unknown) => finish(() => reject(error)),
    };
    const finish = (run: () => void) => {
      if (settle.done) return;
      settle.done = true;
      timer.cancel();
      run();
    };
    const timer = kernel.after(timeoutMs ?? SERVER_TIMEOUT_MS, () =>
      settle.reject(new EtcdError(text)),
    );
    const again = () => kernel.after(RETRY_MS, () => settle.done || start());
    const start = () => {
      try {
        begin(settle, again);
      } catch (error) {
        settle.reject(error);
      }
    };
    start();
  });
}
