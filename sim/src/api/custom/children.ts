/** The parts of a value that have schemas of their own. */
import { obj } from "../kinds/access.ts";
import type { Json, JsonObject } from "../types.ts";

export interface Child {
  readonly name: string | number;
  readonly child: Json;
  readonly inner: JsonObject;
  /** It is found by a key of a map, not by a name of the schema's. */
  readonly keyed: boolean;
}

export function childrenOf(value: Json, schema: JsonObject): Child[] {
  const { items, properties, additionalProperties } = schema;
  if (Array.isArray(value)) {
    const inner = obj(items);
    if (!items) return [];
    return value.map((child: Json, name) => {
      return { name, child, inner, keyed: false };
    });
  }
  if (typeof value !== "object" || value === null) return [];
  const named = obj(properties);
  const more = typeof additionalProperties === "object";
  return Object.entries(value).flatMap(([name, child]): Child[] => {
    if (Object.hasOwn(named, name)) {
      return [{ name, child, inner: obj(named[name]), keyed: false }];
    }
    const inner = obj(additionalProperties);
    return more ? [{ name, child, inner, keyed: true }] : [];
  });
}

export function childPath(
  path: string,
  name: string | number,
  keyed: boolean,
): string {
  if (keyed || typeof name === "number") return `${path}[${name}]`;
  return path ? `${path}.${name}` : name;
}
