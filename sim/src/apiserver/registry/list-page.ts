/**
 * One page of a list: which objects, at which revision, and the token for the
 * next page. All pages of a list show the same revision.
 * Models: apiserver/pkg/storage/{continue.go,etcd3/store.go} @ v1.36
 */
import { badRequest, expired, StatusError } from "../../api/status.ts";
import type { KubeObject, ListMeta } from "../../api/types.ts";
import {
  ETCD_ERRORS,
  EtcdError,
  type RangeResponse,
} from "../../etcd/index.ts";
import { bytesOfBase64Url, toBase64Url } from "../base64.ts";
import type { RequestContext } from "../context.ts";
import { andThen, type MaybePromise, rescue } from "../maybe.ts";
import { objectKey } from "./keys.ts";
import { parseRevision } from "./list-options.ts";
import { selectCached } from "./select.ts";
import type { Selection } from "./selection.ts";

export interface Page {
  readonly items: readonly KubeObject[];
  readonly metadata: ListMeta;
}

export function listPage(
  ctx: RequestContext,
  selection: Selection,
  newest: number,
): MaybePromise<Page> {
  const { limit = 0, resourceVersionMatch } = ctx.options;
  const token = ctx.options.continue;
  if (token) {
    const { rv, start } = readToken(token);
    return andThen(asOf(ctx, selection, rv), (items) =>
      cut(ctx, selection, after(items, start), rv),
    );
  }
  const asked = parseRevision(ctx.options.resourceVersion);
  const exact =
    resourceVersionMatch === "Exact" ||
    (asked > 0 && limit > 0 && !resourceVersionMatch);
  if (exact) {
    return andThen(asOf(ctx, selection, asked), (items) =>
      cut(ctx, selection, items, asked),
    );
  }
  return cut(ctx, selection, selectCached(ctx, selection), newest);
}

/** Selected objects as they were at a revision: read from etcd. */
function asOf(
  ctx: RequestContext,
  { namespace, name, matches }: Selection,
  revision: number,
): MaybePromise<KubeObject[]> {
  const { prefix } = ctx.resource.storage!;
  const key = namespace ? `${prefix}${namespace}/` : prefix;
  const range = () =>
    ctx.server.etcd.range({ key, prefix: true, revision, serializable: true });
  return andThen(rescue<RangeResponse>(range, tooOld(ctx)), ({ kvs }) => {
    const all = kvs.map(({ value }) => value as KubeObject);
    const named = name ? all.filter((o) => o.metadata.name === name) : all;
    return matches ? named.filter(matches) : named;
  });
}

const TOO_OLD_TOKEN =
  "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";
const TOO_OLD_VERSION = "The resourceVersion for the provided list is too old.";

/** Turns etcd's compaction error into 410 with a token that still works. */
function tooOld(ctx: RequestContext) {
  return (error: unknown): never => {
    const compacted =
      error instanceof EtcdError && error.message === ETCD_ERRORS.compacted;
    if (!compacted) throw error;
    const token = ctx.options.continue;
    if (!token) throw expired(TOO_OLD_VERSION);
    const { start } = readToken(token);
    const next = writeToken(-1, start);
    const { status } = expired(TOO_OLD_TOKEN);
    throw new StatusError({ ...status, metadata: { continue: next } });
  };
}

function cut(
  ctx: RequestContext,
  { matches }: Selection,
  found: readonly KubeObject[],
  revision: number,
): Page {
  const { limit = 0 } = ctx.options;
  const resourceVersion = String(revision > 0 ? revision : ctx.server.revision);
  if (limit <= 0 || found.length <= limit) {
    return { items: found, metadata: { resourceVersion } };
  }
  const items = found.slice(0, limit);
  const token = writeToken(
    Number(resourceVersion),
    `/${keyOf(items.at(-1)!)}\0`,
  );
  const left = found.length - limit;
  const remaining = matches ? {} : { remainingItemCount: left };
  return {
    items,
    metadata: { resourceVersion, continue: token, ...remaining },
  };
}

function keyOf({ metadata }: KubeObject): string {
  return objectKey(metadata.namespace ?? "", metadata.name);
}

/** Objects whose key comes after the last one of the page before. */
function after(items: readonly KubeObject[], start: string): KubeObject[] {
  const last = start.slice(1, -1);
  return items.filter((item) => keyOf(item) > last);
}

interface Token {
  readonly v: string;
  readonly rv: number;
  readonly start: string;
}

function writeToken(rv: number, start: string): string {
  return toBase64Url(JSON.stringify({ v: "meta.k8s.io/v1", rv, start }));
}

function readToken(text: string): Token {
  const fail = (why: string) =>
    badRequest(`invalid continue token: continue key is not valid: ${why}`);
  let json: string;
  try {
    json = new TextDecoder().decode(bytesOfBase64Url(text));
  } catch (error) {
    throw fail((error as Error).message);
  }
  try {
    return JSON.parse(json);
  } catch {
    throw fail(jsonComplaint(bytesOfBase64Url(text)));
  }
}

/** Go's complaint about bytes that are no JSON, for their first one. */
function jsonComplaint(bytes: Uint8Array): string {
  const first = bytes[0];
  if (first === undefined) return "unexpected end of JSON input";
  const shown = String.fromCharCode(first);
  return `invalid character '${shown}' looking for beginning of value`;
}
