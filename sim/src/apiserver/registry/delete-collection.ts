/**
 * Deletes all that a selection holds, one by one; the answer is the list as it
 * was.
 * Models: DeleteCollection of apiserver/pkg/registry/generic/registry/store.go
 */
import { isNotFound } from "../../api/status.ts";
import type { KubeObject } from "../../api/types.ts";
import type { RequestContext } from "../context.ts";
import { newContext } from "../context.ts";
import { andThen, forEach, type MaybePromise, rescue } from "../maybe.ts";
import { checkListOptions, checkRevision } from "./list-options.ts";
import { listPage } from "./list-page.ts";
import { selectionOf } from "./selection.ts";

export function deleteCollection(ctx: RequestContext): MaybePromise<void> {
  const selection = selectionOf(ctx, checkListOptions);
  if (!ctx.options.continue) checkRevision(ctx, true);
  const { kind, apiVersion } = ctx.resource.kind;
  return andThen(
    listPage(ctx, selection, ctx.server.revision),
    ({ items, metadata }) => {
      const done = forEach(items, (item) => deleteOne(ctx, item));
      return andThen(done, () => {
        const body = { kind: `${kind}List`, apiVersion, metadata, items };
        ctx.response = { code: 200, body };
      });
    },
  );
}

/** Runs the rest of the pipeline for one object, as a delete of it. */
function deleteOne(
  { server, request, resource, user, options: all }: RequestContext,
  { metadata }: KubeObject,
): MaybePromise<void> {
  const { namespace, name } = metadata;
  const { labelSelector: _l, fieldSelector: _f, ...options } = all;
  const one = { ...request, verb: "delete" as const, namespace, name, options };
  const ctx = newContext(server, one, resource, user);
  const gone = rescue<unknown>(
    () => server.runFrom(ctx, "decoding and defaulting"),
    (error) => {
      // Somebody else deleted it meanwhile.
      if (!isNotFound(error)) throw error;
    },
  );
  return andThen(gone, () => {});
}
