/**
 * Prints values as Go does in error texts: %q, %v and encoding/json.
 * Models:     fmt, strconv, encoding/json of Go 1.26
 */

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};

/** All but letters, marks, numbers, punctuation, symbols and the space. */
const unprintable = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** `%q`: "a\"b" with Go's escapes. */
export function quote(text: string): string {
  const escaped = text.replace(unprintable, (c) => {
    const known = short[c];
    if (known !== undefined) return known;
    const code = c.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    if (code < 0x80) return `\\x${hex.padStart(2, "0")}`;
    if (code < 0x10000) return `\\u${hex.padStart(4, "0")}`;
    return `\\U${hex.padStart(8, "0")}`;
  });
  return `"${escaped}"`;
}

/** `%v` of a JSON value: map[a:1 b:[x y]], `<nil>` for null. */
export function goValue(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goValue).join(" ")}]`;
  if (typeof value === "object") {
    const entries = Object.entries(value).toSorted(byKey);
    return `map[${entries.map(([k, v]) => `${k}:${goValue(v)}`).join(" ")}]`;
  }
  return String(value);
}

/** `%#v` of a JSON value: map[string]interface {}{"a":1}. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return "interface {}(nil)";
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value))
    return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (typeof value !== "object") return String(value);
  const entries = Object.entries(value).toSorted(byKey);
  const fields = entries.map(([k, v]) => `${quote(k)}:${goSyntax(v)}`);
  return `map[string]interface {}{${fields.join(", ")}}`;
}

/** encoding/json: keys in the order given, `<`, `>` and `&` escaped. */
export function goJson(value: unknown, indent = 0): string {
  const text = JSON.stringify(value, null, indent) ?? "null";
  return text.replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** encoding/json of a map: the same with sorted keys, at every depth. */
export function goSortedJson(value: unknown, indent = 0): string {
  return sortedJson(value, indent === 0 ? "" : "\n", " ".repeat(indent));
}

/** A number as a key would go first in an object, so the text is made here. */
function sortedJson(value: unknown, line: string, indent: string): string {
  if (typeof value !== "object" || value === null) return goJson(value);
  const deeper = line + indent;
  const inner = Array.isArray(value)
    ? value.map((item) => sortedJson(item, deeper, indent))
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .toSorted(byKey)
        .map(([key, one]) => {
          const space = indent === "" ? "" : " ";
          return `${goJson(key)}:${space}${sortedJson(one, deeper, indent)}`;
        });
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (inner.length === 0) return `${open}${close}`;
  return `${open}${deeper}${inner.join(`,${deeper}`)}${line}${close}`;
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The Go type of a decoded JSON value, as reflect prints it. */
export function goTypeOf(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "object") return "map[string]interface {}";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  return Number.isInteger(value) ? "int64" : "float64";
}
