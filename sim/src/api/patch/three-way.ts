/**
 * The patch that kubectl apply sends: changes from the live object to the
 * manifest, and deletions from the last applied manifest to this one.
 * Models:     strategicpatch.CreateThreeWayMergePatch,
 *             CreateTwoWayMergePatch, jsonmergepatch @ v1.36
 * Leaves out: --overwrite=false.
 */
import type { Schemas } from "../schema.ts";
import type { Json, JsonObject } from "../types.ts";
import { diffObjects } from "./diff.ts";
import { createMergePatch, mergePatch } from "./merge.ts";
import { patchType } from "./schema.ts";
import { mergeObject } from "./strategic.ts";
import { isObject } from "./value.ts";

/** Three states of one object: as applied last, as asked for, as it is. */
export interface ThreeWay {
  readonly lastApplied: JsonObject;
  readonly manifest: JsonObject;
  readonly live: JsonObject;
}

/** A strategic merge patch for a kind that has a schema. Throws PatchError. */
export function threeWayPatch(
  { lastApplied, manifest, live }: ThreeWay,
  kind: string,
  schemas: Schemas,
): JsonObject {
  const place = patchType(schemas, kind);
  const changes = diffObjects(live, manifest, place, {
    changes: true,
    deletions: false,
    order: true,
  });
  const deletions = diffObjects(lastApplied, manifest, place, {
    changes: false,
    deletions: true,
    order: true,
  });
  return mergeObject(deletions, changes, place, "patch");
}

/** The strategic merge patch from one object to another. Throws PatchError. */
export function twoWayPatch(
  original: JsonObject,
  modified: JsonObject,
  kind: string,
  schemas: Schemas,
): JsonObject {
  const options = { changes: true, deletions: true, order: true };
  return diffObjects(original, modified, patchType(schemas, kind), options);
}

/** The same for a kind without a schema: a JSON merge patch. */
export function threeWayJsonPatch({
  lastApplied,
  manifest,
  live,
}: ThreeWay): JsonObject {
  const changes = withNulls(createMergePatch(live, manifest), false);
  const deletions = withNulls(createMergePatch(lastApplied, manifest), true);
  const merged = mergePatch(deletions, changes, "patch");
  return isObject(merged) ? merged : {};
}

/** Keeps the nulls of a patch alone, or all but them. An empty object is a value. */
function withNulls(patch: JsonObject, nulls: boolean): JsonObject {
  const kept: Record<string, Json> = {};
  for (const [key, value] of Object.entries(patch)) {
    if (isObject(value) && Object.keys(value).length > 0) {
      const inner = withNulls(value, nulls);
      if (Object.keys(inner).length > 0) kept[key] = inner;
    } else if ((value === null) === nulls) kept[key] = value;
  }
  return kept;
}
