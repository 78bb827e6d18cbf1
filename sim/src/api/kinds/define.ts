/**
 * Makes a kind from what is special about it; the rest is as most kinds have
 * it: upstream's generic registry.
 * Models: apiserver/pkg/registry/rest/{create,update}.go, pkg/registry @ v1.36
 */
import type { FieldError } from "../field-error.ts";
import { dns1123Subdomain } from "../names.ts";
import { apiVersionOf } from "../resource.ts";
import type { Hooks } from "../schema/decode.ts";
import { type Columns, plainColumns, plainRow, type Row } from "../table.ts";
import type { JsonObject, KubeObject, ObjectMeta } from "../types.ts";
import { same } from "./access.ts";
import type {
  Kind,
  Obj,
  Selectable,
  Strategy,
  Subresource,
  Validate,
  ValidateChange,
} from "./definition.ts";
import { type NameRule, validateMeta, validateMetaUpdate } from "./metadata.ts";

export interface KindOptions {
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  /** Plural; absent: the kind in lower case with an s. */
  readonly resource?: string;
  /** Absent: true. */
  readonly namespaced?: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Absent: all. */
  readonly verbs?: readonly string[];
  readonly subresources?: readonly Subresource[];
  /** Absent: as the kind is called. */
  readonly struct?: string;
  readonly hooks?: Hooks;
  readonly columns?: Columns;
  readonly row?: Row;
  readonly selectable?: Selectable;
  /** It is never stored and needs no name. */
  readonly nameless?: boolean;
  /** What it may be called. Absent: a DNS subdomain. */
  readonly nameRule?: NameRule;
  readonly validate?: Validate;
  readonly validateChange?: ValidateChange;
  readonly validateStatusChange?: ValidateChange;
  /** What a new object's status is. Absent: the kind has no status. */
  readonly emptyStatus?: JsonObject;
  /** Fields whose change counts the generation up. Absent: no generation. */
  readonly generationOf?: readonly string[];
  /** After the common preparation, on create. */
  readonly onCreate?: (object: Obj) => Obj;
  /** After the common preparation, on update. */
  readonly onUpdate?: (object: Obj, old: Obj) => Obj;
  /** A status update keeps the labels that it brings. */
  readonly statusKeepsLabels?: boolean;
  readonly allowCreateOnUpdate?: boolean;
  readonly allowUnconditionalUpdate?: boolean;
}

const everyVerb: readonly string[] = Object.freeze([
  ...[
    "create",
    "delete",
    "deletecollection",
    "get",
    "list",
    "patch",
    "update",
    "watch",
  ],
]);

/** `pods/status` and its like. */
export const statusSubresource: Subresource = Object.freeze({
  name: "status",
  verbs: Object.freeze(["get", "patch", "update"]),
});

export const scaleSubresource: Subresource = Object.freeze({
  name: "scale",
  verbs: Object.freeze(["get", "patch", "update"]),
  kind: "Scale",
  group: "autoscaling",
  version: "v1",
});

export function defineKind<T extends KubeObject>(
  options: KindOptions,
): Kind<T> {
  const { group = "", version = "v1", kind, namespaced = true } = options;
  const rule = options.nameRule ?? dns1123Subdomain;
  const singular = kind.toLowerCase();
  const statusOnly = options.emptyStatus ? [statusSubresource] : [];
  return Object.freeze({
    group,
    version,
    kind,
    namespaced,
    resource: options.resource ?? `${singular}s`,
    apiVersion: apiVersionOf({ group, version }),
    singular,
    shortNames: options.shortNames ?? [],
    categories: options.categories ?? [],
    verbs: options.verbs ?? everyVerb,
    subresources: options.subresources ?? statusOnly,
    struct: options.struct ?? kind,
    hooks: options.hooks ?? {},
    columns: options.columns ?? plainColumns,
    row: options.row ?? plainRow,
    selectable: options.selectable ?? {},
    strategy: strategyOf(options),
    validateCreate: (object: KubeObject) => [
      ...(options.nameless
        ? []
        : validateMeta(object.metadata, namespaced, rule)),
      ...(options.validate?.(fieldsOf(object)) ?? []),
    ],
    validateUpdate: (object: KubeObject, old: KubeObject) =>
      updateErrors(options, object, old),
    validateStatusUpdate: (object: KubeObject, old: KubeObject) => [
      ...metaTwice(object, old),
      ...(options.validateStatusChange?.(fieldsOf(object), fieldsOf(old)) ??
        []),
    ],
  });
}

/** An object with its fields open; the schema has checked their types. */
export function fieldsOf(object: KubeObject): Obj {
  return object as Obj;
}

/** The generic registry checks metadata, then the kind's strategy does again. */
function metaTwice(object: KubeObject, old: KubeObject): FieldError[] {
  const errors = validateMetaUpdate(object.metadata, old.metadata);
  return errors.length > 0 ? [...errors, ...errors] : [];
}

function updateErrors(
  options: KindOptions,
  object: KubeObject,
  old: KubeObject,
): readonly FieldError[] {
  const [next, before] = [fieldsOf(object), fieldsOf(old)];
  return [
    ...metaTwice(object, old),
    ...(options.validate?.(next) ?? []),
    ...(options.validateChange?.(next, before) ?? []),
  ];
}

function strategyOf(options: KindOptions): Strategy {
  const { emptyStatus, generationOf, onCreate, onUpdate } = options;
  return Object.freeze({
    allowCreateOnUpdate: options.allowCreateOnUpdate ?? false,
    allowUnconditionalUpdate: options.allowUnconditionalUpdate ?? true,
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
      const metadata = options.statusKeepsLabels
        ? { ...object.metadata, ownerReferences: old.metadata.ownerReferences }
        : { ...object.metadata, labels: old.metadata.labels };
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
  return field === "annotations" ? object.metadata.annotations : object[field];
}
