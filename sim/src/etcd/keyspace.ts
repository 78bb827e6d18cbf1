/**
 * What a member does with a request that was agreed on: the store, its
 * watchers and its leases together. One member alone calls it at once; in a
 * cluster each member calls it for every committed entry, in the same order.
 * Models:     etcd server/etcdserver/apply.go (3.5)
 */
import type { Kernel } from "../kernel/index.ts";
import { checkKey, checkPut, checkTxn } from "./check.ts";
import { boundsOf } from "./keys.ts";
import { type LeaseState, Lessor } from "./lease.ts";
import { Mvcc, type StoreState } from "./mvcc.ts";
import type {
  Compare,
  DeleteRequest,
  DeleteResponse,
  KeyValue,
  LeaseGranted,
  PutRequest,
  PutResponse,
  RangeRequest,
  RangeResponse,
  TxnOp,
  TxnOpResponse,
  TxnRequest,
  TxnResponse,
} from "./types.ts";
import { WatchHub } from "./watch-hub.ts";

/** All that a member knows. Nothing in it ever changes: it can be shared. */
export interface KeyspaceState {
  readonly store: StoreState;
  readonly leases: readonly LeaseState[];
}

export class Keyspace {
  readonly store = new Mvcc();
  readonly hub = new WatchHub(this.store);
  readonly lessor: Lessor;

  constructor(kernel: Kernel, expire: (leaseId: number) => void) {
    this.lessor = new Lessor(kernel, expire);
  }

  range(request: RangeRequest): RangeResponse {
    if (!request.prefix && !request.rangeEnd) checkKey(request.key);
    return this.store.range(request);
  }

  put(request: PutRequest): PutResponse {
    checkPut(request);
    const prev = this.writePut(request);
    this.commit();
    const { revision } = this.store;
    return request.prevKv && prev ? { revision, prev } : { revision };
  }

  deleteRange(request: DeleteRequest): DeleteResponse {
    const deleted = this.writeDelete(request);
    this.commit();
    return this.deleteAnswer(request, deleted);
  }

  txn(request: TxnRequest): TxnResponse {
    checkTxn(request);
    const succeeded = request.compare.every((c) => this.holds(c));
    const ops = succeeded ? request.then : request.else;
    for (const { put } of ops) {
      if (put?.lease) this.lessor.get(put.lease);
    }
    if (succeeded) request.onApply?.(this.store.revision + 1);
    const responses = ops.map((op) => this.apply(op));
    this.commit();
    return { revision: this.store.revision, succeeded, responses };
  }

  private apply(op: TxnOp): TxnOpResponse {
    if (op.range) return { range: this.store.range(op.range) };
    const { revision } = this.store;
    if (op.put) {
      const prev = this.writePut(op.put);
      return { put: op.put.prevKv && prev ? { revision, prev } : { revision } };
    }
    if (!op.deleteRange) return {};
    const deleted = this.writeDelete(op.deleteRange);
    return { deleteRange: this.deleteAnswer(op.deleteRange, deleted) };
  }

  private writePut(request: PutRequest): KeyValue | undefined {
    const { key, lease = 0 } = request;
    if (lease !== 0) this.lessor.get(lease);
    const prev = this.store.put(request);
    const before = prev?.lease ?? 0;
    if (before !== lease) this.lessor.move(key, before, lease);
    return prev;
  }

  private writeDelete(request: DeleteRequest): KeyValue[] {
    const deleted = this.store.delete(boundsOf(request));
    for (const { key, lease } of deleted) this.lessor.move(key, lease, 0);
    return deleted;
  }

  private deleteAnswer(
    request: DeleteRequest,
    deleted: readonly KeyValue[],
  ): DeleteResponse {
    const { revision } = this.store;
    const count = deleted.length;
    if (!request.prevKv) return { revision, deleted: count };
    return { revision, deleted: count, prev: deleted };
  }

  /** Its state as it is now, for a member that has fallen far behind. */
  save(): KeyspaceState {
    return { store: this.store.save(), leases: this.lessor.save() };
  }

  /** Becomes what another member was; watchers hear of what they missed. */
  load({ store, leases }: KeyspaceState): void {
    const { revision } = this.store;
    this.store.load(store);
    this.lessor.load(leases);
    this.hub.catchUp(revision);
  }

  private commit(): void {
    const events = this.store.commit();
    if (events.length > 0) this.hub.notify(events);
  }

  private holds({ key, target, is, value }: Compare): boolean {
    const kv = this.store.get(key);
    if (target === "value") {
      if (!kv) return false;
      return compared(kv.value, value, is);
    }
    return compared(kv ? kv[target] : 0, value, is);
  }

  compact(revision: number): number {
    this.store.compact(revision);
    return this.store.revision;
  }

  leaseGrant(id: number, ttl: number): LeaseGranted {
    const granted = this.lessor.grant(id, ttl);
    return { ...granted, revision: this.store.revision };
  }

  leaseKeepAlive(id: number): LeaseGranted {
    const kept = this.lessor.keepAlive(id);
    return { ...kept, revision: this.store.revision };
  }

  leaseRevoke(id: number): number {
    for (const key of this.lessor.revoke(id)) {
      this.store.delete(boundsOf({ key }));
    }
    this.commit();
    return this.store.revision;
  }
}

function compared(a: unknown, b: unknown, is: Compare["is"]): boolean {
  if (is === "=") return a === b;
  if (is === "!=") return a !== b;
  const [x, y] = [a as string | number, b as string | number];
  return is === ">" ? x > y : x < y;
}
