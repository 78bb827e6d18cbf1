/**
 * The load balancer before several API servers: each request, and each watch,
 * goes to the next of them. Who refuses a connection is passed over at once.
 * Who takes it but cannot work, for want of etcd, is found by asking each for
 * its readiness again and again: after three failures it gets nothing more,
 * and its open connections end; after two successes it is back. If none is
 * ready, all are used: an answer that says what is wrong beats silence. The
 * balancer is itself a part that can fail, and then nobody reaches any of them.
 * Models:     HAProxy before API servers (check, inter 2s fall 3 rise 2, option
 *             redispatch, on-marked-down shutdown-sessions), but failing open,
 *             as the network load balancers of cloud providers do
 * Try:        stop `load-balancer`, and see what two spare API servers are
 *             worth; or stop the etcd member of one, and wait.
 */
import { ConnectionError, type Transport } from "../api/transport.ts";
import type { Kernel } from "../kernel/index.ts";

export const LOAD_BALANCER = "load-balancer";

const REFUSED = "connect: connection refused";
/** Between two questions to a server; also how long it may take to answer. */
const INTERVAL_MS = 2000;
/** Failures in a row after which a server is out. */
const FALL = 3;
/** Successes in a row after which it is in again. */
const RISE = 2;

export interface Backend {
  /** `kube-apiserver/cp-1` */
  readonly actor: string;
  /** GET /readyz: true if it answers 200. */
  ready(): Promise<boolean>;
  /** Ends the connections that go through it. */
  disconnect(): void;
}

interface Health {
  up: boolean;
  /** Answers in a row that speak against `up`. */
  against: number;
}

export class LoadBalancer {
  private readonly kernel: Kernel;
  private readonly backends: readonly Backend[];
  private readonly health = new Map<Backend, Health>();

  constructor(kernel: Kernel, backends: readonly Backend[]) {
    this.kernel = kernel;
    this.backends = backends;
    this.forget();
    kernel.faults.onChange((actor, up) => {
      if (actor === LOAD_BALANCER && up) this.forget();
    });
  }

  /** A balancer that starts takes every server for a good one. */
  private forget(): void {
    for (const one of this.backends)
      this.health.set(one, { up: true, against: 0 });
  }

  /** Begins to ask the servers how they are. */
  start(): void {
    for (const backend of this.backends) this.askLater(backend);
  }

  private askLater(backend: Backend): void {
    const { kernel } = this;
    const { causeId } = kernel;
    kernel.causeId = 0;
    kernel.after(INTERVAL_MS, () => {
      this.askLater(backend);
      if (kernel.faults.stopped(LOAD_BALANCER)) return;
      void this.ask(backend).then((ready) => this.take(backend, ready));
    });
    kernel.causeId = causeId;
  }

  private ask({ actor, ready }: Backend): Promise<boolean> {
    const { kernel } = this;
    return kernel.wait((resolve) => {
      const late = kernel.after(INTERVAL_MS, () => resolve(false));
      const answered = (is: boolean) => {
        late.cancel();
        resolve(is);
      };
      if (kernel.faults.blocked(LOAD_BALANCER, actor)) return answered(false);
      const delayMs = 2 * kernel.faults.delayMs(LOAD_BALANCER, actor);
      void ready().then((is) => kernel.after(delayMs, () => answered(is)));
    });
  }

  // region: take
  /** Counts an answer, and acts when there are enough of a kind. */
  private take(backend: Backend, ready: boolean): void {
    const health = this.health.get(backend)!;
    health.against = ready === health.up ? 0 : health.against + 1;
    if (health.against < (health.up ? FALL : RISE)) return;
    health.up = ready;
    health.against = 0;
    const what = ready ? "is ready again" : "is not ready: taken out";
    const { kernel } = this;
    kernel.causeId = kernel.record(LOAD_BALANCER, "probe", what, backend.actor);
    if (!ready && this.anyReady()) backend.disconnect();
  }
  // endregion: take

  /** The way of `actor` to one of the servers, `transports` in their order. */
  connect(actor: string, transports: readonly Transport[]): Transport {
    const { kernel, backends } = this;
    const count = backends.length;
    let turn = kernel.random.fork(`balance/${actor}`).int(count);
    const next = (): Transport | undefined => {
      const ready = this.anyReady();
      for (let i = 0; i < count; i++) {
        const at = turn++ % count;
        const backend = backends[at]!;
        if (ready ? this.isReady(backend) : this.runs(backend)) {
          return transports[at];
        }
      }
      return undefined;
    };
    const send = <T>(to: (transport: Transport) => Promise<T>): Promise<T> => {
      if (kernel.faults.blocked(actor, LOAD_BALANCER)) {
        return this.refuse(`dial tcp ${LOAD_BALANCER}:6443: ${REFUSED}`);
      }
      // With nobody to pass it to, the connection is taken and closed.
      const transport = next();
      return transport ? to(transport) : this.refuse("EOF");
    };
    return {
      request: (request) => send((transport) => transport.request(request)),
      watch: (request, handler) =>
        send((transport) => transport.watch(request, handler)),
      raw: (request) => send((transport) => transport.raw!(request)),
    };
  }

  private anyReady(): boolean {
    return this.backends.some((backend) => this.isReady(backend));
  }

  private isReady(backend: Backend): boolean {
    return this.health.get(backend)!.up && this.runs(backend);
  }

  /** A connection to it is not refused. */
  private runs({ actor }: Backend): boolean {
    return !this.kernel.faults.stopped(actor);
  }

  /** Nobody is there: told at once, but in a step of its own. */
  private refuse(why: string): Promise<never> {
    const { kernel } = this;
    return kernel.wait((_, reject) => {
      kernel.after(1, () => reject(new ConnectionError(LOAD_BALANCER, why)));
    });
  }
}
