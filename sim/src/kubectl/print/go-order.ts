/**
 * An object with its fields in the order of Go's struct: so a command prints
 * what it made itself, or read as a type of its own.
 * Models:     encoding/json of k8s.io/api's types
 */
import type { Kind, Obj } from "../../api/kinds/definition.ts";
import type { Schemas, Struct, TypeRef } from "../../api/schema.ts";
import type { Json, JsonObject, KubeObject } from "../../api/types.ts";
import type { Environment } from "../environment.ts";

export function inGoOrder<T extends KubeObject>(
  object: T,
  { struct }: Kind,
  { kinds: { schemas } }: Environment,
): T {
  const fields = object as object as JsonObject;
  return structInOrder(fields, schemas.struct(struct), schemas) as object as T;
}

/** A list as a type of its own; who manages the fields is left out. */
export function listInGoOrder(
  kind: Kind,
  metadata: JsonObject,
  objects: readonly Obj[],
  env: Environment,
): Obj {
  const items = objects.map((object) => {
    const { managedFields: _, ...kept } = object.metadata;
    return inGoOrder({ ...object, metadata: kept }, kind, env);
  });
  const { apiVersion } = kind;
  const list = { kind: `${kind.kind}List`, apiVersion, metadata, items };
  return list as object as Obj;
}

function structInOrder(
  value: JsonObject,
  struct: Struct | undefined,
  schemas: Schemas,
): JsonObject {
  if (!struct) return value;
  const known = [...struct.fields.values()].filter(
    ({ name }) => value[name] !== undefined,
  );
  const ordered = known.map(({ name, type }) => {
    return [name, inOrder(value[name], type, schemas)] as const;
  });
  return { ...Object.fromEntries(ordered), ...unknownOf(value, struct) };
}

function unknownOf(value: JsonObject, { fields }: Struct): JsonObject {
  const pairs = Object.entries(value);
  return Object.fromEntries(pairs.filter(([name]) => !fields.has(name)));
}

function inOrder(value: Json, type: TypeRef, schemas: Schemas): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value))
    return value.map((item) => inOrder(item, type.of ?? type, schemas));
  const map = value as JsonObject;
  if (type.shape !== "map") {
    const struct = type.name.length > 1 ? schemas.struct(type.name) : undefined;
    return structInOrder(map, struct, schemas);
  }
  const keys = Object.keys(map).toSorted();
  return Object.fromEntries(
    keys.map((key) => [key, inOrder(map[key], type.of ?? type, schemas)]),
  );
}
