/**
 * What a patch must know of a field: its type, and how its lists merge.
 * Models:     apimachinery/third_party/forked/golang/json/fields.go @ v1.36
 */
import { quote } from "../go-text.ts";
import type { Field, Schemas, TypeRef } from "../schema.ts";

/** A place in an object: its type, and where to look up structs. */
export interface PatchType {
  readonly schemas: Schemas;
  readonly type: TypeRef;
}

export interface PatchField {
  readonly place: PatchType;
  /** Lists merge item by item instead of being replaced. */
  readonly merges: boolean;
  /** "" for a list of plain values. */
  readonly mergeKey: string;
  readonly retainKeys: boolean;
  /** An object that a patch replaces as a whole. */
  readonly replaces: boolean;
}

/** The type of a whole object, by the name of its struct: "Deployment". */
export function patchType(schemas: Schemas, name: string): PatchType {
  return { schemas, type: { shape: "plain", name } };
}

/** What holds for items of a list, or for values of a map. */
export function itemsOf({ schemas, type }: PatchType): PatchType {
  return { schemas, type: type.of ?? anything };
}

/** The field `key` of an object at `place`. Throws upstream's text. */
export function fieldOf(place: PatchType, key: string): PatchField {
  const { schemas, type } = place;
  if (type.shape === "plain" && type.name === "r") return plainField(place);
  if (type.shape !== "plain" || !isStruct(type.name)) {
    const kind = goKinds[type.shape];
    const problem = "merging an object in json but data type is not struct";
    throw new Error(`${problem}, instead is: ${kind}`);
  }
  const struct = schemas.struct(type.name);
  const field = struct.fields.get(key) ?? ignoringCase(struct.fields, key);
  if (field) return fieldWith(schemas, field);
  const where = `struct ${struct.goName} for the json field ${quote(key)}`;
  throw new Error(`unable to find api field in ${where}`);
}

/** Go's kinds, as far as an error text needs them. */
const goKinds = { map: "map", list: "slice", plain: "string" };

const anything: TypeRef = Object.freeze({ shape: "plain", name: "r" });

function plainField(place: PatchType): PatchField {
  const plain = { merges: false, mergeKey: "", retainKeys: false };
  return { place, ...plain, replaces: false };
}

/** The name of a struct begins with a capital. */
function isStruct(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= 65 && first <= 90;
}

/** What was made of each field: it belongs to one set of schemas. */
const known = new WeakMap<Field, PatchField>();

function fieldWith(schemas: Schemas, field: Field): PatchField {
  let found = known.get(field);
  if (!found) {
    found = {
      place: { schemas, type: field.type },
      merges: field.patchMergeKey !== undefined,
      mergeKey: field.patchMergeKey ?? "",
      retainKeys: field.retainKeys,
      replaces: field.replaces,
    };
    known.set(field, found);
  }
  return found;
}

function ignoringCase(
  fields: ReadonlyMap<string, Field>,
  key: string,
): Field | undefined {
  const lower = key.toLowerCase();
  return [...fields.values()].find(({ name }) => name.toLowerCase() === lower);
}
