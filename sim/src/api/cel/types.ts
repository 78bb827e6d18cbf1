/**
 * Types of values as the checker of expressions knows them before it has any.
 * `unknown` is our own: of such a value nothing is said.
 * Models: google/cel-go checker/types.go, apiserver/pkg/cel/types.go @ v1.36
 */
export interface CelType {
  readonly kind: string;
  /** Of a list its items, of a map its values, of an optional what it holds. */
  readonly of?: CelType;
  /** Keys of a map. */
  readonly key?: CelType;
  /** Of an object. */
  readonly fields?: ReadonlyMap<string, CelType>;
}

const plain = (kind: string): CelType => Object.freeze({ kind });

export const [BOOL, INT, UINT, DOUBLE, STRING, BYTES, NULL, DYN, UNKNOWN] = [
  ...["bool", "int", "uint", "double", "string", "bytes"],
  ...["null_type", "dyn", "unknown"],
].map(plain) as [
  ...[CelType, CelType, CelType, CelType, CelType, CelType],
  ...[CelType, CelType, CelType],
];
export const TIMESTAMP = plain("google.protobuf.Timestamp");
export const DURATION = plain("google.protobuf.Duration");

export function listOf(of: CelType): CelType {
  return { kind: "list", of };
}

export function mapOf(key: CelType, of: CelType): CelType {
  return { kind: "map", key, of };
}

/** As the real checker writes it: `list(string)`. */
export function typeText({ kind, of, key }: CelType): string {
  if (kind === "list") return `list(${typeText(of ?? DYN)})`;
  if (kind === "map") return `map(${typeText(key ?? DYN)}, ${typeText(of!)})`;
  return kind;
}

/** True if something in it is not known to us: then nothing is complained of. */
export function isUnknown({ kind, of, key }: CelType): boolean {
  if (kind === "unknown") return true;
  return (of && isUnknown(of)) || (key ? isUnknown(key) : false);
}

/** Whether a value of type `b` may stand where one of type `a` is wanted. */
export function agree(a: CelType, b: CelType): boolean {
  if (a.kind === "dyn" || b.kind === "dyn") return true;
  if (isUnknown(a) || isUnknown(b)) return true;
  if (a.kind === "null_type") return isNullable(b);
  if (b.kind === "null_type") return isNullable(a);
  if (a.kind !== b.kind) return false;
  const inner = !a.of || !b.of || agree(a.of, b.of);
  return inner && (!a.key || !b.key || agree(a.key, b.key));
}

function isNullable({ kind, fields }: CelType): boolean {
  return kind === "null_type" || fields !== undefined;
}

/** The type of what is one or the other. */
export function joined(a: CelType, b: CelType): CelType {
  if (a === b) return a;
  if (isUnknown(a) || isUnknown(b)) return UNKNOWN;
  if (a.kind === "dyn" || b.kind === "dyn") return DYN;
  return agree(a, b) ? a : DYN;
}
