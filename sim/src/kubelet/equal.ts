/** Deep equality of JSON values; absent and undefined are the same. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object") return false;
  if (a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  return covers(a, b) && covers(b, a);
}

/** True if all that `a` has is equal in `b`. */
function covers(a: object, b: object): boolean {
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  for (const key in left) {
    if (!equal(left[key], right[key])) return false;
  }
  return true;
}
