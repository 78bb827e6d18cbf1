/** Cuts what was found in a range down to what was asked for. */
import type { KeyValue, RangeRequest, RangeResponse } from "./types.ts";

export function rangeAnswer(
  revision: number,
  found: KeyValue[],
  request: RangeRequest,
): RangeResponse {
  const count = found.length;
  if (request.countOnly) return { revision, kvs: [], count, more: false };
  const more = !!request.limit && count > request.limit;
  let kvs = more ? found.slice(0, request.limit) : found;
  if (request.keysOnly) kvs = kvs.map((kv) => ({ ...kv, value: undefined }));
  return { revision, kvs, count, more };
}
