/**
 * `matchLabelKeys` and `mismatchLabelKeys`: what they may name. A Pod's own
 * values have joined the selector by the time that it is checked.
 * Models: validateMatchLabelKeysAndMismatchLabelKeys of
 *         pkg/apis/core/validation/validation.go @ v1.36
 */
import { type FieldError, forbidden, invalid } from "../field-error.ts";
import { labelKey } from "../names.ts";
import type { JsonObject } from "../types.ts";
import { list, obj, str, strings } from "./access.ts";

export function labelKeyErrors(term: JsonObject, path: string): FieldError[] {
  const match = strings(term.matchLabelKeys);
  const mismatch = strings(term.mismatchLabelKeys);
  if (match.length === 0 && mismatch.length === 0) return [];
  const selector = term.labelSelector as JsonObject | undefined;
  return [
    ...nameErrors(match, selector, `${path}.matchLabelKeys`),
    ...nameErrors(mismatch, selector, `${path}.mismatchLabelKeys`),
    ...(selector ? twiceErrors(match, selector, path) : []),
    ...match.flatMap((key, i) => {
      const why = "exists in both matchLabelKeys and mismatchLabelKeys";
      const where = `${path}.matchLabelKeys[${i}]`;
      return mismatch.includes(key) ? [invalid(where, key, why)] : [];
    }),
  ];
}

function nameErrors(
  keys: readonly string[],
  selector: JsonObject | undefined,
  path: string,
): FieldError[] {
  if (keys.length === 0) return [];
  if (!selector) {
    const why = "must not be specified when labelSelector is not set";
    return [forbidden(path, why)];
  }
  return keys.flatMap((key, i) =>
    labelKey(key).map((text) => invalid(`${path}[${i}]`, key, text)),
  );
}

/** A key that was selected by already when the Pod's own value joined. */
function twiceErrors(
  match: readonly string[],
  selector: JsonObject,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set(Object.keys(obj(selector.matchLabels)));
  for (const expression of list(selector.matchExpressions)) {
    const key = str(expression.key);
    const at = match.lastIndexOf(key);
    if (at >= 0 && seen.has(key)) {
      const why = "exists in both matchLabelKeys and labelSelector";
      errors.push(invalid(`${path}[${at}]`, key, why));
    }
    seen.add(key);
  }
  return errors;
}
