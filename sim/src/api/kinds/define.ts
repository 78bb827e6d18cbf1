/**
 * Makes a kind from what is special about it; the rest is as most kinds have
 * it: upstream's generic registry.
 * Models: apiserver/pkg/registry/rest/{create,update}.go, pkg/registry @ v1.36
 */
import type { FieldError } from "../field-error.ts";
import { dns1123Subdomain } from "../names.ts";
import { apiVersionOf } from "../resource.ts";
import { type Columns, plainColumns, plainRow } from "../table.ts";
import { columnDescription } from "../table-descriptions.ts";
import type { KubeObject } from "../types.ts";
import type {
  Kind,
  KindOptions,
  Subresource,
  UpdateCheck,
} from "./definition.ts";
import { fieldsOf, strategyOf } from "./generic-strategy.ts";
import { finalizerNames, validateMeta } from "./metadata.ts";
import { validateMetaUpdate } from "./metadata-update.ts";

export type { KindOptions } from "./definition.ts";
export { fieldsOf, withMeta } from "./generic-strategy.ts";

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

/** What most newer kinds keep of their metadata when the status changes. */
export const metaOfOld = Object.freeze([
  ...(["labels", "annotations", "finalizers", "ownerReferences"] as const),
]);

export function defineKind<T extends KubeObject>(
  options: KindOptions,
): Kind<T> {
  const { group = "", version = "v1", kind, namespaced = true } = options;
  const singular = kind.toLowerCase();
  const statusOnly = options.emptyStatus ? [statusSubresource] : [];
  return Object.freeze({
    group,
    version,
    kind,
    namespaced,
    resource: options.resource ?? pluralOf(singular),
    apiVersion: apiVersionOf({ group, version }),
    singular,
    shortNames: options.shortNames ?? [],
    categories: options.categories ?? [],
    verbs: options.verbs ?? everyVerb,
    subresources: options.subresources ?? statusOnly,
    struct: options.struct ?? kind,
    hooks: options.hooks ?? {},
    columns: described(kind, options.columns ?? plainColumns),
    row: options.row ?? plainRow,
    selectable: options.selectable ?? {},
    strategy: strategyOf(options),
    deprecation: options.deprecation ?? "",
    storedAs: options.storedAs,
    validateCreate: (object: KubeObject) => createErrors(options, object),
    validateUpdate: (object: KubeObject, old: KubeObject) =>
      updateErrors(options, object, old),
    validateStatusUpdate: (object: KubeObject, old: KubeObject) => [
      ...updateErrors(options, object, old, ["metaChange"]),
      ...(options.validateStatusChange?.(fieldsOf(object), fieldsOf(old)) ??
        []),
    ],
  });
}

/** Source: UnsafeGuessKindToResource of apimachinery/pkg/api/meta */
function pluralOf(singular: string): string {
  if (singular.endsWith("s")) return `${singular}es`;
  return singular.replace(/y$/, "ie").concat("s");
}

/** The columns with what the server says of each, looked up when asked. */
function described(kind: string, columns: Columns): Columns {
  return Object.freeze(
    columns.map((column) =>
      Object.freeze({
        ...column,
        get description() {
          return column.description || columnDescription(kind, column.name);
        },
      }),
    ),
  );
}

function createErrors(
  options: KindOptions,
  object: KubeObject,
): readonly FieldError[] {
  const fields = fieldsOf(object);
  const own = [
    ...(options.validate?.(fields) ?? []),
    ...(options.validateNew?.(fields) ?? []),
  ];
  if (options.nameless) return own;
  // Where the kind's own rules leave metadata out, the server looks last.
  if (options.metaBy === "server") {
    return own.length > 0 ? own : metaErrors(options, object);
  }
  return [...metaErrors(options, object), ...own];
}

function metaErrors(options: KindOptions, object: KubeObject): FieldError[] {
  const { namespaced = true, nameRule = dns1123Subdomain } = options;
  return [
    ...validateMeta(object.metadata, namespaced, nameRule),
    ...finalizerErrors(options, object),
  ];
}

/** Kinds that bring their own rules for metadata leave these out. */
function finalizerErrors(
  { metaBy }: KindOptions,
  { metadata: { finalizers } }: KubeObject,
): readonly FieldError[] {
  return finalizers && !metaBy ? finalizerNames(finalizers) : [];
}

const usualOrder: readonly UpdateCheck[] = ["metaChange", "rules", "change"];

/** The generic registry checks metadata, then most strategies do again. */
function updateErrors(
  options: KindOptions,
  object: KubeObject,
  old: KubeObject,
  order = options.updateOrder ?? usualOrder,
): readonly FieldError[] {
  const [next, before] = [fieldsOf(object), fieldsOf(old)];
  const meta = validateMetaUpdate(object.metadata, old.metadata);
  const errors = [...meta];
  for (const check of order) {
    if (check === "metaChange")
      errors.push(...meta, ...finalizerErrors(options, object));
    else if (check === "meta") errors.push(...metaErrors(options, object));
    else if (check === "rules")
      errors.push(...(options.validate?.(next) ?? []));
    else errors.push(...(options.validateChange?.(next, before) ?? []));
  }
  return errors;
}
