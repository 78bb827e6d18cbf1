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
import type { Kind, KindOptions, Subresource } from "./definition.ts";
import { fieldsOf, strategyOf } from "./generic-strategy.ts";
import { validateMeta, validateMetaUpdate } from "./metadata.ts";

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
    validateCreate: (object: KubeObject) => [
      ...(options.nameless
        ? []
        : validateMeta(object.metadata, namespaced, rule)),
      ...(options.validate?.(fieldsOf(object)) ?? []),
      ...(options.validateNew?.(fieldsOf(object)) ?? []),
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
  const change = options.validateChange?.(next, before) ?? [];
  return [
    ...metaTwice(object, old),
    ...(options.changeFirst ? change : []),
    ...(options.validate?.(next) ?? []),
    ...(options.changeFirst ? [] : change),
  ];
}
