/**
 * What etcd is asked and what it answers. Values are any frozen thing, kept
 * by reference: the API server stores its objects as they are.
 * Models:     etcd api/etcdserverpb/rpc.proto, api/mvccpb/kv.proto (3.5)
 * Leaves out: sorting of ranges, min/max revision filters, auth.
 */

/** A key at one of its versions. */
export interface KeyValue {
  readonly key: string;
  readonly value: unknown;
  /** Revision at which the key came into being. */
  readonly createRevision: number;
  /** Revision of this version. */
  readonly modRevision: number;
  /** 1 for the first version since the key came into being; 0: deleted. */
  readonly version: number;
  /** Lease that the key hangs on; 0 for none. */
  readonly lease: number;
}

export interface KvEvent {
  readonly type: "PUT" | "DELETE";
  readonly kv: KeyValue;
  /** The version before, if there was one. */
  readonly prev: KeyValue | undefined;
}

/** One key; or `[key, rangeEnd)`; or with `prefix` all that begin with it. */
export interface KeyRange {
  readonly key: string;
  readonly rangeEnd?: string;
  readonly prefix?: boolean;
}

export interface RangeRequest extends KeyRange {
  /** State as of this revision; absent or 0: the newest. */
  readonly revision?: number;
  /** Most pairs to give back; absent or 0: all. */
  readonly limit?: number;
  readonly countOnly?: boolean;
  readonly keysOnly?: boolean;
  /** Answered by the member alone, without asking the others. */
  readonly serializable?: boolean;
}

export interface RangeResponse {
  /** Revision of the store when it answered. */
  readonly revision: number;
  readonly kvs: readonly KeyValue[];
  /** Pairs in the range, whatever the limit. */
  readonly count: number;
  readonly more: boolean;
}

export interface PutRequest {
  readonly key: string;
  readonly value: unknown;
  readonly lease?: number;
  readonly prevKv?: boolean;
  /** Size of the value for the limit, where it is not a string. */
  readonly sizeBytes?: number;
}

export interface PutResponse {
  readonly revision: number;
  readonly prev?: KeyValue;
}

export interface DeleteRequest extends KeyRange {
  readonly prevKv?: boolean;
}

export interface DeleteResponse {
  readonly revision: number;
  readonly deleted: number;
  readonly prev?: readonly KeyValue[];
}

export interface Compare {
  readonly key: string;
  readonly target:
    | "version"
    | "createRevision"
    | "modRevision"
    | "value"
    | "lease";
  readonly is: "=" | "!=" | ">" | "<";
  readonly value: unknown;
}

/** Exactly one field is set. */
export interface TxnOp {
  readonly range?: RangeRequest;
  readonly put?: PutRequest;
  readonly deleteRange?: DeleteRequest;
}

export interface TxnRequest {
  readonly compare: readonly Compare[];
  readonly then: readonly TxnOp[];
  readonly else: readonly TxnOp[];
  /**
   * Called once, when the comparisons held, with the revision that the write
   * will have, before it is stored and watchers hear of it. The values may
   * still be completed then: an object gets its resourceVersion here.
   */
  readonly onApply?: (revision: number) => void;
}

export interface TxnOpResponse {
  readonly range?: RangeResponse;
  readonly put?: PutResponse;
  readonly deleteRange?: DeleteResponse;
}

export interface TxnResponse {
  readonly revision: number;
  readonly succeeded: boolean;
  readonly responses: readonly TxnOpResponse[];
}

export interface WatchRequest extends KeyRange {
  /** First revision wanted; absent or 0: from now on. */
  readonly startRevision?: number;
  readonly prevKv?: boolean;
  readonly noPut?: boolean;
  readonly noDelete?: boolean;
  /** End the watch if the member loses its leader. */
  readonly requireLeader?: boolean;
}

/** Events of whole revisions, or none: a sign of progress up to `revision`. */
export interface WatchResponse {
  readonly revision: number;
  readonly events: readonly KvEvent[];
  readonly canceled?: boolean;
  readonly compactRevision?: number;
  readonly error?: EtcdError;
}

export interface Watch {
  cancel(): void;
}

/** An answer at once, or later if members must agree first. */
export type MaybePromise<T> = T | Promise<T>;

/** What a client of etcd sees, of one member or of a cluster. */
export interface EtcdApi {
  /** True if answers never come as promises. */
  readonly immediate: boolean;
  /** Newest revision that this member knows of. */
  readonly revision: number;
  /** Throws if the member is down. */
  ping(): void;
  range(request: RangeRequest): MaybePromise<RangeResponse>;
  put(request: PutRequest): MaybePromise<PutResponse>;
  deleteRange(request: DeleteRequest): MaybePromise<DeleteResponse>;
  txn(request: TxnRequest): MaybePromise<TxnResponse>;
  /** Forgets what was before `revision`; resolves to the store's revision. */
  compact(revision: number): MaybePromise<number>;
  watch(
    request: WatchRequest,
    onResponse: (response: WatchResponse) => void,
  ): Watch;
  /** `ttl` in seconds; the granted one may be longer. */
  leaseGrant(ttl: number): MaybePromise<LeaseGranted>;
  leaseKeepAlive(id: number): MaybePromise<LeaseGranted>;
  /** Deletes the lease and its keys; resolves to the store's revision. */
  leaseRevoke(id: number): MaybePromise<number>;
}

export interface LeaseGranted {
  readonly id: number;
  /** Seconds. */
  readonly ttl: number;
  readonly revision: number;
}

/** etcd's errors; `message` is the text that its clients see. */
export class EtcdError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "EtcdError";
  }
}

/** Texts of etcd's errors. Source: api/v3rpc/rpctypes/error.go */
export const ETCD_ERRORS = {
  emptyKey: "etcdserver: key is not provided",
  tooManyOps: "etcdserver: too many operations in txn request",
  duplicateKey: "etcdserver: duplicate key given in txn request",
  compacted: "etcdserver: mvcc: required revision has been compacted",
  futureRevision: "etcdserver: mvcc: required revision is a future revision",
  leaseNotFound: "etcdserver: requested lease not found",
  requestTooLarge: "etcdserver: request is too large",
  noLeader: "etcdserver: no leader",
  timeout: "etcdserver: request timed out",
  leaderChanged: "etcdserver: leader changed",
  deadline: "context deadline exceeded",
  unavailable: "etcdserver: server stopped",
} as const;
