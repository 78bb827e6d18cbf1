/**
 * A schema as the types that rules in CEL are checked with.
 * Models: apiserver/pkg/cel/common/schemas.go, apiserver/pkg/cel/escaping.go @ v1.36
 */
import { escapedName } from "../../cel/names.ts";
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  STRING,
  TIMESTAMP,
} from "../../cel/types.ts";
import type { JsonObject } from "../../types.ts";
import { obj, str } from "../access.ts";

const PLAIN: { readonly [type: string]: CelType } = {
  integer: INT,
  number: DOUBLE,
  boolean: BOOL,
};
const OF_FORMAT: { readonly [format: string]: CelType } = {
  byte: BYTES,
  date: TIMESTAMP,
  "date-time": TIMESTAMP,
  duration: DURATION,
};

/** undefined: rules do not see it. */
export function celTypeOf(
  schema: JsonObject,
  whole = schema["x-kubernetes-embedded-resource"] === true,
): CelType | undefined {
  if (schema["x-kubernetes-int-or-string"] === true) return DYN;
  const type = str(schema.type);
  if (type === "string") return OF_FORMAT[str(schema.format)] ?? STRING;
  if (PLAIN[type]) return PLAIN[type];
  if (type === "array") {
    const items = celTypeOf(obj(schema.items));
    return items && listOf(items);
  }
  if (type !== "object") return undefined;
  const { additionalProperties: more } = schema;
  if (typeof more === "object") {
    const values = celTypeOf(obj(more));
    return values && mapOf(STRING, values);
  }
  return objectType(schema, whole);
}

function objectType(schema: JsonObject, whole: boolean): CelType | undefined {
  const properties = Object.entries(obj(schema.properties));
  if (properties.length === 0 && !whole) {
    // Nothing is known of what is kept unknown.
    const open = schema["x-kubernetes-preserve-unknown-fields"] === true;
    return open ? undefined : { kind: "object", fields: new Map() };
  }
  const fields = new Map<string, CelType>();
  for (const [name, child] of properties) {
    const type = celTypeOf(obj(child));
    const escaped = escapedName(name);
    if (type && escaped) fields.set(escaped, type);
  }
  if (whole) {
    fields.set("apiVersion", STRING);
    fields.set("kind", STRING);
    const names = new Map([
      ["name", STRING],
      ["generateName", STRING],
    ]);
    fields.set("metadata", { kind: "object", fields: names });
  }
  return { kind: "object", fields };
}
