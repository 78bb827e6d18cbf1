/** What changed between two API objects, field by field. */
export interface FieldChange {
  /** `spec.containers[0].image` */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Fields that change with every write and say nothing. */
const DULL = new Set(["metadata.resourceVersion", "metadata.managedFields"]);

/** `before` or `after` undefined: the object is new, or gone. */
export function fieldChanges(before: unknown, after: unknown, path = ""): FieldChange[] {
  if (DULL.has(path) || before === after) return [];
  if (!isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after)) {
    return sameValue(before, after) ? [] : [{ path, before, after }];
  }
  const list = Array.isArray(before);
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const inner = list ? `${path}[${key}]` : path ? `${path}.${key}` : key;
    return fieldChanges(before[key], after[key], inner);
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function sameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
