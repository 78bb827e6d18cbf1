/**
 * A kind made of one version of a CustomResourceDefinition.
 * Models: apiextensions-apiserver/pkg/{apiserver/customresource_handler,
 *         registry/customresource}.go @ v1.36
 */

import { customChangeErrors, customErrors } from "../../api/custom/validate.ts";
import { list, obj, same, str, strings } from "../../api/kinds/access.ts";
import {
  defineKind,
  scaleSubresource,
  statusSubresource,
} from "../../api/kinds/define.ts";
import type { Kind, Obj } from "../../api/kinds/definition.ts";
import { type Column, since } from "../../api/table.ts";
import type { Json, JsonObject, KubeObject } from "../../api/types.ts";
import { valueAtPath } from "./json-path.ts";

export interface CustomVersion {
  readonly spec: JsonObject;
  readonly version: JsonObject;
  readonly schema: JsonObject;
  /** Name of the struct that describes it. */
  readonly struct: string;
}

export function customKind({
  spec,
  version,
  schema,
  struct,
}: CustomVersion): Kind {
  const names = obj(spec.names);
  const subresources = obj(version.subresources);
  const hasStatus = subresources.status !== undefined;
  const scale = obj(subresources.scale);
  const changeErrors = (object: Obj, old: Obj) =>
    customChangeErrors(
      object as Json as JsonObject,
      old as Json as JsonObject,
      schema,
      scale,
    );
  const kind = defineKind<KubeObject>({
    group: str(spec.group),
    version: str(version.name),
    kind: str(names.kind),
    resource: str(names.plural),
    namespaced: spec.scope === "Namespaced",
    metaBy: "extension",
    shortNames: strings(names.shortNames),
    categories: strings(names.categories),
    subresources: [
      ...(subresources.scale ? [scaleSubresource] : []),
      ...(hasStatus ? [statusSubresource] : []),
    ],
    struct,
    selectable: selectable(version),
    ...table(version),
    validateNew: (object) =>
      customErrors(object as Json as JsonObject, schema, scale),
    validateChange: changeErrors,
    validateStatusChange: changeErrors,
  });
  const singular = str(names.singular) || kind.singular;
  return Object.freeze({ ...kind, singular, strategy: strategy(hasStatus) });
}

/** The status is its own endpoint's; all but it counts the generation up. */
function strategy(hasStatus: boolean): Kind["strategy"] {
  const withoutStatus = (object: KubeObject): Obj => {
    const { status: _, ...rest } = object as Obj;
    return rest as Obj;
  };
  return {
    allowCreateOnUpdate: false,
    allowUnconditionalUpdate: false,
    prepareForCreate(object) {
      const metadata = { ...object.metadata, generation: 1 };
      return { ...(hasStatus ? withoutStatus(object) : object), metadata };
    },
    prepareForUpdate(object, old) {
      const before = old as Obj;
      const kept = before.status === undefined ? {} : { status: before.status };
      const next: Obj = hasStatus
        ? { ...withoutStatus(object), ...kept }
        : (object as Obj);
      const { generation = 1 } = old.metadata;
      const changed = !same(bodyOf(next), bodyOf(before));
      const count = changed ? generation + 1 : generation;
      return { ...next, metadata: { ...next.metadata, generation: count } };
    },
    prepareForStatusUpdate(object, old) {
      const { status } = object as Obj;
      const { managedFields } = object.metadata;
      const metadata = { ...old.metadata, managedFields };
      return { ...old, metadata, status } as Obj;
    },
  };
}

/** A status that has no endpoint of its own counts as well. */
function bodyOf(object: Obj): object {
  const { metadata: _, ...body } = object;
  return body;
}

function selectable(version: JsonObject) {
  const fields = list(version.selectableFields).map(({ jsonPath }) =>
    str(jsonPath),
  );
  return Object.fromEntries(
    fields.map((path) => [
      path.slice(1),
      (object: Obj) => String(valueAtPath(object as Json, path) ?? ""),
    ]),
  );
}

/** Printer columns; without any, the age. */
function table(version: JsonObject) {
  const extra = list(version.additionalPrinterColumns);
  const own =
    extra.length > 0
      ? extra
      : [
          {
            name: "Age",
            type: "date",
            jsonPath: ".metadata.creationTimestamp",
          },
        ];
  const columns: Column[] = [
    nameColumn,
    ...own.map((one: JsonObject) => ({
      name: str(one.name),
      type: str(one.type),
      format: str(one.format),
      description:
        str(one.description) ||
        `Custom resource definition column (in JSONPath format): ${one.jsonPath}`,
      priority: Number(one.priority ?? 0),
    })),
  ];
  const row: Kind["row"] = (object, now) => ({
    cells: [
      object.metadata.name,
      ...own.map((one: JsonObject) => cell(object as Json, one, now)),
    ],
  });
  return { columns, row };
}

const nameColumn: Column = Object.freeze({
  name: "Name",
  type: "string",
  format: "name",
  description: "",
  priority: 0,
});

function cell(object: Json, { jsonPath, type }: JsonObject, now: number) {
  const value = valueAtPath(object, str(jsonPath));
  if (value === undefined || value === null) return "";
  if (type === "date") return since(value, now);
  if (typeof value === "number" || typeof value === "boolean") return value;
  return typeof value === "string" ? value : JSON.stringify(value);
}
