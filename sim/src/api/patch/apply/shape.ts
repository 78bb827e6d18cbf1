/**
 * How server-side apply sees a field: as one value, as a map of fields, or as
 * a list whose items have an identity.
 * Models:     structured-merge-diff/v6 schema, typed/helpers.go
 */
import { goJson } from "../../go-text.ts";
import type { Schemas, TypeRef } from "../../schema.ts";
import type { Json, JsonObject } from "../../types.ts";
import { isList, isObject } from "../value.ts";

export interface Place {
  readonly schemas: Schemas;
  readonly type: TypeRef;
  readonly listType?: "atomic" | "set" | "map";
  readonly listMapKeys: readonly string[];
}

const anything: TypeRef = Object.freeze({ shape: "plain", name: "r" });

/** The place of a whole object, by the name of its struct. */
export function rootPlace(schemas: Schemas, name: string): Place {
  return { schemas, type: { shape: "plain", name }, listMapKeys: [] };
}

/** "leaf" is owned and replaced as a whole. */
export function shapeOf(
  place: Place,
  value: Json | undefined,
): "leaf" | "map" | "list" {
  const { type, listType } = place;
  if (isObject(value)) {
    if (listType === "atomic") return "leaf";
    const struct = structOf(place);
    return struct?.atomic || type.shape === "list" ? "leaf" : "map";
  }
  if (isList(value))
    return listType === "map" || listType === "set" ? "list" : "leaf";
  return "leaf";
}

/** The place of a field of an object. */
export function fieldPlace(place: Place, name: string): Place {
  const { schemas, type } = place;
  if (type.shape === "map") return itemPlace(place);
  const field = structOf(place)?.fields.get(name);
  if (!field) return { schemas, type: anything, listMapKeys: [] };
  const { listType, listMapKeys } = field;
  return { schemas, type: field.type, listType, listMapKeys };
}

/** The place of an item of a list, or of a value of a map. */
export function itemPlace({ schemas, type }: Place): Place {
  return { schemas, type: type.of ?? anything, listMapKeys: [] };
}

/** Whether the kind itself has that field (and not the user made it up). */
export function isNamedField(place: Place, name: string): boolean {
  return structOf(place)?.fields.has(name) ?? false;
}

/** Whether it is a map, whose fields the user makes up. */
export function takesAnyField({ type }: Place): boolean {
  return type.shape === "map";
}

function structOf({ schemas, type }: Place) {
  const named = type.shape === "plain" && /^[A-Z]/.test(type.name);
  return named ? schemas.struct(type.name) : undefined;
}

/** What tells an item from the others: `k:{"name":"c"}` or `v:"x"`. */
export function elementOf(place: Place, item: Json): string {
  if (place.listType !== "map") return `v:${goJson(item)}`;
  const keys: Record<string, Json> = {};
  for (const name of place.listMapKeys.toSorted()) {
    const value = isObject(item) ? item[name] : undefined;
    const found =
      value ?? structOf(itemPlace(place))?.fields.get(name)?.default;
    if (found !== undefined) keys[name] = found;
  }
  return `k:${goJson(keys)}`;
}

/**
 * What Go's empty struct encodes to: the fields that are written even when
 * they are empty. Their parents exist before anybody sets them.
 */
export function zeroObject(place: Place): JsonObject {
  const zero: Record<string, Json> = {};
  for (const field of structOf(place)?.fields.values() ?? []) {
    if (field.mode === "" || field.mode === "*") continue;
    const child = fieldPlace(place, field.name);
    zero[field.name] = field.mode === "%" ? null : zeroOf(child);
  }
  return zero;
}

function zeroOf(place: Place): Json {
  const { shape, name } = place.type;
  if (shape !== "plain") return null;
  return structOf(place) ? zeroObject(place) : (zeros[name] ?? null);
}

/** By the letters of the schema's notation; times and raw JSON are null. */
const zeros: Readonly<Record<string, Json>> = {
  s: "",
  i: 0,
  l: 0,
  f: 0,
  b: false,
  q: "0",
  o: 0,
};
