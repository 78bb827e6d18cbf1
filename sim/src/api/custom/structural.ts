/**
 * What a structural schema does to an object before it is checked: fields that
 * it does not name are pruned, defaults are filled in where their parent is.
 * Models: apiextensions-apiserver/pkg/apiserver/schema/{pruning,defaulting}
 */
import { obj } from "../kinds/access.ts";
import type { Json, JsonObject } from "../types.ts";

const PRESERVE = "x-kubernetes-preserve-unknown-fields";
const EMBEDDED = "x-kubernetes-embedded-resource";

/** The value without unknown fields; their paths go into `unknown`. */
export function pruned(
  value: Json,
  schema: JsonObject,
  path: string,
  unknown: string[],
): Json {
  if (Array.isArray(value)) {
    const items = obj(schema.items);
    return value.map((item, i) =>
      pruned(item, items, `${path}[${i}]`, unknown),
    );
  }
  if (typeof value !== "object" || value === null) return value;
  const { properties, additionalProperties } = schema;
  const named = obj(properties);
  const kept: Record<string, Json> = {};
  for (const [name, child] of Object.entries(value)) {
    const at = path ? `${path}.${name}` : name;
    const known = Object.hasOwn(named, name) ? obj(named[name]) : undefined;
    if (known) kept[name] = pruned(child, known, at, unknown);
    else if (schema[PRESERVE] === true) kept[name] = child;
    else if (isOwnField(name, path, schema)) kept[name] = child;
    else if (additionalProperties) {
      kept[name] = pruned(child, obj(additionalProperties), at, unknown);
    } else unknown.push(at);
  }
  return kept;
}

/** Kind, version and metadata belong to every whole object. */
function isOwnField(name: string, path: string, schema: JsonObject): boolean {
  const whole = path === "" || schema[EMBEDDED] === true;
  return whole && ["apiVersion", "kind", "metadata"].includes(name);
}

/** The value with the schema's defaults. */
export function defaulted(value: Json, schema: JsonObject): Json {
  if (Array.isArray(value)) {
    const items = obj(schema.items);
    return value.map((item) => defaulted(item, items));
  }
  if (typeof value !== "object" || value === null) return value;
  const out: Record<string, Json> = { ...(value as JsonObject) };
  for (const [name, child] of Object.entries(obj(schema.properties))) {
    const field = obj(child);
    const absent =
      out[name] === undefined ||
      (out[name] === null && field.nullable !== true);
    if (absent && field.default !== undefined) out[name] = field.default;
    if (out[name] !== undefined) out[name] = defaulted(out[name], field);
  }
  const { additionalProperties } = schema;
  if (typeof additionalProperties === "object" && additionalProperties) {
    for (const name in out)
      out[name] = defaulted(out[name], obj(additionalProperties));
  }
  return out;
}
