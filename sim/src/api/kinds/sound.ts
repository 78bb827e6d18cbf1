/**
 * What was checked and cannot change need not be checked again: the labels of
 * all Pods of an owner, an object's metadata whenever its status changes.
 */
import type { FieldError } from "../field-error.ts";

/** The errors; if there are none for good, `sound` knows of it. */
export function noted(
  value: object,
  errors: FieldError[],
  sound: WeakSet<object>,
): FieldError[] {
  if (errors.length === 0 && Object.isFrozen(value)) sound.add(value);
  return errors;
}
