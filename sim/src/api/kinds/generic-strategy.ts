/**
 * The rules of life that most kinds share: a new object has no status yet, a
 * changed spec counts the generation up, a status update changes no spec.
 * Models: apiserver/pkg/registry/rest/{create,update}.go, pkg/registry @ v1.36
 */
import type { KubeObject, ObjectMeta } from "../types.ts";
import { same } from "./access.ts";
import type { KindOptions, Obj, Strategy } from "./definition.ts";

export function strategyOf(options: KindOptions): Strategy {
  const { emptyStatus, generationOf, onCreate, onUpdate } = options;
  return Object.freeze({
    allowCreateOnUpdate: options.allowCreateOnUpdate ?? false,
    allowUnconditionalUpdate: options.allowUnconditionalUpdate ?? true,
    madeBy: options.madeBy,
    changes: options.changes,
    prepareForCreate(object: KubeObject) {
      let next = fieldsOf(object);
      if (emptyStatus) next = { ...next, status: emptyStatus };
      if (generationOf) next = withMeta(next, { generation: 1 });
      return onCreate ? onCreate(next) : next;
    },
    prepareForUpdate(object: KubeObject, old: KubeObject) {
      const before = fieldsOf(old);
      let next = fieldsOf(object);
      if (emptyStatus) next = { ...next, status: before.status };
      if (onUpdate) next = onUpdate(next, before);
      return generationOf ? counted(next, before, generationOf) : next;
    },
    prepareForStatusUpdate(object: KubeObject, old: KubeObject) {
      let { metadata } = object;
      for (const field of options.statusKeeps ?? [])
        metadata = { ...metadata, [field]: old.metadata[field] };
      return {
        ...fieldsOf(old),
        metadata: tidy(metadata),
        status: fieldsOf(object).status,
      };
    },
  });
}

/** `object` with some of its metadata replaced. */
export function withMeta(object: Obj, meta: Partial<ObjectMeta>): Obj {
  return { ...object, metadata: { ...object.metadata, ...meta } };
}

function tidy(meta: ObjectMeta): ObjectMeta {
  if (!Object.values(meta).includes(undefined)) return meta;
  return Object.fromEntries(
    Object.entries(meta).filter(([, v]) => v !== undefined),
  ) as typeof meta;
}

function counted(object: Obj, old: Obj, fields: readonly string[]): Obj {
  const { generation = 0 } = old.metadata;
  const changed = fields.some(
    (field) => !same(valueAt(object, field), valueAt(old, field)),
  );
  const next = changed ? generation + 1 : generation;
  return object.metadata.generation === next
    ? object
    : withMeta(object, { generation: next });
}

function valueAt(object: Obj, field: string) {
  return field === "annotations" || field === "labels"
    ? object.metadata[field]
    : object[field];
}

/** An object with its fields open; the schema has checked their types. */
export function fieldsOf(object: KubeObject): Obj {
  return object as Obj;
}
