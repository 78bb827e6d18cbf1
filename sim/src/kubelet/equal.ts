/** Deep equality of JSON values; absent and undefined are the same. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object") return false;
  if (a === null || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && sameItems(a, b);
  }
  return !Array.isArray(b) && sameFields(a, b);
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  for (let i = 0; i < a.length; i++) {
    if (!equal(a[i], b[i])) return false;
  }
  return true;
}

function sameFields(a: object, b: object): boolean {
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  for (const key in left) {
    if (!equal(left[key], right[key])) return false;
  }
  for (const key in right) {
    if (!(key in left) && right[key] !== undefined) return false;
  }
  return true;
}
