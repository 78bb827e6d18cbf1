/**
 * A structural schema as structs of our own schema notation, so that apply,
 * field tracking and OpenAPI treat custom resources as all others.
 */
import { obj, strings } from "../../api/kinds/access.ts";
import type { JsonObject } from "../../api/types.ts";

const PLAIN: { readonly [type: string]: string } = {
  string: "s",
  integer: "l",
  number: "f",
  boolean: "b",
};

/** Lines of structs; the whole object is the struct `name`. */
export function schemaText(name: string, schema: JsonObject): string {
  const lines: string[] = [];
  structOf(name, schema, lines, true);
  return lines.join("\n");
}

function structOf(
  name: string,
  schema: JsonObject,
  lines: string[],
  whole = false,
): string {
  const fields: string[] = whole ? ["metadata+:ObjectMeta"] : [];
  const own = whole ? ["metadata", "kind", "apiVersion"] : [];
  for (const [field, child] of Object.entries(obj(schema.properties))) {
    if (own.includes(field) || !/^[\w$-]+$/.test(field)) continue;
    const type = typeText(
      `${name}_${field.replace(/\W/g, "_")}`,
      obj(child),
      lines,
    );
    fields.push(`${field}*:${type}`);
  }
  const atomic = schema["x-kubernetes-map-type"] === "atomic" ? "~" : "";
  lines.push(`${name}${atomic} ${fields.join(" ")}`.trimEnd());
  return name;
}

function typeText(name: string, schema: JsonObject, lines: string[]): string {
  if (schema["x-kubernetes-int-or-string"] === true) return "o";
  const type = String(schema.type ?? "");
  if (type === "array") {
    const items = typeText(`${name}_item`, obj(schema.items), lines);
    return `[${items}${listType(schema)}`;
  }
  if (type !== "object") return PLAIN[type] ?? "r";
  if (schema["x-kubernetes-preserve-unknown-fields"] === true) return "r";
  if (schema.properties) return structOf(name, schema, lines);
  const { additionalProperties } = schema;
  if (typeof additionalProperties !== "object") return "r";
  return `{${typeText(`${name}_value`, obj(additionalProperties), lines)}`;
}

function listType(schema: JsonObject): string {
  const keys = strings(schema["x-kubernetes-list-map-keys"]);
  switch (schema["x-kubernetes-list-type"]) {
    case "map":
      return `#${keys.join(",")}`;
    case "set":
      return "#";
    default:
      return "~";
  }
}
