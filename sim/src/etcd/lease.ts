/**
 * Leases: a promise to delete keys unless the holder keeps it alive.
 * Models:     etcd server/lease/lessor.go (3.5)
 * Leaves out: checkpoints, the limit on revocations a second.
 */
import type { Kernel, Timer } from "../kernel/index.ts";
import { ETCD_ERRORS, EtcdError } from "./types.ts";

/** The least time to live: one and a half election timeouts, rounded up. */
export const LEASE_TTL_MIN_SECONDS = 2;
/** The lessor looks for expired leases this often. */
const EXPIRY_CHECK_MS = 500;

export interface LeaseState {
  readonly id: number;
  /** Seconds. */
  readonly ttl: number;
  readonly keys: ReadonlySet<string>;
}

interface Lease extends LeaseState {
  readonly keys: Set<string>;
  expiresAtMs: number;
  timer: Timer | null;
}

export class Lessor {
  private readonly kernel: Kernel;
  private readonly expire: (id: number) => void;
  private readonly leases = new Map<number, Lease>();
  private nextId = 1;
  /** Only the leader's lessor lets leases expire. */
  private primary = true;

  /** `expire` is called when a lease ran out; it is to revoke it. */
  constructor(kernel: Kernel, expire: (id: number) => void) {
    this.kernel = kernel;
    this.expire = expire;
  }

  /** A lease id that was not given out yet. */
  newId(): number {
    return this.nextId;
  }

  grant(id: number, ttl: number): { id: number; ttl: number } {
    const granted = Math.max(ttl, LEASE_TTL_MIN_SECONDS);
    const keys = new Set<string>();
    const lease = { id, ttl: granted, keys, expiresAtMs: 0, timer: null };
    this.leases.set(id, lease);
    this.nextId = Math.max(this.nextId, id + 1);
    this.renew(lease);
    return { id, ttl: granted };
  }

  keepAlive(id: number): { id: number; ttl: number } {
    const lease = this.get(id);
    this.renew(lease);
    return { id, ttl: lease.ttl };
  }

  private renew(lease: Lease): void {
    lease.timer?.cancel();
    lease.timer = null;
    lease.expiresAtMs = this.kernel.now() + lease.ttl * 1000;
    if (this.primary) this.arm(lease);
  }

  private arm(lease: Lease): void {
    const ticks = Math.floor(lease.expiresAtMs / EXPIRY_CHECK_MS) + 1;
    const delayMs = ticks * EXPIRY_CHECK_MS - this.kernel.now();
    lease.timer = this.kernel.after(delayMs, () => this.expire(lease.id));
  }

  /** A new leader gives every lease its whole time again. */
  setPrimary(primary: boolean): void {
    if (primary === this.primary) return;
    this.primary = primary;
    for (const lease of this.leases.values()) {
      lease.timer?.cancel();
      lease.timer = null;
      if (primary) this.renew(lease);
    }
  }

  get(id: number): Lease {
    const lease = this.leases.get(id);
    if (!lease) throw new EtcdError(ETCD_ERRORS.leaseNotFound);
    return lease;
  }

  /** True if the lease is there and its time is up. */
  hasExpired(id: number): boolean {
    const lease = this.leases.get(id);
    return lease !== undefined && lease.expiresAtMs <= this.kernel.now();
  }

  /** Granted time, time left (seconds) and keys in order. */
  timeToLive(id: number) {
    const { ttl, keys, expiresAtMs } = this.get(id);
    const left = Math.ceil((expiresAtMs - this.kernel.now()) / 1000);
    return { granted: ttl, ttl: left, keys: [...keys].sort() };
  }

  save(): LeaseState[] {
    return [...this.leases.values()].map(({ id, ttl, keys }) => {
      return { id, ttl, keys: new Set(keys) };
    });
  }

  /** Forgets its own leases and takes over others, each with its whole time. */
  load(leases: readonly LeaseState[]): void {
    for (const { timer } of this.leases.values()) timer?.cancel();
    this.leases.clear();
    for (const { id, ttl, keys } of leases) {
      this.grant(id, ttl);
      for (const key of keys) this.get(id).keys.add(key);
    }
  }

  /** Moves a key from the lease `from` to the lease `to`; 0 is none. */
  move(key: string, from: number, to: number): void {
    if (from !== 0) this.leases.get(from)?.keys.delete(key);
    if (to !== 0) this.get(to).keys.add(key);
  }

  /** Forgets the lease; its keys in order are the caller's to delete. */
  revoke(id: number): string[] {
    const lease = this.get(id);
    lease.timer?.cancel();
    this.leases.delete(id);
    return [...lease.keys].sort();
  }
}
