/**
 * Whether two parts of objects say the same.
 * Models: apimachinery/pkg/api/equality (Semantic.DeepEqual) @ v1.36
 */

/** Equal, where an absent field, null, [] and {} are the same. */
export function equal(a: unknown, b: unknown): boolean {
  return compare(a, b, isNothing);
}

/**
 * Equal, where 0, "" and false are the same as absent too: for statuses,
 * which the server stores without their zeros.
 */
export function equalStatus(a: unknown, b: unknown): boolean {
  return compare(a, b, isZero);
}

type IsAbsent = (value: unknown) => boolean;

function compare(a: unknown, b: unknown, absent: IsAbsent): boolean {
  if (a === b) return true;
  if (absent(a) || absent(b)) return absent(a) && absent(b);
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b)) return false;
    if (a.length !== b.length) return false;
    return a.every((item, i) => compare(item, b[i], absent));
  }
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  for (const key in left) {
    if (!compare(left[key], right[key], absent)) return false;
  }
  for (const key in right) {
    if (!(key in left) && !absent(right[key])) return false;
  }
  return true;
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== "object") return false;
  for (const _ in value) return false;
  return true;
}

function isZero(value: unknown): boolean {
  return value === 0 || value === "" || value === false || isNothing(value);
}
