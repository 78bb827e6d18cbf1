/**
 * Opens a watch: first what the client does not know yet (past events, or all
 * objects that there are), then every event as it comes, until the time is up.
 * Models: apiserver/pkg/storage/cacher/{cacher,cache_watcher}.go,
 *         apiserver/pkg/endpoints/handlers/{get,watch}.go @ v1.36
 */
import {
  expired,
  StatusError,
  tooLargeResourceVersion,
} from "../../api/status.ts";
import type { WatchHandle, WatchHandler } from "../../api/transport.ts";
import type { KubeObject, WatchEvent } from "../../api/types.ts";
import type { RequestContext } from "../context.ts";
import { andThen, type MaybePromise, rescue } from "../maybe.ts";
import type { CacheWatcher } from "./cache-event.ts";
import { checkWatchOptions, parseRevision } from "./list-options.ts";
import { selectCached, served } from "./select.ts";
import { type Selection, selectionOf } from "./selection.ts";
import { seenBy } from "./watcher-index.ts";

/** A watch that names no time-out ends after 30 to 60 minutes. */
const WATCH_SECONDS_MIN = 1800;
/** The last bookmark comes so long before the watch ends. */
const LAST_BOOKMARK_SECONDS = 2;

export function openWatch(
  ctx: RequestContext,
  handler: WatchHandler,
): WatchHandle {
  const selection = selectionOf(ctx, checkWatchOptions);
  const { cache } = ctx.resource.storage!;
  const { kernel } = ctx.server;
  const watcher: CacheWatcher = {
    namespace: selection.namespace,
    indexValue: selection.indexValue,
    matches: matcherOf(ctx, selection),
    onEvent: fromFuture(ctx, inVersion(ctx, handler)),
  };
  if (!sendPast(ctx, selection, watcher, handler)) return { stop() {} };
  const remove = cache.watch(watcher);
  const { allowWatchBookmarks, timeoutSeconds } = ctx.options;
  const seconds = timeoutSeconds
    ? Math.max(0, timeoutSeconds)
    : ctx.server.watchSeconds(WATCH_SECONDS_MIN);
  const noBookmarks = allowWatchBookmarks
    ? bookmarks(ctx, handler, seconds)
    : () => {};
  const timer = kernel.after(seconds * 1000, () => {
    handle.stop();
    handler.onEnd();
  });
  const handle: WatchHandle = {
    stop() {
      remove();
      noBookmarks();
      timer.cancel();
      ctx.server.openWatches.delete(end);
    },
  };
  const end = () => {
    handle.stop();
    handler.onEnd();
  };
  ctx.server.openWatches.add(end);
  return handle;
}

/** A client that knows more than this server waits until it knows that too. */
function fromFuture(
  { options, server }: RequestContext,
  onEvent: CacheWatcher["onEvent"],
): CacheWatcher["onEvent"] {
  const from = parseRevision(options.resourceVersion);
  if (from <= server.revision) return onEvent;
  return (event, revision) => {
    if (revision > from) onEvent(event, revision);
  };
}

/** Hands events on in the client's version, in their order. */
function inVersion(
  ctx: RequestContext,
  handler: WatchHandler,
): CacheWatcher["onEvent"] {
  if (!ctx.resource.fromStorage) {
    return (event) => handler.onEvent(event);
  }
  let last: MaybePromise<void>;
  return ({ type, object }) => {
    const send = () =>
      andThen(served(ctx, object), (one) =>
        handler.onEvent({ type, object: one }),
      );
    // What cannot be converted ends the watch: the client then lists.
    const told = rescue(
      () => (last instanceof Promise ? last.then(send) : send()),
      (error) => handler.onEnd(statusOf(error)),
    );
    last = told instanceof Promise ? told.then(() => {}) : undefined;
  };
}

function statusOf(error: unknown) {
  if (error instanceof StatusError) return error.status;
  throw error;
}

/** One a minute, and one shortly before the end. Returns how to stop them. */
function bookmarks(
  ctx: RequestContext,
  handler: WatchHandler,
  seconds: number,
): () => void {
  const { server } = ctx;
  const send = () => handler.onEvent(bookmark(ctx));
  const stop = server.bookmarks.add(send);
  const lastMs = (seconds - LAST_BOOKMARK_SECONDS) * 1000;
  const last = lastMs > 0 ? server.kernel.after(lastMs, send) : undefined;
  return () => {
    stop();
    last?.cancel();
  };
}

function matcherOf(_ctx: RequestContext, { name, matches }: Selection) {
  if (matches || name === undefined) return matches;
  return (object: KubeObject) => object.metadata.name === name;
}

/** What lies before "now" for this client. False: it cannot be told. */
function sendPast(
  ctx: RequestContext,
  selection: Selection,
  watcher: CacheWatcher,
  handler: WatchHandler,
): boolean {
  const { sendInitialEvents, allowWatchBookmarks } = ctx.options;
  const { cache } = ctx.resource.storage!;
  const from = parseRevision(ctx.options.resourceVersion);
  // No version, or 0: begin with what there is, unless told not to.
  const fromNow = from === 0 && sendInitialEvents === false;
  const { revision } = ctx.server;
  if (sendInitialEvents && from > revision) {
    handler.onEnd(tooLargeResourceVersion(from, revision).status);
    return false;
  }
  if (sendInitialEvents || (from === 0 && !fromNow)) {
    for (const object of selectCached(ctx, selection)) {
      watcher.onEvent({ type: "ADDED", object }, 0);
    }
    if (sendInitialEvents && allowWatchBookmarks) {
      handler.onEvent(bookmark(ctx, true));
    }
    return true;
  }
  if (fromNow) return true;
  const events = cache.since(from);
  if (!events) {
    const message = `too old resource version: ${from} (${cache.oldest})`;
    handler.onEnd(expired(message).status);
    return false;
  }
  for (const event of events) {
    const { type, object } = event;
    const seen = seenBy(watcher, event, { type, object });
    if (seen) watcher.onEvent(seen, event.revision);
  }
  return true;
}

/** Says up to which version the watcher has seen everything. */
function bookmark(ctx: RequestContext, initialEnd = false): WatchEvent {
  const { kind } = ctx.resource;
  const resourceVersion = String(ctx.server.revision);
  const annotations = { "k8s.io/initial-events-end": "true" };
  const metadata = {
    name: "",
    resourceVersion,
    ...(initialEnd ? { annotations } : {}),
  };
  const object = { kind: kind.kind, apiVersion: kind.apiVersion, metadata };
  return { type: "BOOKMARK", object };
}
