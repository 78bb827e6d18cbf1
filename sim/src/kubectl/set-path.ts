/** Where the Pod's spec is in an object that has one. */
import { at, list } from "../api/kinds/access.ts";
import type { Json, JsonObject } from "../api/types.ts";
import type { Found } from "./find.ts";

/** Where the Pod's spec is: in the object itself, or in a template. */
export function pathOf({ kind }: Found): readonly string[] {
  if (kind.kind === "Pod") return ["spec"];
  if (kind.kind === "CronJob")
    return ["spec", "jobTemplate", "spec", "template", "spec"];
  return ["spec", "template", "spec"];
}

export function containersOf(
  found: Found,
  field: string,
): readonly JsonObject[] {
  const path = [...pathOf(found), field];
  return list(at(found.object as object as Json, ...path));
}

export function wrap(found: Found, spec: JsonObject): JsonObject {
  return pathOf(found).reduceRight<JsonObject>(
    (inner, field) => ({ [field]: inner }),
    spec,
  );
}
