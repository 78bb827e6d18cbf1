/**
 * Writes KYAML, the YAML that no reader can mistake: braces and brackets,
 * texts always in quotes, keys only where they could be something else.
 * Models:     sigs.k8s.io/yaml/kyaml (Encoder.FromObject), KEP-5295
 * Leaves out: comments, the compact form.
 */
import type { Json } from "../types.ts";

/** A document with its `---`; keys as Go's maps have them, or as given. */
export function stringifyKyaml(value: Json, asGiven = false): string {
  const order = (keys: string[]) => (asGiven ? keys : keys.toSorted());
  return `---\n${written(value, "", order)}\n`;
}

type Order = (keys: string[]) => string[];

function written(value: Json, indent: string, order: Order): string {
  if (typeof value === "string") return quoted(value, `${indent}  `);
  if (typeof value !== "object" || value === null)
    return JSON.stringify(value) ?? "null";
  if (isList(value)) return list(value, indent, order);
  const deeper = `${indent}  `;
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  const lines = order(keys).map((key) => {
    const text = written(value[key], deeper, order);
    return `${deeper}${keyText(key)}: ${text},\n`;
  });
  return lines.length > 0 ? `{\n${lines.join("")}${indent}}` : "{}";
}

/** Lists of nothing but maps and lists share their brackets' lines. */
function list(items: readonly Json[], indent: string, order: Order): string {
  if (items.length === 0) return "[]";
  if (items.every((item) => typeof item === "object" && item !== null))
    return `[${items.map((item) => written(item, indent, order)).join(", ")}]`;
  const deeper = `${indent}  `;
  const lines = items.map(
    (item) => `${deeper}${written(item, deeper, order)},\n`,
  );
  return `[\n${lines.join("")}${indent}]`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Of several lines, each stands on its own, a column right of the quote. */
function quoted(text: string, indent: string): string {
  if (!text.includes("\n")) return `"${escaped(text)}"`;
  const lines = text.split("\n").map((line, i, all) => {
    const isLast = i === all.length - 1;
    if (line === "" && isLast) return "";
    const mark = /^\p{White_Space}/u.test(line) ? "\\" : " ";
    return `${indent}${mark}${escaped(line)}${isLast ? "" : "\\n"}\\\n`;
  });
  return `"\\\n${lines.join("")}${indent}"`;
}

function keyText(key: string): string {
  if (!needsQuotes(key)) return key;
  return `"${escaped(key, { "\n": "\\n", "\t": "\\t" })}"`;
}

/** Whether a key without quotes would be, or may look like, something else. */
function needsQuotes(key: string): boolean {
  const plain = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_./-]*[\p{L}\p{N}_])?$/u;
  if (!plain.test(key)) return true;
  if (/^(?:null|y|yes|on|n|no|off|t|true|f|false)$/i.test(key)) return true;
  return isNumber(key.replaceAll("_", "")) || isDate(key);
}

function isNumber(text: string): boolean {
  if (/^-?0(?:x[0-9a-f]+|b[01]+|o[0-7]+)$/i.test(text))
    return Number(text.replace("-", "")) < 2 ** 63;
  if (/^-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text))
    return Number.isFinite(Number(text));
  const hexadecimal = /^-?0x(?=\.?[0-9a-f])[0-9a-f]*\.?[0-9a-f]*p[-+]?\d+$/i;
  return /^-?(?:inf|infinity|nan)$/i.test(text) || hexadecimal.test(text);
}

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d?)-(\d\d?)$/.exec(text) ?? [];
  if (year === undefined) return false;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return (
    date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCDate() === Number(day)
  );
}

/** A tab stays as it is, unless `known` says otherwise. */
function escaped(
  text: string,
  known: { readonly [char: string]: string } = { "\t": "\t" },
): string {
  return text.replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (char) => {
    const short = known[char] ?? shortEscape(char);
    if (short !== undefined) return short;
    const code = char.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    if (code < 0x80) return `\\x${hex.padStart(2, "0")}`;
    if (code < 0x10000) return `\\u${hex.padStart(4, "0")}`;
    return `\\U${hex.padStart(8, "0")}`;
  });
}

function shortEscape(char: string): string | undefined {
  if (char === '"' || char === "\\") return `\\${char}`;
  const at = "\0\u0007\b\v\f\r\u001b\u0085\u00a0\u2028\u2029".indexOf(char);
  return at < 0 ? undefined : `\\${"0abvfreN_LP"[at]}`;
}
