/**
 * `$retainKeys`: of fields where one excludes the others, those that stay.
 * Models:     strategicpatch/patch.go, applyRetainKeysDirective @ v1.36
 */
import { goValue } from "../go-text.ts";
import type { JsonObject } from "../types.ts";
import {
  badRetainKeys,
  deletionPrefix,
  orderPrefix,
  PatchError,
  retainKeys,
} from "./directives.ts";
import { has, isList, jsonEqual, withKey, withoutKey } from "./value.ts";

/**
 * What a patch lands on. A server patches an object. A client that makes a
 * patch adds changes to deletions, and directives stay in.
 */
export type Onto = "object" | "patch";

/** Of fields where one excludes the others, keeps those that are named. */
export function applyRetainKeys(
  original: JsonObject,
  patch: JsonObject,
  onto: Onto,
): [JsonObject, JsonObject] {
  if (!has(patch, retainKeys)) return [original, patch];
  const keys = patch[retainKeys];
  const rest = withoutKey(patch, retainKeys);
  if (onto === "patch") {
    const earlier = original[retainKeys];
    if (earlier !== undefined && !jsonEqual(earlier, keys)) {
      throw new PatchError(
        `${goValue(earlier)} and ${goValue(keys)} are not deep equal: ` +
          "this may happen when calculating the 3-way diff patch",
      );
    }
    return [withKey(original, retainKeys, keys), rest];
  }
  if (!isList(keys)) throw new PatchError(badRetainKeys);
  for (const [key, value] of Object.entries(rest)) {
    const isDirective =
      key.startsWith(deletionPrefix) || key.startsWith(orderPrefix);
    if (value === null || isDirective || keys.includes(key)) continue;
    throw new PatchError(badRetainKeys);
  }
  const kept = Object.entries(original).filter(([key]) => keys.includes(key));
  return [Object.fromEntries(kept), rest];
}
