/**
 * Places in a document by JSON pointer, as the JSON patches need them.
 * Models: RFC 6901; findObject, get and indices of
 *         gopkg.in/evanphx/json-patch.v4 as kube-apiserver 1.36 uses it
 */
import { atoi } from "../intstr.ts";
import type { Json, JsonObject } from "../types.ts";
import { isList, isObject, withKey } from "./value.ts";

/** An operation that does not apply. */
export class JsonPatchError extends Error {}

export type Container = JsonObject | readonly Json[];

export const missing = "missing value";

/** Rebuilds the objects along `path`; all others are shared. */
export function change(
  document: Json,
  path: string,
  problem: string,
  edit: (container: Container, key: string) => Json,
): Json {
  const walk = (
    value: Json | undefined,
    [key, ...rest]: readonly string[],
  ): Json => {
    if (key === undefined || !(isObject(value) || isList(value))) {
      throw new JsonPatchError(`${problem}: ${missing}`);
    }
    if (rest.length === 0) return edit(value, key);
    const child = walk(childOf(value, key), rest);
    if (!isList(value)) return withKey(value, key, child);
    return value.with(indexOf(key, value.length, problem), child);
  };
  return walk(document, keysOf(path));
}

/** The object or list that holds what `path` names, and its key there. */
export function find(
  document: Json,
  path: string,
  problem: string,
): [Container, string] {
  const keys = keysOf(path);
  const last = keys.pop();
  let value: Json | undefined = document;
  for (const key of keys) {
    value = isObject(value) || isList(value) ? childOf(value, key) : undefined;
  }
  if (last === undefined || !(isObject(value) || isList(value))) {
    throw new JsonPatchError(`${problem}: ${missing}`);
  }
  return [value, last];
}

/** Of an object undefined if it has no such key; a list must have the item. */
export function get(
  container: Container,
  key: string,
  failure: string,
): Json | undefined {
  if (!isList(container)) return childOf(container, key);
  return container[indexOf(key, container.length, failure)];
}

export function childOf(container: Container, key: string): Json | undefined {
  if (isList(container)) {
    return /^[-+]?\d+$/.test(key) ? container.at(Number(key)) : undefined;
  }
  return Object.hasOwn(container, key) ? container[key] : undefined;
}

/** "/a~1b/0" is ["a/b", "0"]; a path without "/" has none. */
function keysOf(path: string): string[] {
  const keys = path.split("/").slice(1);
  return keys.map((key) =>
    key.replace(/~[01]/g, (c) => (c === "~1" ? "/" : "~")),
  );
}

export function indexOf(
  key: string,
  size: number,
  failure: string,
  wrong = failure,
): number {
  const index = numberOf(key, wrong);
  if (index < size && index >= -size) return index < 0 ? index + size : index;
  const problem = `Unable to access invalid index: ${index}`;
  throw new JsonPatchError(`${failure}: ${problem}: invalid index referenced`);
}

function numberOf(key: string, failure: string): number {
  try {
    return atoi(key);
  } catch (error) {
    throw new JsonPatchError(`${failure}: ${(error as Error).message}`);
  }
}
