/**
 * Writes a text as a YAML scalar: plain, quoted or as a block of lines.
 * Models:     go.yaml.in/yaml/v2 encode.go stringv, emitterc.go
 */
import { resolvePlain } from "./resolve.ts";

/** Where a scalar begins, and how its further lines are indented. */
export interface ScalarPlace {
  readonly column: number;
  readonly indent: string;
  /** Keys stay on one line. */
  readonly isKey: boolean;
}

const columnsMax = 80;

/** Sexagesimal numbers and dates are quoted for the sake of other readers. */
const oldNumber = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const date = /^\d{4}-\d{1,2}-\d{1,2}(?:$|[Tt]|\s+\d)/;

export function writeText(text: string, place: ScalarPlace): string {
  const special = hasSpecial(text) || / (?:\n|$)/.test(text);
  if (text.includes("\n")) {
    return special || place.isKey
      ? doubleQuoted(text, place)
      : literal(text, place);
  }
  if (resolvesElse(text) || hasSpecial(text)) return doubleQuoted(text, place);
  if (canBePlain(text)) return wrapped(text, place);
  return `'${wrapped(text.replaceAll("'", "''"), inQuotes(place))}'`;
}

function resolvesElse(text: string): boolean {
  const plain = resolvePlain(text) === text && text !== "<<";
  return !plain || oldNumber.test(text) || date.test(text);
}

/** Tabs, control characters and anything beyond U+FFFF need an escape. */
function hasSpecial(text: string): boolean {
  return /[^\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/.test(text);
}

function canBePlain(text: string): boolean {
  if (/^\s|\s$|^[,[\]{}#&*!|>'"%@`]|^[-?:](?:\s|$)/.test(text)) return false;
  return !/^(?:---|\.\.\.)|:(?:\s|$)|\s#/.test(text);
}

function inQuotes(place: ScalarPlace): ScalarPlace {
  return { ...place, column: place.column + 1 };
}

/** Breaks at the first lone space beyond the width. */
function wrapped(text: string, { column, indent, isKey }: ScalarPlace): string {
  if (isKey || column + text.length <= columnsMax) return text;
  let at = column;
  return text.replace(/[^ ]+| +/g, (part, offset: number) => {
    const inner = offset > 0 && offset + part.length < text.length;
    if (part === " " && inner && at > columnsMax) {
      at = indent.length;
      return `\n${indent}`;
    }
    at += part.length;
    return part;
  });
}

const escapes: Readonly<Record<string, string>> = {
  "\0": "\\0",
  "\u0007": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  "\u001b": "\\e",
  '"': '\\"',
  "\\": "\\\\",
  "\u0085": "\\N",
  "\u2028": "\\L",
  "\u2029": "\\P",
};

function doubleQuoted(
  text: string,
  { column, indent, isKey }: ScalarPlace,
): string {
  let written = "";
  let at = column + 1;
  let afterSpace = false;
  const chars = [...text];
  for (const [i, char] of chars.entries()) {
    const inner = i > 0 && i < chars.length - 1;
    if (char === " " && !isKey && !afterSpace && at > columnsMax && inner) {
      const next = chars[i + 1] === " " ? "\\" : "";
      written += `\n${indent}${next}`;
      at = indent.length + next.length;
    } else {
      const part = escaped(char);
      written += part;
      at += part.length;
    }
    afterSpace = char === " ";
  }
  return `"${written}"`;
}

function escaped(char: string): string {
  const known = escapes[char];
  if (known !== undefined) return known;
  if (!hasSpecial(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff
    ? `\\u${hex.padStart(4, "0")}`
    : `\\U${hex.padStart(8, "0")}`;
}

function literal(text: string, { indent }: ScalarPlace): string {
  const hint = /^[ \n]/.test(text) ? "2" : "";
  const keeps = /(?:^|\n)\n$/.test(text) ? "+" : "";
  const chomp = text.endsWith("\n") ? keeps : "-";
  const lines = text.replace(/\n$/, "").split("\n");
  const body = lines.map((line) => (line === "" ? "" : indent + line));
  return `|${hint}${chomp}\n${body.join("\n")}`;
}
