/**
 * Reads block scalars: `|` keeps lines, `>` folds them.
 * Models:     yaml_parser_scan_block_scalar of go.yaml.in/yaml/v2
 */
import type { Cursor } from "./cursor.ts";
import { NEWLINE, SPACE, TAB } from "./cursor.ts";
import { YamlError } from "./error.ts";

interface Header {
  readonly literal: boolean;
  /** "-" strips the last line breaks, "+" keeps them all. */
  readonly chomping: string;
  /** Columns deeper than the parent; 0: take those of the first line. */
  readonly indent: number;
}

/** `indent` is the column of the node that holds the scalar, -1 at the root. */
export function blockScalar(cursor: Cursor, indent: number): string {
  const { literal, chomping, indent: explicit } = header(cursor);
  cursor.skipBreak();
  let column = explicit > 0 ? Math.max(indent, 0) + explicit : 0;
  let breaks: number;
  [breaks, column] = blankLines(cursor, column, indent);
  let text = "";
  let pending = "";
  let wasBlank = false;
  while (cursor.column === column && !cursor.atEnd) {
    const isBlank = cursor.peek() === SPACE || cursor.peek() === TAB;
    const folds = !literal && !wasBlank && !isBlank && pending !== "";
    if (!folds) text += pending;
    else if (breaks === 0) text += " ";
    text += "\n".repeat(breaks);
    wasBlank = isBlank;
    text += line(cursor);
    pending = cursor.peek() === NEWLINE ? "\n" : "";
    cursor.skipBreak();
    [breaks] = blankLines(cursor, column, indent);
  }
  if (chomping !== "-") text += pending;
  if (chomping === "+") text += "\n".repeat(breaks);
  return text;
}

function header(cursor: Cursor): Header {
  const start = cursor.pos;
  const form = /([|>])(?:([-+])?([1-9])?|([1-9])([-+])?)(?=[ \t\n]|$)/y;
  form.lastIndex = start;
  const match = form.exec(cursor.text);
  if (!match) throw new YamlError("badBlockHeader", start);
  cursor.pos += match[0].length;
  if (!cursor.restIsEmpty()) throw new YamlError("badBlockHeader", cursor.pos);
  return {
    literal: match[1] === "|",
    chomping: match[2] ?? match[5] ?? "",
    indent: Number(match[3] ?? match[4] ?? 0),
  };
}

/** Past lines of nothing; finds the column if it is not known (0) yet. */
function blankLines(
  cursor: Cursor,
  column: number,
  indent: number,
): [number, number] {
  let breaks = 0;
  let deepest = 0;
  for (;;) {
    while (cursor.peek() === SPACE && (column === 0 || cursor.column < column))
      cursor.pos++;
    deepest = Math.max(deepest, cursor.column);
    const shallow = column === 0 || cursor.column < column;
    if (cursor.peek() === TAB && shallow)
      throw new YamlError("tabInBlock", cursor.pos);
    if (cursor.peek() !== NEWLINE) break;
    breaks++;
    cursor.skipBreak();
  }
  return [breaks, column || Math.max(deepest, indent + 1, 1)];
}

function line(cursor: Cursor): string {
  const at = cursor.text.indexOf("\n", cursor.pos);
  const to = at < 0 || at > cursor.end ? cursor.end : at;
  const found = cursor.text.slice(cursor.pos, to);
  cursor.pos = to;
  return found;
}
