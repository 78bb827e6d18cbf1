/**
 * The paths of an OpenAPI document: what clients look for in them.
 * Models: apiserver/pkg/endpoints/installer.go @ v1.36
 */
import type { Kind } from "./kinds/definition.ts";
import type { Json } from "./types.ts";

type Doc = { [key: string]: Json };

/** What clients look for in a path: the kind, and which parameters it takes. */
export function pathsOf(kind: Kind, custom: boolean): Doc {
  const { group, version, resource } = kind;
  const root = group ? `/apis/${group}/${version}` : `/api/${version}`;
  const base = kind.namespaced
    ? `${root}/namespaces/{namespace}/${resource}`
    : `${root}/${resource}`;
  const paths: Doc = {};
  if (kind.verbs.length === 0) return paths;
  paths[base] = operations(kind, custom, {
    list: "get",
    create: "post",
  });
  if (kind.verbs.includes("get")) {
    const verbs = {
      get: "get",
      update: "put",
      patch: "patch",
      delete: "delete",
    };
    paths[`${base}/{name}`] = operations(kind, custom, verbs);
  }
  if (kind.namespaced && kind.verbs.includes("list")) {
    paths[`${root}/${resource}`] = operations(kind, custom, { list: "get" });
  }
  return paths;
}

function operations(
  kind: Kind,
  custom: boolean,
  methods: { readonly [verb: string]: string },
): Json {
  const { group, version } = kind;
  const doc: Doc = {};
  for (const [verb, method] of Object.entries(methods)) {
    if (!kind.verbs.includes(verb)) continue;
    const writes = ["create", "update", "patch"].includes(verb);
    const names = writes ? ["dryRun", "fieldManager", "fieldValidation"] : [];
    if (verb === "patch") names.push("force");
    doc[method] = {
      parameters: names.map(parameter),
      ...(verb === "patch" ? { requestBody: patchBody(custom) } : {}),
      responses: { "200": { description: "OK" } },
      "x-kubernetes-action": verb,
      "x-kubernetes-group-version-kind": { group, kind: kind.kind, version },
    };
  }
  return doc;
}

/** A kind that an extension adds has no merge keys to patch by. */
function patchBody(custom: boolean): Json {
  const types = ["apply-patch+yaml", "json-patch+json", "merge-patch+json"];
  if (!custom) types.push("strategic-merge-patch+json");
  const schema = { type: "object" };
  const content = types.map((type) => [`application/${type}`, { schema }]);
  return { content: Object.fromEntries(content) };
}

function parameter(name: string): Json {
  const type = name === "force" ? "boolean" : "string";
  return { name, in: "query", schema: { type, uniqueItems: true } };
}
