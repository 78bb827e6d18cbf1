/**
 * What a plain scalar means: text, number, boolean, null.
 * Models:     go.yaml.in/yaml/v2 resolve.go
 * Leaves out: sexagesimal numbers, which go-yaml does not read either, and
 *             whole numbers beyond 2^53, which lose digits.
 * Try:        take "no" out of the table: Norway's country code is safe then.
 */
import type { Json } from "../types.ts";

const words: ReadonlyMap<string, Json> = new Map<string, Json>([
  ...forms(true, "y Y yes Yes YES true True TRUE on On ON"),
  ...forms(false, "n N no No NO false False FALSE off Off OFF"),
  ...forms(null, "~ null Null NULL"),
  ["", null],
  ...forms(Number.NaN, ".nan .NaN .NAN"),
  ...forms(Number.POSITIVE_INFINITY, ".inf .Inf .INF +.inf +.Inf +.INF"),
  ...forms(Number.NEGATIVE_INFINITY, "-.inf -.Inf -.INF"),
]);

const firstOfWord = /^[yYnNtTfFoO~.+-]|^$/;
const firstOfNumber = /^[-+.0-9]/;
const float = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const timestamp = /^\d{4}-\d{1,2}-\d{1,2}(?:$|[Tt]|\s+\d)/;

/** The value of an unquoted scalar. NaN and infinities are not JSON. */
export function resolvePlain(text: string): Json {
  if (firstOfWord.test(text)) {
    const word = words.get(text);
    if (word !== undefined) return word;
  }
  if (!firstOfNumber.test(text)) return text;
  return numberOf(text) ?? text;
}

/** A number, or undefined. A date stays text. */
export function numberOf(text: string): number | undefined {
  if (timestamp.test(text)) return undefined;
  if (text.startsWith(".")) return float.test(text) ? Number(text) : undefined;
  const plain = text.replaceAll("_", "");
  return integer(plain) ?? (float.test(plain) ? Number(plain) : undefined);
}

/** Go's ParseInt with base 0: a leading 0 alone means octal. */
function integer(text: string): number | undefined {
  const [, sign, prefix = "", digits = ""] =
    /^([-+]?)(0[xX]|0[oO]|0[bB]|0(?=[0-9]))?([0-9a-fA-F]+)$/.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const base = bases[prefix.toLowerCase()] ?? 10;
  const pattern = digitsOf[base];
  if (!pattern?.test(digits)) return undefined;
  const size = Number.parseInt(digits, base);
  return sign === "-" ? 0 - size : size;
}

const bases: Readonly<Record<string, number>> = {
  "0x": 16,
  "0o": 8,
  "0b": 2,
  "0": 8,
};

const digitsOf: Readonly<Record<number, RegExp>> = {
  2: /^[01]+$/,
  8: /^[0-7]+$/,
  10: /^[0-9]+$/,
  16: /^[0-9a-fA-F]+$/,
};

function forms(value: Json, list: string): [string, Json][] {
  return list.split(" ").map((form) => [form, value]);
}
