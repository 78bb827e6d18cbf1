/** A call of a sidecar to the driver beside it, as the trace shows it. */
import { CsiError } from "../csi/api.ts";
import type { Kernel } from "../kernel/index.ts";

/**
 * Waits after errors: no storage is any faster for being asked at once.
 * Source: --retry-interval-start, --retry-interval-max of the sidecars
 */
export const BACKOFF = { firstMs: 1_000, maxMs: 300_000 };

interface Caller {
  readonly kernel: Kernel;
  readonly actor: string;
}

export async function call<T>(
  { kernel, actor }: Caller,
  driver: string,
  name: string,
  request: object,
  run: () => Promise<T>,
): Promise<T> {
  const detail: { request: object; response?: T; error?: string } = { request };
  kernel.causeId = kernel.record(actor, "csi", name, `csi/${driver}`, detail);
  try {
    const response = await run();
    detail.response = response;
    return response;
  } catch (error) {
    if (error instanceof CsiError) detail.error = error.message;
    throw error;
  }
}
