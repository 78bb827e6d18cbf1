/**
 * From method and URL to what is asked: which resource, which verb, which
 * options; or a path that names no resource.
 * Models: apiserver/pkg/endpoints/request/requestinfo.go @ v1.36
 */
import type {
  ApiRequest,
  RequestOptions,
  RequestVerb,
} from "../../api/transport.ts";

/** A request as its URL says it; the body comes later. */
export type UrlRequest = Pick<
  ApiRequest,
  | "verb"
  | "group"
  | "version"
  | "resource"
  | "subresource"
  | "namespace"
  | "name"
  | "options"
>;

/** `/api/v1` and `/apis/apps/v1` alone: discovery of a group version. */
export interface GroupVersionPath {
  readonly group: string;
  readonly version: string;
}

export type ParsedUrl =
  | { readonly resource: UrlRequest }
  | { readonly groupVersion: GroupVersionPath }
  | { readonly path: string };

const VERBS: { readonly [method: string]: RequestVerb } = {
  POST: "create",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
  GET: "get",
  HEAD: "get",
};

/** Subresources of a namespace; anything else there is a resource in it. */
const OF_NAMESPACES = ["status", "finalize"];

export function parseUrl(method: string, url: URL): ParsedUrl {
  const parts = url.pathname.split("/").filter(Boolean).map(decode);
  const [root] = parts;
  let rest: string[];
  let group = "";
  let version: string | undefined;
  if (root === "api") [version, ...rest] = parts.slice(1);
  else if (root === "apis") {
    [group = "", version, ...rest] = parts.slice(1);
    if (parts.length === 1) return { path: url.pathname };
  } else return { path: url.pathname };
  if (!version) return { path: url.pathname };
  if (rest.length === 0) return { groupVersion: { group, version } };
  return { resource: resourceRequest(method, url, { group, version }, rest) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function resourceRequest(
  method: string,
  url: URL,
  where: GroupVersionPath,
  path: string[],
): UrlRequest {
  let parts = path;
  // The old form of a watch: /api/v1/watch/pods.
  const oldWatch = parts[0] === "watch" && parts.length > 1;
  if (oldWatch) parts = parts.slice(1);
  let namespace: string | undefined;
  if (parts[0] === "namespaces" && parts.length > 1) {
    namespace = parts[1];
    const inside = parts.length > 2 && !OF_NAMESPACES.includes(parts[2]!);
    if (inside) parts = parts.slice(2);
  }
  const [resource = "", name, ...below] = parts;
  const subresource = below.length > 0 ? below.join("/") : undefined;
  let verb = VERBS[method] ?? "get";
  if (verb === "get" && !name) verb = "list";
  if (verb === "delete" && !name) verb = "deletecollection";
  const options = optionsOf(url.searchParams);
  if (method === "DELETE") addPreconditions(options, url.searchParams);
  // With a name it is a get, whatever the query says.
  const watching = verb === "list" && isTrue(url.searchParams.get("watch"));
  if (watching || (oldWatch && method === "GET")) verb = "watch";
  const own =
    resource === "namespaces" ? { namespace: undefined } : { namespace };
  return { verb, ...where, resource, name, subresource, ...own, options };
}

/** Anything counts as true, and so does nothing: `?watch`. */
function isTrue(text: string | null): boolean {
  return text !== null && text.toLowerCase() !== "false" && text !== "0";
}

type Options = { -readonly [name in keyof RequestOptions]: unknown };

/** The query parameters that mean something to the server; the first counts. */
function optionsOf(query: URLSearchParams): Options & RequestOptions {
  const options: Record<string, unknown> = {};
  for (const name of TEXTS) {
    const value = query.get(name);
    if (value) options[name] = value;
  }
  // A policy that is there and empty is an unknown one.
  if (query.get(POLICY) === "") options[POLICY] = "";
  const unparsed: Record<string, string> = {};
  for (const name of NUMBERS) {
    const value = query.get(name);
    if (value === null) continue;
    if (isInt64(value)) options[name] = Number(value);
    else unparsed[name] = value;
  }
  if (Object.keys(unparsed).length > 0) options.unparsed = unparsed;
  for (const name of FLAGS) {
    const value = query.get(name);
    if (value !== null) options[name] = isTrue(value);
  }
  const dryRun = query.getAll("dryRun");
  if (dryRun.length > 0) options.dryRun = dryRun;
  return options;
}

function isInt64(text: string): boolean {
  return /^[-+]?\d+$/.test(text) && Math.abs(Number(text)) < 2 ** 63;
}

/** What a delete demands of the object, if its body does not say. */
function addPreconditions(options: Options, query: URLSearchParams): void {
  const uid = query.get("uid") || undefined;
  const resourceVersion = query.get("resourceVersion") || undefined;
  if (!uid && !resourceVersion) return;
  options.preconditions = { uid, resourceVersion };
}

const POLICY = "propagationPolicy";
const TEXTS = [
  "labelSelector",
  "fieldSelector",
  "resourceVersion",
  "resourceVersionMatch",
  "continue",
  "fieldManager",
  "fieldValidation",
  POLICY,
];
const NUMBERS = ["limit", "timeoutSeconds", "gracePeriodSeconds"];
const FLAGS = [
  ...["allowWatchBookmarks", "sendInitialEvents", "force"],
  "orphanDependents",
];
