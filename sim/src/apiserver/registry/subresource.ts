/**
 * Requests below an object: `pods/binding`, `deployments/scale` and so on.
 * `status` is not among them: it goes the way of the object itself.
 * Models: the subresource REST storages of pkg/registry @ v1.36
 */
import { methodNotAllowed, resourceNotFound } from "../../api/status.ts";
import type { RequestContext } from "../context.ts";
import { andThen, type MaybePromise } from "../maybe.ts";
import { deleteCollection } from "./delete-collection.ts";
import { loadObject } from "./load.ts";
import { finalizeNamespace } from "./namespace.ts";
import { answerObject } from "./read.ts";
import { answerBinding } from "./subresources/binding.ts";
import { answerEviction } from "./subresources/eviction.ts";
import { answerLog, answerStream } from "./subresources/pod-streams.ts";
import { answerScale } from "./subresources/scale.ts";
import { answerToken } from "./subresources/token.ts";

type Handler = (ctx: RequestContext) => MaybePromise<void>;

const HANDLERS: { readonly [path: string]: Handler } = {
  "pods/binding": answerBinding,
  "pods/eviction": answerEviction,
  "pods/log": answerLog,
  "pods/exec": answerStream,
  "pods/attach": answerStream,
  "pods/portforward": answerStream,
  "serviceaccounts/token": answerToken,
  "namespaces/finalize": (ctx) =>
    andThen(loadObject(ctx), () => finalizeNamespace(ctx, ctx.old!)),
};

export function answerSubresource(ctx: RequestContext): MaybePromise<void> {
  const { verb, resource, subresource } = ctx.request;
  if (verb === "deletecollection") return deleteCollection(ctx);
  if (resource === "bindings" && verb === "create") return answerBinding(ctx);
  if (!subresource || subresource === "status") return;
  const { kind } = ctx.resource;
  const known = kind.subresources.find(({ name }) => name === subresource);
  if (!known) throw resourceNotFound();
  if (!known.verbs.includes(verb)) throw methodNotAllowed();
  if (subresource === "scale") return answerScale(ctx);
  const handler = HANDLERS[`${resource}/${subresource}`];
  if (handler) return handler(ctx);
  // The rest (ephemeralcontainers, resize …) read and update the object.
  if (verb === "get") return answerObject(ctx);
}
