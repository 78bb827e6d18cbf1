/**
 * One page of a list: which objects, at which revision, and the token for the
 * next page. All pages of a list show the same revision.
 * Models: apiserver/pkg/storage/{continue.go,etcd3/store.go} @ v1.36
 */
import { parseGoJson } from "../../api/go-json.ts";
import { isObject } from "../../api/patch/value.ts";
import { badRequest, expired, StatusError } from "../../api/status.ts";
import type { Json, KubeObject, ListMeta } from "../../api/types.ts";
import {
  ETCD_ERRORS,
  EtcdError,
  type RangeResponse,
} from "../../etcd/index.ts";
import { bytesOfBase64Url, toBase64Url } from "../base64.ts";
import type { RequestContext } from "../context.ts";
import { andThen, type MaybePromise, rescue } from "../maybe.ts";
import { goTypeName } from "./decode.ts";
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
  const { limit = 0, resourceVersionMatch, resourceVersion } = ctx.options;
  const token = ctx.options.continue;
  if (token) return nextPage(ctx, selection, token);
  const asked = parseRevision(resourceVersion, true);
  const legacy = asked > 0 && limit > 0 && !isSingle(ctx, selection);
  if (resourceVersionMatch === "Exact" || (legacy && !resourceVersionMatch)) {
    return andThen(asOf(ctx, selection, asked), (items) =>
      cut(ctx, selection, items, asked),
    );
  }
  if (limit <= 0) {
    const metadata = { resourceVersion: String(newest) };
    return { items: selectCached(ctx, selection), metadata };
  }
  // The rest of a page is looked at unfiltered.
  const all = selectCached(ctx, { ...selection, matches: undefined });
  return cut(ctx, selection, all, newest);
}

function nextPage(
  ctx: RequestContext,
  selection: Selection,
  token: string,
): MaybePromise<Page> {
  const { rv, start } = readToken(token);
  const { resourceVersion } = ctx.options;
  if (resourceVersion && resourceVersion !== "0") {
    throw badRequest(
      "specifying resource version is not allowed when using continue",
    );
  }
  return andThen(asOf(ctx, selection, rv), (items) => {
    const rest = items.filter((item) => keyIn(selection, item) >= start);
    return cut(ctx, selection, rest, rv);
  });
}

/** One object, looked for by its key, is no list of pages. */
function isSingle(
  { resource }: RequestContext,
  { namespace, name }: Selection,
) {
  return name !== undefined && (namespace !== "" || !resource.kind.namespaced);
}

/** All in the selection's reach as they were at a revision: read from etcd. */
function asOf(
  ctx: RequestContext,
  { namespace, name }: Selection,
  revision: number,
): MaybePromise<KubeObject[]> {
  const { prefix } = ctx.resource.storage!;
  const key = namespace ? `${prefix}${namespace}/` : prefix;
  const range = () =>
    ctx.server.etcd.range({ key, prefix: true, revision, serializable: true });
  return andThen(rescue<RangeResponse>(range, tooOld(ctx)), ({ kvs }) => {
    const all = kvs.map(({ value }) => value as KubeObject);
    return name ? all.filter((o) => o.metadata.name === name) : all;
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
    const next = writeToken(-1, readToken(token).start);
    const { status } = expired(TOO_OLD_TOKEN);
    throw new StatusError({ ...status, metadata: { continue: next } });
  };
}

/**
 * As many as fit on a page. Whether there is more is told by what lies behind
 * it, selected or not; how much, only where all is selected.
 */
function cut(
  ctx: RequestContext,
  selection: Selection,
  all: readonly KubeObject[],
  revision: number,
): Page {
  const { limit = 0 } = ctx.options;
  // What may be of any age is answered whole.
  const max = limit > 0 && ctx.options.resourceVersion !== "0" ? limit : 1 / 0;
  const { matches } = selection;
  const rv = revision > 0 ? revision : ctx.server.revision;
  const resourceVersion = String(rv);
  const items: KubeObject[] = [];
  for (const object of all) {
    if (items.length < max) {
      if (!matches || matches(object)) items.push(object);
      continue;
    }
    const last = keyIn(selection, items.at(-1)!);
    const token = writeToken(rv, `/${last}\0`);
    const left = { remainingItemCount: all.length - max };
    const metadata = { resourceVersion, continue: token };
    return { items, metadata: matches ? metadata : { ...metadata, ...left } };
  }
  return { items, metadata: { resourceVersion } };
}

/** Where an object lies below the namespace, or all, that is listed. */
function keyIn({ namespace }: Selection, { metadata }: KubeObject): string {
  if (namespace) return metadata.name;
  return objectKey(metadata.namespace ?? "", metadata.name);
}

interface Token {
  readonly v: string;
  readonly rv: number;
  readonly start: string;
}

function writeToken(rv: number, start: string): string {
  return toBase64Url(JSON.stringify({ v: "meta.k8s.io/v1", rv, start }));
}

const INVALID = "invalid continue token: continue key is not valid: ";
const OF_VERSION = "(version meta.k8s.io/v1)";

/** `start` without a slash before it. Throws 400. */
function readToken(text: string): Token {
  const token = decodeToken(text);
  const { v = "", rv = 0, start = "" } = token;
  const fail = (why: string) => badRequest(INVALID + why);
  if (v !== "meta.k8s.io/v1") {
    throw fail(`server does not recognize this encoded version ${v}`);
  }
  if (rv === 0) {
    throw fail(`incorrect encoded start resourceVersion ${OF_VERSION}`);
  }
  if (start === "") throw fail(`encoded start key empty ${OF_VERSION}`);
  const path = start.startsWith("/") ? start : `/${start}`;
  // A path that climbs could reach what was not asked for.
  if (/\/\/|\/\.{1,2}(\/|$)|.\/$/.test(path)) throw fail(start);
  return { v, rv, start: path.slice(1) };
}

function decodeToken(text: string): Partial<Token> {
  try {
    const bytes = bytesOfBase64Url(text);
    // Byte by byte, since Go complains of bytes.
    parseGoJson(String.fromCharCode(...bytes));
    const value: Json = JSON.parse(new TextDecoder().decode(bytes));
    if (isObject(value ?? {})) return (value ?? {}) as Partial<Token>;
    throw new Error(
      `json: cannot unmarshal ${goTypeName(value)} into Go value of type storage.continueToken`,
    );
  } catch (error) {
    throw badRequest(INVALID + (error as Error).message);
  }
}
