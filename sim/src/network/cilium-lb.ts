/**
 * Cilium's load balancing, as its programs do it: a frontend is looked up in
 * the services map, and a backend is chosen: where the client was last, if the
 * Service asks for that, else one by chance.
 * Models:     cilium bpf/lib/lb.h (lb4_affinity_backend_id and its friends)
 * Leaves out: Maglev; the limit of the affinity map's size.
 * Try:        leave `isBackend` out, and take the client's backend away.
 */
import { inCidr } from "./ip.ts";
import { endpointOf } from "./packet.ts";

export interface CiliumBackend {
  readonly ip: string;
  readonly port: number;
}

/** A frontend's entry of the services map. */
export interface CiliumService {
  readonly backends: readonly CiliumBackend[];
  /** Seconds; 0 without session affinity. */
  readonly affinitySeconds: number;
  /** Clients that may come from outside; empty: all. */
  readonly sourceRanges: readonly string[];
}

/** By frontend: `10.96.0.10:53/udp`; node ports: `0.0.0.0:30080/tcp`. */
export type CiliumServices = ReadonlyMap<string, CiliumService>;

export class CiliumBalancer {
  /** For processes of the cluster, as they connect. */
  inside: CiliumServices = new Map();
  /** For packets from outside. */
  outside: CiliumServices = new Map();
  private readonly random: (bound: number) => number;
  private readonly now: () => number;
  /** By frontend and client. */
  private readonly affinity = new Map<
    string,
    { to: CiliumBackend; usedAtMs: number }
  >();

  constructor(options: {
    readonly random: (bound: number) => number;
    /** In ms. */
    readonly now: () => number;
  }) {
    this.random = options.random;
    this.now = options.now;
  }

  // region: affinity
  /** A backend for the client: an address, or a network namespace's cookie. */
  choose(
    frontend: string,
    { backends, affinitySeconds }: CiliumService,
    client: string,
  ): CiliumBackend | undefined {
    if (affinitySeconds === 0) return this.oneOf(backends);
    const key = `${frontend} ${client}`;
    const last = this.affinity.get(key);
    const untilMs = last ? last.usedAtMs + affinitySeconds * 1000 : 0;
    const kept = last && this.now() < untilMs && isBackend(last.to, backends);
    const to = kept ? last.to : this.oneOf(backends);
    if (to) this.affinity.set(key, { to, usedAtMs: this.now() });
    else this.affinity.delete(key);
    return to;
  }
  // endregion: affinity

  private oneOf<T>(all: readonly T[]): T | undefined {
    return all.length > 0 ? all[this.random(all.length)] : undefined;
  }
}

/** The affinity's match map: it may be gone since. */
function isBackend(
  one: CiliumBackend,
  backends: readonly CiliumBackend[],
): boolean {
  const name = ({ ip, port }: CiliumBackend) => endpointOf(ip, port);
  return backends.some((each) => name(each) === name(one));
}

export function letsIn({ sourceRanges }: CiliumService, ip: string): boolean {
  return (
    sourceRanges.length === 0 || sourceRanges.some((range) => inCidr(ip, range))
  );
}
