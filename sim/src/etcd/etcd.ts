/**
 * A cluster of one member: nobody to agree with, so every answer comes at
 * once. What it keeps survives `restart`, as a disk does.
 * Models:     etcd with a single member (3.5)
 * Leaves out: the write-ahead log; nothing here can be lost between a commit
 *             and a crash.
 * Try:        let `txn` succeed always, and see what conflicts were good for.
 */
import type { Kernel } from "../kernel/index.ts";
import { Keyspace } from "./keyspace.ts";
import {
  type DeleteRequest,
  type DeleteResponse,
  ETCD_ERRORS,
  type EtcdApi,
  EtcdError,
  type LeaseGranted,
  type PutRequest,
  type PutResponse,
  type RangeRequest,
  type RangeResponse,
  type TxnRequest,
  type TxnResponse,
  type Watch,
  type WatchRequest,
  type WatchResponse,
} from "./types.ts";

export interface EtcdOptions {
  readonly kernel: Kernel;
  /** Name in the trace. */
  readonly actor?: string;
}

/** A lease that ran out while the member was down ends soon after. */
const EXPIRY_RETRY_MS = 500;

export class Etcd implements EtcdApi {
  readonly actor: string;
  readonly immediate = true;
  readonly keyspace: Keyspace;
  /** Raft's term: it grows with every restart, even of one member. */
  term = 2;
  private readonly kernel: Kernel;
  /** Requests that changed or read something, for comparing with a cache. */
  readonly count = { range: 0, txn: 0, put: 0, delete: 0, watch: 0 };

  constructor({ kernel, actor = "etcd" }: EtcdOptions) {
    this.kernel = kernel;
    this.actor = actor;
    this.keyspace = new Keyspace(kernel, (id) => this.expire(id));
  }

  get revision(): number {
    return this.keyspace.store.revision;
  }

  range(request: RangeRequest): RangeResponse {
    this.ping();
    this.count.range++;
    return this.keyspace.range(request);
  }

  put(request: PutRequest): PutResponse {
    this.ping();
    this.count.put++;
    return this.keyspace.put(request);
  }

  deleteRange(request: DeleteRequest): DeleteResponse {
    this.ping();
    this.count.delete++;
    return this.keyspace.deleteRange(request);
  }

  txn(request: TxnRequest): TxnResponse {
    this.ping();
    this.count.txn++;
    return this.keyspace.txn(request);
  }

  compact(revision: number): number {
    this.ping();
    return this.keyspace.compact(revision);
  }

  watch(
    request: WatchRequest,
    onResponse: (response: WatchResponse) => void,
  ): Watch {
    this.count.watch++;
    return this.keyspace.hub.watch(request, onResponse);
  }

  leaseGrant(ttl: number): LeaseGranted {
    this.ping();
    const { lessor } = this.keyspace;
    return this.keyspace.leaseGrant(lessor.newId(), ttl);
  }

  leaseKeepAlive(id: number): LeaseGranted {
    this.ping();
    return this.keyspace.leaseKeepAlive(id);
  }

  leaseRevoke(id: number): number {
    this.ping();
    return this.keyspace.leaseRevoke(id);
  }

  /** The process dies and comes back: watches end, what was kept stays. */
  restart(): void {
    this.term++;
    const lost = new EtcdError(ETCD_ERRORS.unavailable);
    this.keyspace.hub.cancelAll(lost, () => true);
    this.keyspace.lessor.setPrimary(false);
    this.keyspace.lessor.setPrimary(true);
  }

  private expire(id: number): void {
    const { kernel, keyspace } = this;
    if (!keyspace.lessor.hasExpired(id)) return;
    if (kernel.faults.stopped(this.actor)) {
      kernel.after(EXPIRY_RETRY_MS, () => this.expire(id));
      return;
    }
    kernel.causeId = kernel.record(this.actor, "txn", `lease ${id} expired`);
    keyspace.leaseRevoke(id);
  }

  ping(): void {
    if (this.kernel.faults.stopped(this.actor)) {
      throw new EtcdError(ETCD_ERRORS.unavailable);
    }
  }
}
