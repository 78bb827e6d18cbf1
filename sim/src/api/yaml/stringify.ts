/**
 * Writes YAML as `kubectl get -o yaml` does: sorted keys, quotes where a
 * plain text would be read as something else, long lines wrapped.
 * Models:     sigs.k8s.io/yaml Marshal: go.yaml.in/yaml/v2 encode.go, sorter.go
 */
import type { Json } from "../types.ts";
import { writeText } from "./write-scalar.ts";

type Map = { readonly [key: string]: Json };

/** The document, ending in a line break. Absent fields are left out. */
export function stringify(value: Json): string {
  return block(value, "") ?? `${scalar(value, 0, "  ")}\n`;
}

/** A map or list with something in it, else undefined. */
function block(value: Json, indent: string): string | undefined {
  if (isList(value)) return value.length > 0 ? list(value, indent) : undefined;
  if (!isMap(value)) return undefined;
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  if (keys.length === 0) return undefined;
  const sorted = keys.toSorted(naturally);
  return sorted.map((key) => entry(key, value[key], indent)).join("");
}

function entry(key: string, value: Json, indent: string): string {
  const deeper = `${indent}  `;
  const head = `${indent}${writeText(key, { column: 0, indent: deeper, isKey: true })}:`;
  // A list stands at the column of the key that holds it.
  const inner = block(value, isList(value) ? indent : deeper);
  if (inner !== undefined) return `${head}\n${inner}`;
  return `${head} ${scalar(value, head.length + 1, deeper)}\n`;
}

function list(items: readonly Json[], indent: string): string {
  const deeper = `${indent}  `;
  return items
    .map((item) => {
      const inner = block(item, deeper);
      if (inner !== undefined)
        return `${indent}- ${inner.slice(deeper.length)}`;
      return `${indent}- ${scalar(item, deeper.length, deeper)}\n`;
    })
    .join("");
}

function scalar(value: Json, column: number, indent: string): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "string")
    return writeText(value, { column, indent, isKey: false });
  if (typeof value === "object") return isList(value) ? "[]" : "{}";
  return String(value).replace(/e([-+])(\d)$/, "e$10$2");
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isMap(value: Json): value is Map {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** go-yaml's order of keys: numbers by value, letters after other signs. */
function naturally(a: string, b: string): number {
  const x = [...a];
  const y = [...b];
  let afterDigit = false;
  for (const [i, p] of x.entries()) {
    const q = y[i];
    if (q === undefined) break;
    if (p === q) {
      afterDigit = isDigit(p);
      continue;
    }
    const [first, second] = [isLetter(p), isLetter(q)];
    if (first && second) return p < q ? -1 : 1;
    if (first || second) return first === afterDigit ? -1 : 1;
    return byNumber(x, y, i) || (p < q ? -1 : 1);
  }
  return x.length - y.length;
}

/** Compares the digits from `at` on; "10" is more than "9". */
function byNumber(
  a: readonly string[],
  b: readonly string[],
  at: number,
): number {
  const head = a[at] === "0" || b[at] === "0" ? leadingOne(a, at) : "";
  const [first, second] = [digitsFrom(a, at), digitsFrom(b, at)];
  return (
    Number(head + first) - Number(head + second) || first.length - second.length
  );
}

/** "1" if a digit that counts stands before `at`: its zeros count then. */
function leadingOne(chars: readonly string[], at: number): string {
  for (let i = at - 1; i >= 0 && isDigit(chars[i]); i--) {
    if (chars[i] !== "0") return "1";
  }
  return "";
}

function digitsFrom(chars: readonly string[], at: number): string {
  let digits = "";
  for (let i = at; isDigit(chars[i]); i++) digits += chars[i];
  return digits;
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && /^[0-9]$/.test(char);
}

function isLetter(char: string): boolean {
  return /\p{L}/u.test(char);
}
