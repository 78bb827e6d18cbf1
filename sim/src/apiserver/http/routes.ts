/**
 * Whether a path and a method lead anywhere, and in what form the client would
 * take the answer.
 * Models: apiserver/pkg/endpoints/installer.go; github.com/emicklei/go-restful
 */
import type { Kind } from "../../api/kinds/definition.ts";
import {
  methodNotAllowed,
  notAcceptable,
  resourceNotFound,
  type StatusError,
} from "../../api/status.ts";
import { unsupported } from "../registry/patch.ts";
import { type Form, formProblem } from "./encode.ts";
import { parseMediaTypes } from "./negotiate.ts";
import type { UrlRequest } from "./url.ts";

const PATCH_TYPES: readonly string[] = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];

/** What makes it no request that could be answered. */
export function problemOf(
  request: Request,
  asked: UrlRequest,
  form: Form | undefined,
  kind: Kind | undefined,
): StatusError | undefined {
  if (!kind || !isPlaced(asked, kind)) return resourceNotFound();
  const below = asked.subresource;
  const known = kind.subresources.find(({ name }) => name === below);
  if (below && !known) return resourceNotFound();
  if (!isMethodKnown(asked, request.method, kind, known?.verbs)) {
    return methodNotAllowed();
  }
  const patches = asked.verb === "patch";
  if (patches && !PATCH_TYPES.includes(mediaTypeOf(request))) {
    return unsupported();
  }
  if (!form) return notAcceptable();
  if (asked.verb !== "watch") return undefined;
  if (form.type !== "application/json") return notAcceptable(STREAMED);
  return formProblem(form);
}

/** What a watch can be told in. */
const STREAMED =
  "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

export function mediaTypeOf({ headers }: Request): string {
  return parseMediaTypes(headers.get("content-type") ?? "")[0]?.type ?? "";
}

/** A namespace in the path of those that lie in one, and of those alone. */
function isPlaced({ name, namespace }: UrlRequest, { namespaced }: Kind) {
  if (!namespaced) return namespace === undefined;
  return namespace !== undefined || name === undefined;
}

/**
 * A name in the URL takes no POST, a collection no PUT and no PATCH; and not
 * every kind, and no subresource, has every verb.
 */
function isMethodKnown(
  { verb, name, namespace, subresource }: UrlRequest,
  method: string,
  { verbs, namespaced }: Kind,
  below: readonly string[] | undefined,
): boolean {
  if (!METHODS.includes(method)) return false;
  const named = name !== undefined;
  // Across all namespaces one can only read.
  if (namespaced && !namespace && method !== "GET") return false;
  if (method === "POST") {
    if (named && subresource === undefined) return false;
  } else if ((method === "PUT" || method === "PATCH") && !named) return false;
  // What can be listed but not watched says so itself.
  const known = verb === "watch" ? "list" : verb;
  return (below ?? verbs).includes(known);
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
