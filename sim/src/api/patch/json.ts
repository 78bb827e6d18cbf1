/**
 * JSON patch: add, remove, replace, move, copy, test.
 * Models:     RFC 6902; gopkg.in/evanphx/json-patch.v4 as kube-apiserver
 *             1.36 uses it, negative indices included
 */
import { quote } from "../go-text.ts";
import type { Json, JsonObject } from "../types.ts";
import {
  has,
  isList,
  isObject,
  jsonEqual,
  withKey,
  withoutKey,
} from "./value.ts";

export interface JsonPatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: Json;
}

/** An operation that does not apply. */
export class JsonPatchError extends Error {}

type Container = JsonObject | readonly Json[];

const missing = "missing value";

/** `document` after all operations; throws JsonPatchError if one fails. */
export function jsonPatch(
  document: Json,
  patch: readonly JsonPatchOperation[],
): Json {
  return patch.reduce<Json>(applyOne, document);
}

function applyOne(document: Json, operation: JsonPatchOperation): Json {
  const { op, path } = operation;
  switch (op) {
    case "add":
      return add(
        document,
        path,
        operation.value ?? null,
        `add operation does not apply: doc is missing path: ${quote(path)}`,
      );
    case "remove":
      return remove(
        document,
        path,
        `remove operation does not apply: doc is missing path: ${quote(path)}`,
      );
    case "replace":
      return replace(document, path, operation.value ?? null);
    case "move":
    case "copy":
      return transfer(document, operation, op);
    case "test":
      return test(document, path, operation.value ?? null);
    default:
      throw new JsonPatchError(`Unexpected kind: ${op}`);
  }
}

function add(document: Json, path: string, value: Json, problem: string): Json {
  return change(document, path, problem, (container, key) => {
    if (!isList(container)) return withKey(container, key, value);
    const size = container.length + 1;
    const at = key === "-" ? size - 1 : indexOf(key, size, path, "add");
    return container.toSpliced(at, 0, value);
  });
}

function remove(document: Json, path: string, problem: string): Json {
  return change(document, path, problem, (container, key) => {
    if (isList(container)) {
      return container.toSpliced(
        indexOf(key, container.length, path, "remove"),
        1,
      );
    }
    if (has(container, key)) return withoutKey(container, key);
    const what = `Unable to remove nonexistent key: ${key}`;
    throw new JsonPatchError(
      `error in remove for path: '${path}': ${what}: ${missing}`,
    );
  });
}

function replace(document: Json, path: string, value: Json): Json {
  const problem = "replace operation does not apply: doc is missing";
  return change(
    document,
    path,
    `${problem} path: ${path}`,
    (container, key) => {
      if (childOf(container, key) === undefined) {
        throw new JsonPatchError(`${problem} key: ${path}: ${missing}`);
      }
      if (!isList(container)) return withKey(container, key, value);
      return container.with(
        indexOf(key, container.length, path, "replace"),
        value,
      );
    },
  );
}

function transfer(
  document: Json,
  operation: JsonPatchOperation,
  op: "move" | "copy",
): Json {
  const { path, from = "" } = operation;
  const problem = `${op} operation does not apply: doc is missing`;
  const value = valueAt(document, from, `${problem} from path: ${from}`);
  if (value === undefined) {
    const where = op === "move" ? "path" : "from";
    throw new JsonPatchError(
      `error in ${op} for ${where}: '${from}': ${missing}`,
    );
  }
  const rest = op === "move" ? remove(document, from, problem) : document;
  return add(rest, path, value, `${problem} destination path: ${path}`);
}

function test(document: Json, path: string, expected: Json): Json {
  const problem = `test operation does not apply: is missing path: ${path}`;
  const found = valueAt(document, path, problem) ?? null;
  if (jsonEqual(found, expected)) return document;
  throw new JsonPatchError(`testing value ${path} failed: test failed`);
}

/** Rebuilds the objects along `path`; all others are shared. */
function change(
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
    return value.with(indexOf(key, value.length, path, "find"), child);
  };
  return walk(document, keysOf(path));
}

function valueAt(
  document: Json,
  path: string,
  problem: string,
): Json | undefined {
  const keys = keysOf(path);
  if (keys.length === 0) throw new JsonPatchError(`${problem}: ${missing}`);
  let value: Json | undefined = document;
  for (const key of keys) {
    if (!isObject(value) && !isList(value)) {
      throw new JsonPatchError(`${problem}: ${missing}`);
    }
    value = childOf(value, key);
  }
  return value;
}

function childOf(container: Container, key: string): Json | undefined {
  if (isList(container))
    return container.at(/^-?\d+$/.test(key) ? Number(key) : container.length);
  return Object.hasOwn(container, key) ? container[key] : undefined;
}

/** "/a~1b/0" is ["a/b", "0"]; a path without "/" has none. */
function keysOf(path: string): string[] {
  const keys = path.split("/").slice(1);
  return keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function indexOf(key: string, size: number, path: string, op: string): number {
  const problem = `error in ${op} for path: '${path}'`;
  if (!/^[-+]?\d+$/.test(key)) {
    throw new JsonPatchError(
      `${problem}: strconv.Atoi: parsing ${quote(key)}: invalid syntax`,
    );
  }
  const index = Number(key);
  if (index >= size || index < -size) {
    throw new JsonPatchError(
      `${problem}: Unable to access invalid index: ${index}: invalid index referenced`,
    );
  }
  return index < 0 ? index + size : index;
}
