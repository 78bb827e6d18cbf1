/**
 * Reads plain and quoted scalars.
 * Models:     go.yaml.in/yaml/v2 scannerc.go
 */
import type { Cursor } from "./cursor.ts";
import { NEWLINE, SPACE, TAB } from "./cursor.ts";
import { YamlError } from "./error.ts";

const COLON = 58;
const HASH = 35;
const BACKSLASH = 92;
const flowEnds = ",[]{}";

/** Where the plain scalar's part on this line ends (blanks after it left off). */
function plainEnd(cursor: Cursor, inFlow: boolean): number {
  const { text, end } = cursor;
  let at = cursor.pos;
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === NEWLINE) break;
    if (code === COLON) {
      const next = at + 1 < end ? text.charCodeAt(at + 1) : NEWLINE;
      if (next === SPACE || next === TAB || next === NEWLINE) break;
      if (inFlow && flowEnds.includes(text.charAt(at + 1))) break;
    } else if (code === HASH) {
      const before = text.charCodeAt(at - 1);
      if (at > cursor.pos && (before === SPACE || before === TAB)) break;
    } else if (inFlow && flowEnds.includes(text.charAt(at))) break;
  }
  while (at > cursor.pos) {
    const code = text.charCodeAt(at - 1);
    if (code !== SPACE && code !== TAB) break;
    at--;
  }
  return at;
}

/** The part of a plain scalar on this line: all there is to a key. */
export function plainOnLine(cursor: Cursor, inFlow: boolean): string {
  const to = plainEnd(cursor, inFlow);
  const part = cursor.text.slice(cursor.pos, to);
  cursor.pos = to;
  return part;
}

/**
 * A plain scalar with its further lines, folded. They must stand deeper than
 * `indent`; in [ ] and { } anywhere.
 */
export function plainScalar(
  cursor: Cursor,
  indent: number,
  inFlow: boolean,
): string {
  let text = plainOnLine(cursor, inFlow);
  for (;;) {
    const { pos, lineStart } = cursor;
    cursor.skipSpaces();
    if (cursor.peek() !== NEWLINE) break;
    const breaks = skipBreaks(cursor, inFlow ? 0 : indent + 1);
    const isValue = cursor.peek() === COLON && cursor.blankAt(1);
    if (!continues(cursor, indent, inFlow) || (isValue && inFlow)) {
      cursor.pos = pos;
      cursor.lineStart = lineStart;
      break;
    }
    if (isValue) throw new YamlError("mappingValues", cursor.pos);
    text += folded(breaks) + plainOnLine(cursor, inFlow);
  }
  return text;
}

function continues(cursor: Cursor, indent: number, inFlow: boolean): boolean {
  if (cursor.atEnd || cursor.peek() === HASH) return false;
  if (inFlow) return !flowEnds.includes(cursor.char());
  return cursor.column > indent;
}

/**
 * Past line breaks and blank lines, onto the next character; how many. No tab
 * may stand in the first `columns` of a line.
 */
function skipBreaks(cursor: Cursor, columns = 0): number {
  let breaks = 0;
  while (cursor.peek() === NEWLINE) {
    breaks++;
    cursor.skipBreak();
    while (cursor.peek() === SPACE) cursor.pos++;
    if (cursor.peek() === TAB && cursor.column < columns) {
      throw new YamlError("tabInText", cursor.pos);
    }
    cursor.skipSpaces();
  }
  return breaks;
}

/** One line break is a space, more are one fewer. */
function folded(breaks: number): string {
  return breaks === 1 ? " " : "\n".repeat(breaks - 1);
}

/** 'it''s': everything as it stands, but doubled quotes and folded lines. */
export function singleQuoted(cursor: Cursor): string {
  return quoted(cursor, "'", (text) => text.replaceAll("''", "'"));
}

/** "a\tb": with escapes. */
export function doubleQuoted(cursor: Cursor): string {
  return quoted(cursor, '"', (text) => text);
}

function quoted(
  cursor: Cursor,
  quote: string,
  plain: (text: string) => string,
): string {
  const start = cursor.pos;
  const { text, end } = cursor;
  const isDouble = quote === '"';
  let result = "";
  let from = ++cursor.pos;
  for (;;) {
    if (cursor.pos >= end) throw new YamlError("unclosedQuote", start, {}, end);
    const code = text.charCodeAt(cursor.pos);
    if (code === BACKSLASH && isDouble) {
      result += text.slice(from, cursor.pos) + escaped(cursor);
      from = cursor.pos;
    } else if (code === NEWLINE) {
      result +=
        trimEnd(plain(text.slice(from, cursor.pos))) +
        folded(skipBreaks(cursor));
      from = cursor.pos;
    } else if (code !== quote.charCodeAt(0)) cursor.pos++;
    else if (!isDouble && cursor.peek(1) === code) cursor.pos += 2;
    else break;
  }
  result += plain(text.slice(from, cursor.pos));
  cursor.pos++;
  return result;
}

function trimEnd(text: string): string {
  return text.replace(/[ \t]+$/, "");
}

const escapes: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\u0007",
  b: "\b",
  t: "\t",
  "\t": "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  e: "\u001b",
  " ": " ",
  '"': '"',
  "'": "'",
  "/": "/",
  "\\": "\\",
  N: "\u0085",
  _: "\u00a0",
  L: "\u2028",
  P: "\u2029",
};

const codeLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** The character that `\…` stands for; moves past it. */
function escaped(cursor: Cursor): string {
  const at = cursor.pos;
  const letter = cursor.text.charAt(at + 1);
  cursor.pos += 2;
  if (letter === "\n") {
    cursor.pos--;
    return "\n".repeat(skipBreaks(cursor) - 1);
  }
  const length = codeLengths[letter];
  if (length === undefined) {
    const known = escapes[letter];
    if (known === undefined) throw new YamlError("unknownEscape", at);
    return known;
  }
  const digits = cursor.text.slice(cursor.pos, cursor.pos + length);
  const code = /^[0-9a-fA-F]+$/.test(digits) ? Number.parseInt(digits, 16) : -1;
  if (digits.length < length || code < 0 || code > 0x10ffff) {
    throw new YamlError("unknownEscape", at);
  }
  cursor.pos += length;
  return length === 4 ? String.fromCharCode(code) : String.fromCodePoint(code);
}
