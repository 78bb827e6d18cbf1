/**
 * A set of fields of an object, as managedFields writes it: `f:name`,
 * `k:{"name":"c"}`, `v:"x"`; "." is the field itself beside its children.
 * Models:     sigs.k8s.io/structured-merge-diff/v6 fieldpath/set.go
 */
import type { Json, JsonObject } from "../../types.ts";

/** Frozen and shared; `owned` tells whether this very field is in the set. */
export interface FieldSet {
  readonly owned: boolean;
  readonly children: ReadonlyMap<string, FieldSet>;
}

export const emptySet: FieldSet = Object.freeze({
  owned: false,
  children: new Map(),
});

const leaf: FieldSet = Object.freeze({ owned: true, children: new Map() });

export function isEmpty(set: FieldSet): boolean {
  return !set.owned && set.children.size === 0;
}

/** The set of one path. */
export function setOf(path: readonly string[]): FieldSet {
  const [first, ...rest] = path;
  if (first === undefined) return leaf;
  return { owned: false, children: new Map([[first, setOf(rest)]]) };
}

/** What `pick` keeps of each field that is in one set or the other. */
function combine(
  a: FieldSet,
  b: FieldSet,
  pick: (inA: boolean, inB: boolean) => boolean,
): FieldSet {
  if (isEmpty(b)) return pick(true, false) ? a : emptySet;
  if (isEmpty(a)) return pick(false, true) ? b : emptySet;
  const children = new Map<string, FieldSet>();
  for (const [key, child] of a.children) {
    const both = combine(child, b.children.get(key) ?? emptySet, pick);
    if (!isEmpty(both)) children.set(key, both);
  }
  for (const [key, child] of b.children) {
    if (a.children.has(key)) continue;
    const alone = combine(emptySet, child, pick);
    if (!isEmpty(alone)) children.set(key, alone);
  }
  return { owned: pick(a.owned, b.owned), children };
}

export function union(...sets: readonly FieldSet[]): FieldSet {
  return sets.reduce((a, b) => combine(a, b, either), emptySet);
}

const either = (x: boolean, y: boolean) => x || y;

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return combine(a, b, (x, y) => x && y);
}

export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return combine(a, b, (x, y) => x && !y);
}

/** Also without all that lies below a field of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  if (b.owned) return emptySet;
  if (isEmpty(b)) return a;
  const children = new Map<string, FieldSet>();
  for (const [key, child] of a.children) {
    const rest = recursiveDifference(child, b.children.get(key) ?? emptySet);
    if (!isEmpty(rest)) children.set(key, rest);
  }
  return { owned: a.owned, children };
}

/** Every path in the set, parents before children, in order. */
export function pathsOf(
  set: FieldSet,
  prefix: readonly string[] = [],
): string[][] {
  const own = set.owned ? [[...prefix]] : [];
  const below = sortedChildren(set).flatMap(([key, child]) =>
    pathsOf(child, [...prefix, key]),
  );
  return [...own, ...below];
}

/** `.spec.containers[name="c"].image`, as conflicts name it. */
export function pathText(path: readonly string[]): string {
  return path.map(elementText).join("");
}

function elementText(element: string): string {
  const value = element.slice(2);
  switch (element.slice(0, 2)) {
    case "f:":
      return `.${value}`;
    case "k:": {
      const keys: Record<string, unknown> = JSON.parse(value);
      const shown = Object.entries(keys).map(
        ([key, v]) => `${key}=${JSON.stringify(v)}`,
      );
      return `[${shown.join(",")}]`;
    }
    case "v:":
      return `[=${value}]`;
    default:
      return `[${value}]`;
  }
}

/** The set as `fieldsV1`. */
export function encodeSet(set: FieldSet): JsonObject {
  const known = encodings.get(set);
  if (known) return known;
  const encoded: Record<string, Json> = {};
  if (set.owned && set.children.size > 0) encoded["."] = {};
  for (const [key, child] of sortedChildren(set))
    encoded[key] = encodeSet(child);
  encodings.set(set, encoded);
  return encoded;
}

/** Sets never change: one that passes a write untouched is encoded once. */
const encodings = new WeakMap<FieldSet, JsonObject>();
const decodings = new WeakMap<object, FieldSet>();

/** The set that a `fieldsV1` holds. */
export function decodeSet(fields: Json): FieldSet {
  if (typeof fields !== "object" || !Object.isFrozen(fields)) {
    return decoded(fields, true);
  }
  const known = fields && decodings.get(fields);
  if (known) return known;
  const set = decoded(fields, true);
  if (fields) decodings.set(fields, set);
  return set;
}

function decoded(fields: Json, isRoot: boolean): FieldSet {
  const entries = Object.entries((fields ?? {}) as JsonObject);
  const children = new Map<string, FieldSet>();
  for (const [key, child] of entries) {
    if (key !== ".") children.set(key, decoded(child, false));
  }
  const owned =
    !isRoot && (entries.length === 0 || entries.some(([key]) => key === "."));
  return { owned, children };
}

/** Names, then keys, values, indices. */
const kinds = ["f:", "k:", "v:", "i:"];

function sortedChildren({ children }: FieldSet): [string, FieldSet][] {
  return [...children].toSorted(([a], [b]) => {
    const order = kinds.indexOf(a.slice(0, 2)) - kinds.indexOf(b.slice(0, 2));
    return order || (a < b ? -1 : a > b ? 1 : 0);
  });
}
