/**
 * OpenAPI v3 documents, one a group and version, made from the schema: what
 * `kubectl explain`, `apply` and `diff` read.
 * Models:     apiserver/pkg/endpoints/openapi, kube-openapi/pkg/builder3 @ v1.36
 * Leaves out: descriptions of most fields, and answers other than 200.
 */
import type { Kind } from "./kinds/definition.ts";
import { pathsOf } from "./openapi-paths.ts";
import { rawTypeOf, sharedType } from "./openapi-types.ts";
import { describeField } from "./schema/descriptions.ts";
import { enumOf } from "./schema/enums.ts";
import type { Field, Schemas, Struct, TypeRef } from "./schema.ts";
import type { Json } from "./types.ts";

type Doc = { [key: string]: Json };

const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";
/** The document of one group and version, from its kinds. */
export function openApiOf(schemas: Schemas, kinds: readonly Kind[]): Json {
  const builder = new Builder(schemas, packageOf(kinds[0]));
  for (const kind of kinds) builder.addKind(kind);
  const paths: Doc = {};
  for (const kind of kinds) {
    const custom = schemas.homeOf(kind.struct) === "custom";
    Object.assign(paths, pathsOf(kind, custom));
  }
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: "v1.36.2" },
    paths,
    components: { schemas: builder.schemas() },
  };
}

/** `io.k8s.api.apps.v1`; the core group has no name and is called core. */
function packageOf(kind: Kind | undefined): string {
  const group = kind?.group.split(".")[0] || "core";
  if (group === "apiextensions") {
    return "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1";
  }
  return `io.k8s.api.${group}.${kind?.version ?? "v1"}`;
}

class Builder {
  private readonly built = new Map<string, Json>();
  private readonly all: Schemas;
  private readonly own: string;

  constructor(all: Schemas, own: string) {
    this.all = all;
    this.own = own;
  }

  schemas(): Json {
    return Object.fromEntries(
      [...this.built].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  }

  addKind(kind: Kind): void {
    const name = this.addStruct(kind.struct);
    const { group, version } = kind;
    const known = this.built.get(name) as Doc;
    const gvk = { group, kind: kind.kind, version };
    this.built.set(name, {
      ...known,
      "x-kubernetes-group-version-kind": [gvk],
    });
  }

  /** Adds a struct and all that it holds; gives its name in the document. */
  private addStruct(structName: string): string {
    const struct = this.all.struct(structName);
    const home = this.all.homeOf(structName);
    const pkg =
      home === "meta"
        ? meta
        : home === "core"
          ? "io.k8s.api.core.v1"
          : this.own;
    const name = `${pkg}.${struct.goName}`;
    if (this.built.has(name)) return name;
    this.built.set(name, {});
    this.built.set(name, this.structSchema(struct));
    return name;
  }

  private structSchema(struct: Struct): Json {
    const properties: Doc = {};
    const needed: string[] = [];
    for (const field of struct.fields.values()) {
      properties[field.name] = this.fieldSchema(struct, field);
      if (field.mode === "!" || field.mode === "%") needed.push(field.name);
    }
    const sorted = Object.entries(properties).toSorted(([a], [b]) =>
      a < b ? -1 : 1,
    );
    const schema: Doc = {
      type: "object",
      properties: Object.fromEntries(sorted),
    };
    if (needed.length > 0) schema.required = needed.toSorted();
    if (struct.atomic) schema["x-kubernetes-map-type"] = "atomic";
    return schema;
  }

  private fieldSchema(struct: Struct, field: Field): Json {
    const raw = rawTypeOf(struct.name, field.name);
    const schema: Doc = { ...(this.typeSchema(field.type, raw) as Doc) };
    const values = enumOf(struct.name, field.name);
    if (values) schema.enum = values;
    const description = describeField(struct.name, field.name);
    if (description) schema.description = description;
    if (field.default !== undefined) schema.default = field.default;
    const { listType, listMapKeys, patchMergeKey } = field;
    if (listType && field.type.shape === "list")
      schema["x-kubernetes-list-type"] = listType;
    if (listType && field.type.shape === "map")
      schema["x-kubernetes-map-type"] = listType;
    if (listMapKeys.length > 0)
      schema["x-kubernetes-list-map-keys"] = listMapKeys;
    if (patchMergeKey) schema["x-kubernetes-patch-merge-key"] = patchMergeKey;
    const strategy = patchStrategy(field);
    if (strategy) schema["x-kubernetes-patch-strategy"] = strategy;
    return schema;
  }

  /** `raw` names the type of what may be any JSON. */
  private typeSchema(type: TypeRef, raw: string): Json {
    if (type.shape === "list") {
      return { type: "array", items: this.typeSchema(type.of ?? type, raw) };
    }
    if (type.shape === "map") {
      return {
        type: "object",
        additionalProperties: this.typeSchema(type.of ?? type, raw),
      };
    }
    const shared = sharedType(type.name === "r" ? raw : type.name);
    if (shared) {
      this.built.set(...shared);
      return reference(shared[0]);
    }
    return plainTypes[type.name] ?? reference(this.addStruct(type.name));
  }
}

function patchStrategy({ patchMergeKey, retainKeys, replaces }: Field): string {
  if (replaces) return "replace";
  const merge = patchMergeKey === undefined ? [] : ["merge"];
  return [...merge, ...(retainKeys ? ["retainKeys"] : [])].join(",");
}

function reference(name: string): Json {
  return { allOf: [{ $ref: `#/components/schemas/${name}` }] };
}

const plainTypes: { readonly [letter: string]: Json } = {
  s: { type: "string" },
  b: { type: "boolean" },
  i: { type: "integer", format: "int32" },
  l: { type: "integer", format: "int64" },
  f: { type: "number", format: "double" },
  y: { type: "string", format: "byte" },
  r: { type: "object" },
};
