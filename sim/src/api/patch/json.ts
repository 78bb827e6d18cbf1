/**
 * JSON patch: add, remove, replace, move, copy, test.
 * Models:     RFC 6902; gopkg.in/evanphx/json-patch.v4 as kube-apiserver
 *             1.36 uses it: negative indices count from the end, and a key
 *             that is not there can be replaced or copied (as null)
 */
import type { Json } from "../types.ts";
import {
  change,
  childOf,
  find,
  get,
  indexOf,
  JsonPatchError,
  missing,
} from "./json-path.ts";
import {
  has,
  isList,
  isObject,
  jsonEqual,
  withKey,
  withoutKey,
} from "./value.ts";

export { JsonPatchError };

export interface JsonPatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: Json;
}

/** `document` after all operations; throws JsonPatchError if one fails. */
export function jsonPatch(
  document: Json,
  patch: readonly JsonPatchOperation[],
): Json {
  return patch.reduce<Json>(applyOne, document);
}

function applyOne(document: Json, operation: JsonPatchOperation): Json {
  const { op, path, value = null } = operation ?? {};
  const apply = Object.hasOwn(operations, op) ? operations[op] : undefined;
  if (!apply) throw new JsonPatchError(`Unexpected kind: ${op ?? "unknown"}`);
  if (typeof path !== "string") {
    const problem = `${op} operation failed to decode path`;
    throw new JsonPatchError(`${problem}: ${missing}`);
  }
  return apply(document, path, value, operation);
}

type Apply = (
  document: Json,
  path: string,
  value: Json,
  operation: JsonPatchOperation,
) => Json;

const operations: Readonly<Record<string, Apply>> = {
  add(document, path, value) {
    const problem = "add operation does not apply: doc is missing path";
    const failure = `error in add for path: '${path}'`;
    return add(document, path, value, `${problem}: "${path}"`, failure);
  },
  remove(document, path) {
    const problem = "remove operation does not apply: doc is missing path";
    const failure = `error in remove for path: '${path}'`;
    return remove(document, path, `${problem}: "${path}"`, failure);
  },
  replace,
  test,
  move(document, path, _, { from = "" }) {
    const { problem, key, value } = source(document, from, "move");
    const failure = `error in move for path: '${key}'`;
    const rest = remove(document, from, problem, failure);
    const missed = `move operation does not apply: doc is missing destination path: ${path}`;
    return add(rest, path, value, missed, `error in move for path: '${path}'`);
  },
  copy(document, path, _, { from = "" }) {
    const { value } = source(document, from, "copy");
    const missed = `copy operation does not apply: doc is missing destination path: ${path}`;
    const failure = "error while adding value during copy";
    return add(document, path, value, missed, failure);
  },
};

/** What stands at `from`; null if the object there has no such key. */
function source(document: Json, from: string, op: "move" | "copy") {
  const problem = `${op} operation does not apply: doc is missing from path: ${from}`;
  const [container, key] = find(document, from, problem);
  const failure =
    op === "move"
      ? `error in move for path: '${key}'`
      : `error in copy for from: '${from}'`;
  return { problem, key, value: get(container, key, failure) ?? null };
}

function add(
  document: Json,
  path: string,
  value: Json,
  problem: string,
  failure: string,
): Json {
  return change(document, path, problem, (container, key) => {
    if (!isList(container)) return withKey(container, key, value);
    const size = container.length + 1;
    const wrong = `${failure}: value was not a proper array index: '${key}'`;
    const at = key === "-" ? size - 1 : indexOf(key, size, failure, wrong);
    return container.toSpliced(at, 0, value);
  });
}

function remove(
  document: Json,
  path: string,
  problem: string,
  failure: string,
): Json {
  return change(document, path, problem, (container, key) => {
    if (isList(container)) {
      const at = indexOf(key, container.length, failure);
      return container.toSpliced(at, 1);
    }
    if (has(container, key)) return withoutKey(container, key);
    const what = `Unable to remove nonexistent key: ${key}`;
    throw new JsonPatchError(`${failure}: ${what}: ${missing}`);
  });
}

/** The whole document is replaced by an object or a list alone. */
function replace(document: Json, path: string, value: Json): Json {
  if (path === "") return isObject(value) || isList(value) ? value : document;
  const problem = "replace operation does not apply: doc is missing";
  return change(
    document,
    path,
    `${problem} path: ${path}`,
    (container, key) => {
      if (!isList(container)) return withKey(container, key, value);
      if (childOf(container, key) === undefined) {
        throw new JsonPatchError(`${problem} key: ${path}: ${missing}`);
      }
      const failure = `error in remove for path: '${path}'`;
      return container.with(indexOf(key, container.length, failure), value);
    },
  );
}

function test(document: Json, path: string, expected: Json): Json {
  const problem = `test operation does not apply: is missing path: ${path}`;
  const found = () => {
    const [container, key] = find(document, path, problem);
    return get(container, key, `error in test for path: '${path}'`) ?? null;
  };
  if (jsonEqual(path === "" ? document : found(), expected)) return document;
  throw new JsonPatchError(`testing value ${path} failed: test failed`);
}
