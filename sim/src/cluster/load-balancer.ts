/**
 * The load balancer before several API servers: each request, and each watch,
 * goes to the next server that is up. It knows by health checks which are; it
 * is itself a part that can fail, and then nobody reaches any of them.
 * Try: stop `load-balancer`, and see what two spare API servers are worth.
 */
import { ConnectionError, type Transport } from "../api/transport.ts";
import type { Kernel } from "../kernel/index.ts";

export const LOAD_BALANCER = "load-balancer";

export interface Backend {
  /** `kube-apiserver/cp-1` */
  readonly actor: string;
  readonly transport: Transport;
}

/** The way of `actor` to one of the backends. */
export function balanced(
  kernel: Kernel,
  actor: string,
  backends: readonly Backend[],
): Transport {
  let turn = kernel.random.fork(`balance/${actor}`).int(backends.length);
  const next = (): Transport | undefined => {
    if (kernel.faults.blocked(actor, LOAD_BALANCER)) return undefined;
    for (let i = 0; i < backends.length; i++) {
      const backend = backends[turn++ % backends.length]!;
      if (!kernel.faults.stopped(backend.actor)) return backend.transport;
    }
    return undefined;
  };
  return {
    request: (request) => next()?.request(request) ?? refused(kernel),
    watch: (request, handler) =>
      next()?.watch(request, handler) ?? refused(kernel),
  };
}

/** Nobody is there: told at once, but in a step of its own. */
function refused(kernel: Kernel): Promise<never> {
  return kernel.wait((_, reject) => {
    const message = `dial tcp ${LOAD_BALANCER}:6443: connect: connection refused`;
    kernel.after(1, () => reject(new ConnectionError(LOAD_BALANCER, message)));
  });
}
