/** A request of the client as HTTP has it: method, path with query, body. */
import type { ApiRequest, RequestVerb } from "../src/process.ts";

const METHODS: Record<RequestVerb, string> = {
  ...{ get: "GET", list: "GET", watch: "GET", create: "POST", update: "PUT" },
  ...{ patch: "PATCH", delete: "DELETE", deletecollection: "DELETE" },
};

export function methodOf({ verb }: ApiRequest): string {
  return METHODS[verb];
}

/** `/apis/apps/v1/namespaces/default/deployments/web/scale?dryRun=All` */
export function pathOf(request: ApiRequest): string {
  const { verb, group, version, resource, namespace, name, subresource } = request;
  const words = [
    ...(group ? ["apis", group, version] : ["api", version]),
    ...(namespace ? ["namespaces", namespace] : []),
    resource,
    // What is to be made is named in its body alone, unless it goes to a subresource.
    ...(name && (verb !== "create" || subresource) ? [name] : []),
    ...(subresource ? [subresource] : []),
  ];
  const query = queryOf(request).toString();
  return `/${words.map(encodeURIComponent).join("/")}${query ? `?${query}` : ""}`;
}

/** Preconditions are no parameters: they travel in the body of a deletion. */
function queryOf({ verb, options = {}, subresource, body }: ApiRequest): URLSearchParams {
  const { preconditions, unparsed, ...named } = options;
  const query = new URLSearchParams({ ...unparsed });
  if (verb === "watch") query.set("watch", "true");
  for (const [key, value] of Object.entries(named)) {
    for (const one of [value].flat()) if (one !== undefined) query.append(key, String(one));
  }
  // Of a subresource that is read, the body says which part: lines of a log.
  if (verb === "get" && subresource) {
    for (const [key, value] of Object.entries(body ?? {})) query.set(key, String(value));
  }
  return query;
}

/** No text: the request has no body. */
export function bodyOf(request: ApiRequest): { type: string; text?: string } {
  const { verb, body, patchType, options } = request;
  const type = patchType ?? "application/json";
  if (verb === "get" || verb === "list" || verb === "watch") return { type };
  const { preconditions } = options ?? {};
  const own = { apiVersion: "v1", kind: "DeleteOptions", preconditions };
  const sent = verb.startsWith("delete") ? preconditions && own : body;
  return { type, text: sent === undefined ? undefined : JSON.stringify(sent) };
}
