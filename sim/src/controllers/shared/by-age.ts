/**
 * Orders that several controllers need.
 * Models: pkg/controller/controller_utils.go (by creation timestamp), history/
 *         controller_history.go @ v1.36
 */
import type { ObjectMeta } from "../../api/types.ts";

/** For sorting: the oldest first; names decide between equals. */
export function byAge(
  { metadata: a }: { readonly metadata: ObjectMeta },
  { metadata: b }: { readonly metadata: ObjectMeta },
): number {
  return (
    compareText(a.creationTimestamp, b.creationTimestamp) ||
    compareText(a.name, b.name)
  );
}

export function compareText(a = "", b = ""): number {
  return a < b ? -1 : Number(a > b);
}
