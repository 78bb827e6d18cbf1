/**
 * What an update may do to metadata.
 * Models: ValidateObjectMetaAccessorUpdate of
 *         apimachinery/pkg/api/validation/objectmeta.go @ v1.36
 */
import { type FieldError, forbidden, invalid } from "../field-error.ts";
import { quote } from "../go-text.ts";
import type { ObjectMeta } from "../types.ts";
import { commonErrors } from "./metadata.ts";

const fixed = ["name", "namespace", "uid", "creationTimestamp"] as const;
const fixedOnceSet = [
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
] as const;

/** What an update may do to metadata; in upstream's order. */
export function validateMetaUpdate(
  meta: ObjectMeta,
  old: ObjectMeta,
): FieldError[] {
  const errors = newFinalizers(meta, old);
  if (!meta.resourceVersion) {
    const rule = "must be specified for an update";
    errors.push(invalid("metadata.resourceVersion", "", rule));
  }
  const { generation = 0 } = meta;
  if (generation < (old.generation ?? 0)) {
    const rule = "must not be decremented";
    errors.push(invalid("metadata.generation", generation, rule));
  }
  for (const field of fixed) {
    const value = meta[field] ?? "";
    if (value === (old[field] ?? "")) continue;
    errors.push(invalid(`metadata.${field}`, value, "field is immutable"));
  }
  for (const field of fixedOnceSet) {
    const value = meta[field] ?? null;
    if (value === (old[field] ?? null)) continue;
    errors.push(invalid(`metadata.${field}`, value, "field is immutable"));
  }
  const found = commonErrors(meta);
  return found.length > 0 ? [...errors, ...found] : errors;
}

function newFinalizers(meta: ObjectMeta, old: ObjectMeta): FieldError[] {
  if (!old.deletionTimestamp) return [];
  const before = old.finalizers ?? [];
  const added = (meta.finalizers ?? []).filter(
    (name) => !before.includes(name),
  );
  if (added.length === 0) return [];
  const shown = `[]string{${added.map(quote).join(", ")}}`;
  const rule = "no new finalizers can be added if the object is being deleted";
  return [
    forbidden("metadata.finalizers", `${rule}, found new finalizers ${shown}`),
  ];
}
