/**
 * Lists that are sets or maps hold nothing twice.
 * Models: apiextensions-apiserver/pkg/apiserver/schema/listtype/validation.go @ v1.36
 */
import { duplicate, type FieldError, invalid } from "../field-error.ts";
import { obj, same, strings } from "../kinds/access.ts";
import type { Json, JsonObject } from "../types.ts";
import { childPath, childrenOf } from "./children.ts";

export function listTypeErrors(
  value: Json,
  schema: JsonObject,
  path = "",
): FieldError[] {
  const errors = Array.isArray(value) ? ownErrors(value, schema, path) : [];
  for (const { name, child, inner, keyed } of childrenOf(value, schema)) {
    const at = childPath(path, name, keyed);
    errors.push(...listTypeErrors(child, inner, at));
  }
  return errors;
}

function ownErrors(value: readonly Json[], schema: JsonObject, path: string) {
  const type = schema["x-kubernetes-list-type"];
  if (type === "set") return twice(value, value, path);
  if (type !== "map") return [];
  const odd = value.findIndex(
    (item) => typeof item !== "object" || item === null,
  );
  if (odd >= 0) {
    const rule = "must be an object for an array of list-type map";
    return [invalid(`${path}[${odd}]`, value[odd], rule)];
  }
  const properties = obj(obj(schema.items).properties);
  const names = strings(schema["x-kubernetes-list-map-keys"]);
  const keys = value.map((item) => {
    const keysOf = names
      .map((name) => [name, obj(item)[name] ?? obj(properties[name]).default])
      .filter(([, key]) => key !== undefined);
    return Object.fromEntries(keysOf) as JsonObject;
  });
  return twice(keys, keys, path);
}

/** Each that stands again, once. */
function twice(
  values: readonly Json[],
  shown: readonly Json[],
  path: string,
): FieldError[] {
  return values.flatMap((value, i) => {
    const before = values.slice(0, i).filter((one) => same(one, value));
    return before.length === 1 ? [duplicate(`${path}[${i}]`, shown[i])] : [];
  });
}
