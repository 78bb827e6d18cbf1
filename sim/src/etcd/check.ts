/**
 * What etcd refuses before it does anything.
 * Models: etcd server/etcdserver/api/v3rpc/key.go (3.5)
 */
import { type Bounds, boundsOf, within } from "./keys.ts";
import {
  ETCD_ERRORS,
  EtcdError,
  type PutRequest,
  type TxnOp,
  type TxnRequest,
} from "./types.ts";

/** Most operations in one list of a transaction. */
export const TXN_OPS_MAX = 128;
/** Most bytes of a request. */
export const REQUEST_BYTES_MAX = 1.5 * 1024 * 1024;

export function checkKey(key: string): void {
  if (key === "") throw new EtcdError(ETCD_ERRORS.emptyKey);
}

export function checkPut(request: PutRequest): void {
  checkKey(request.key);
  const { value, sizeBytes } = request;
  const size = sizeBytes ?? (typeof value === "string" ? value.length : 0);
  if (size > REQUEST_BYTES_MAX) {
    throw new EtcdError(ETCD_ERRORS.requestTooLarge);
  }
}

export function checkTxn(request: TxnRequest): void {
  const lists = [request.compare, request.then, request.else];
  if (lists.some((list) => list.length > TXN_OPS_MAX)) {
    throw new EtcdError(ETCD_ERRORS.tooManyOps);
  }
  for (const { key } of request.compare) checkKey(key);
  for (const ops of [request.then, request.else]) {
    for (const op of ops) {
      if (op.put) checkPut(op.put);
    }
    if (ops.length > 1) checkDuplicates(ops);
  }
}

/** A key may be put once in a list, and not be deleted by the same list. */
function checkDuplicates(ops: readonly TxnOp[]): void {
  const deletes: Bounds[] = [];
  for (const op of ops) {
    if (op.deleteRange) deletes.push(boundsOf(op.deleteRange));
  }
  const puts = new Set<string>();
  for (const { put } of ops) {
    if (!put) continue;
    const { key } = put;
    if (puts.has(key) || deletes.some((bounds) => within(bounds, key))) {
      throw new EtcdError(ETCD_ERRORS.duplicateKey);
    }
    puts.add(key);
  }
}
