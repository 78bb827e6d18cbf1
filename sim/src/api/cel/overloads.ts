/**
 * Which operands the operators take, and what the functions give. A function
 * that stands here without a signature is known by name alone.
 * Models: google/cel-go common/stdlib/standard.go, apiserver/pkg/cel/library @ v1.36
 */
import {
  agree,
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  isUnknown,
  joined,
  STRING,
  TIMESTAMP,
  UINT,
  UNKNOWN,
} from "./types.ts";

/** The result for the operands; undefined: there is no such overload. */
export type Overload = (...args: CelType[]) => CelType | undefined;

const NUMBERS = [INT, UINT, DOUBLE];
const ORDERED = [BOOL, STRING, BYTES, TIMESTAMP, DURATION];

function loose(type: CelType): boolean {
  return type.kind === "dyn" || isUnknown(type);
}

function compared(a: CelType, b: CelType): CelType | undefined {
  if (loose(a) || loose(b)) return BOOL;
  if (NUMBERS.includes(a) && NUMBERS.includes(b)) return BOOL;
  return a === b && ORDERED.includes(a) ? BOOL : undefined;
}

/** Both operands of one type out of `types`. */
function arithmetic(...types: readonly CelType[]): Overload {
  return (a, b) => {
    if (isUnknown(a) || isUnknown(b)) return UNKNOWN;
    const fit = types.filter((one) => agree(one, a) && agree(one, b));
    if (fit.length > 1) return DYN;
    return fit[0];
  };
}

const plain = arithmetic(INT, UINT, DOUBLE);

function plus(a: CelType, b: CelType): CelType | undefined {
  if (a.kind === "list" && b.kind === "list") return joined(a, b);
  if ([a, b].some(({ kind }) => kind === "list")) {
    return loose(a) || loose(b) ? UNKNOWN : undefined;
  }
  const times = [a, b].filter((one) => one === TIMESTAMP || one === DURATION);
  if (times.length === 2) {
    return times.includes(TIMESTAMP) ? TIMESTAMP : DURATION;
  }
  if (times.length === 1) return loose(a) || loose(b) ? UNKNOWN : undefined;
  return arithmetic(INT, UINT, DOUBLE, STRING, BYTES)(a, b);
}

function minus(a: CelType, b: CelType): CelType | undefined {
  const timed = [a, b].some((one) => one === TIMESTAMP || one === DURATION);
  return timed ? UNKNOWN : plain(a, b);
}

function contained(a: CelType, b: CelType): CelType | undefined {
  if (loose(b)) return BOOL;
  if (b.kind === "list") return agree(a, b.of!) ? BOOL : undefined;
  if (b.kind === "map") return agree(a, b.key!) ? BOOL : undefined;
  return undefined;
}

const same: Overload = (a, b) => (agree(a, b) ? BOOL : undefined);

/** How an operator is called in complaints, and what it takes. */
export const OPERATORS: { readonly [name: string]: [string, Overload] } = {
  "==": ["_==_", same],
  "!=": ["_!=_", same],
  "<": ["_<_", compared],
  "<=": ["_<=_", compared],
  ">": ["_>_", compared],
  ">=": ["_>=_", compared],
  "+": ["_+_", plus],
  "-": ["_-_", minus],
  "*": ["_*_", plain],
  "/": ["_/_", plain],
  "%": ["_%_", arithmetic(INT, UINT)],
  in: ["@in", contained],
  "!": ["!_", (a) => (agree(BOOL, a) ? BOOL : undefined)],
  negate: [
    "-_",
    (a) => (loose(a) ? a : a === INT || a === DOUBLE ? a : undefined),
  ],
};

/** Receiver (none: a global function) and arguments, what comes of it. */
const texts = (out: CelType, ...args: CelType[]): [CelType[], CelType] => [
  [STRING, ...args],
  out,
];
const METHODS: { readonly [name: string]: [CelType[], CelType] } = {
  startsWith: texts(BOOL, STRING),
  endsWith: texts(BOOL, STRING),
  contains: texts(BOOL, STRING),
  matches: texts(BOOL, STRING),
  lowerAscii: texts(STRING),
  upperAscii: texts(STRING),
  trim: texts(STRING),
  charAt: texts(STRING, INT),
};

export function methodType(
  name: string,
  target: CelType,
  args: readonly CelType[],
): CelType | undefined {
  if (name === "size" && args.length === 0) return sizeOf(target);
  const known = METHODS[name];
  if (!known) return UNKNOWN;
  const [wanted, out] = known;
  const given = [target, ...args];
  const fits =
    given.length === wanted.length &&
    given.every((one, i) => agree(wanted[i]!, one));
  return fits ? out : undefined;
}

function sizeOf(value: CelType): CelType | undefined {
  const sized = ["string", "bytes", "list", "map"].includes(value.kind);
  return sized || loose(value) ? INT : undefined;
}

const CONVERTED: { readonly [name: string]: CelType } = {
  ...{ string: STRING, bool: BOOL, bytes: BYTES, dyn: DYN },
  ...{ int: INT, uint: UINT, double: DOUBLE },
  ...{ isQuantity: BOOL, isURL: BOOL, isIP: BOOL, isCIDR: BOOL },
  ...{ timestamp: TIMESTAMP, duration: DURATION, isSemver: BOOL },
};

export function functionType(
  name: string,
  args: readonly CelType[],
): CelType | undefined {
  const [first = UNKNOWN] = args;
  if (name === "size") return args.length === 1 ? sizeOf(first) : undefined;
  if (name === "matches") return methodType(name, first, args.slice(1));
  return CONVERTED[name] ?? UNKNOWN;
}

/** Every function of kube-apiserver's environment. */
export const KNOWN_FUNCTIONS: ReadonlySet<string> = new Set(
  (
    "size int uint double string bool bytes dyn type matches timestamp " +
    "duration quantity isQuantity url isURL ip isIP cidr isCIDR semver " +
    "isSemver contains startsWith endsWith find findAll lowerAscii " +
    "upperAscii trim replace split substring charAt indexOf lastIndexOf join " +
    "reverse sum min max isSorted sets optional of none ofNonZeroValue " +
    "hasValue value orValue or optMap optFlatMap getFullYear getMonth " +
    "getDate getDayOfMonth getDayOfWeek getDayOfYear getHours getMinutes " +
    "getSeconds getMilliseconds getScheme getHost getHostname getPort " +
    "getEscapedPath getQuery isGreaterThan isLessThan compareTo add sub " +
    "asInteger asApproximateFloat isInteger sign format named validate " +
    "family isUnspecified isLoopback isLinkLocalMulticast " +
    "isLinkLocalUnicast isGlobalUnicast isCanonical containsIP containsCIDR " +
    "masked prefixLength major minor patch path group serviceAccount " +
    "resource subresource namespace name check allowed reason errored error " +
    "equivalent intersects escapeKey map filter all exists exists_one " +
    "existsOne transformList transformMap transformMapEntry dns1123Label " +
    "dns1123Subdomain dns1035Label qualifiedName dns1123LabelPrefix " +
    "dns1123SubdomainPrefix dns1035LabelPrefix labelValue uri uuid byte date " +
    "datetime quote lists range flatten slice sort sortBy distinct first last"
  ).split(" "),
);
