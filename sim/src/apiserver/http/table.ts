/**
 * Objects as tables and as metadata alone: what `kubectl get` asks for.
 * Models: apiserver/pkg/endpoints/handlers/response.go,
 *         apiserver/pkg/registry/rest/table.go @ v1.36
 */

import { obj } from "../../api/kinds/access.ts";
import type { Kind, Obj } from "../../api/kinds/definition.ts";
import type { JsonObject, KubeList, KubeObject } from "../../api/types.ts";

/** How much of each object a table's rows carry. */
export type IncludeObject = "None" | "Metadata" | "Object";

export interface TableOptions {
  readonly kind: Kind;
  /** Simulated moment, in ms since 1970. */
  readonly now: number;
  readonly includeObject: IncludeObject;
  /** Columns are said once on a watch. */
  readonly headers: boolean;
}

export function tableOf(
  body: KubeObject | KubeList,
  options: TableOptions,
): JsonObject {
  const items = "items" in body ? body.items : [body];
  const { resourceVersion, ...rest } = body.metadata;
  const listMeta =
    "items" in body ? { resourceVersion, ...rest } : { resourceVersion };
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: obj(listMeta),
    columnDefinitions: options.headers ? columnsOf(options.kind) : null,
    rows: items.map((item) => rowOf(item, options)),
  };
}

function columnsOf({ columns }: Kind): JsonObject[] {
  return columns.map(({ name, type, format, description, priority }) => ({
    name,
    type,
    format,
    description,
    priority,
  }));
}

function rowOf(
  object: KubeObject,
  { kind, now, includeObject }: TableOptions,
): JsonObject {
  const { cells, conditions } = kind.row(object as Obj, now);
  const row: Record<string, JsonObject[string]> = { cells };
  if (conditions && conditions.length > 0) row.conditions = conditions as never;
  if (includeObject === "Metadata") row.object = partialOf(object);
  if (includeObject === "Object") row.object = obj(object);
  return row as JsonObject;
}

/** The object's metadata alone. */
export function partialOf({ metadata }: KubeObject): JsonObject {
  return {
    kind: "PartialObjectMetadata",
    apiVersion: "meta.k8s.io/v1",
    metadata: obj(metadata),
  };
}

export function partialListOf({ metadata, items }: KubeList): JsonObject {
  return {
    kind: "PartialObjectMetadataList",
    apiVersion: "meta.k8s.io/v1",
    metadata: obj(metadata),
    items: items.map(partialOf),
  };
}
