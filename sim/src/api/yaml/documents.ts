/**
 * Splits a file into documents as kubectl does, and parses each.
 * Models:     apimachinery/pkg/util/yaml/decoder.go @ v1.36
 * Leaves out: nothing after the first error, as kubectl would: the site wants
 *             to mark them all.
 */
import type { Json } from "../types.ts";
import type { Places } from "./builder.ts";
import { Cursor } from "./cursor.ts";
import type { YamlErrorCode, YamlParams } from "./error.ts";
import { YamlError, yamlMessage } from "./error.ts";
import { Parser } from "./parser.ts";

/** Line and column count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export type Path = readonly (string | number)[];

export interface YamlDocument {
  readonly value: Json;
  /** Where the document's first token is, from 1. */
  readonly line: number;
  /** Place of a field, or of the nearest thing around it that is there. */
  positionOf(path: Path): Position;
}

export interface ParseError extends Position {
  readonly code: YamlErrorCode;
  /** Which document, from 0; empty ones do not count. */
  readonly document: number;
  readonly params: YamlParams;
  /** What kubectl prints after "error parsing FILE: ". */
  readonly message: string;
}

export interface Manifests {
  readonly documents: readonly YamlDocument[];
  readonly errors: readonly ParseError[];
}

interface Chunk {
  readonly start: number;
  readonly end: number;
}

/** Parses every document; empty ones (comments alone) are left out. */
export function parseManifests(input: string): Manifests {
  const text = plainText(input);
  const lines = new Lines(text);
  const documents: YamlDocument[] = [];
  const errors: ParseError[] = [];
  for (const chunk of chunksOf(text)) {
    const index = documents.length + errors.length;
    try {
      const document = parseChunk(text, chunk, lines);
      if (document) documents.push(document);
    } catch (error) {
      if (!(error instanceof YamlError)) throw error;
      errors.push(placed(error, chunk, index, lines));
    }
  }
  return { documents, errors };
}

/** Without a byte order mark, lines ended by \n alone. */
function plainText(input: string): string {
  const text = input.startsWith("\ufeff") ? input.slice(1) : input;
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** What lies between lines of `---`; `...` ends a document too. */
function chunksOf(text: string): Chunk[] {
  const chunks: Chunk[] = [];
  let start = 0;
  for (const match of text.matchAll(/^(?:---|\.\.\.)(?=[ \t]|$)[^\n]*\n?/gm)) {
    chunks.push({ start, end: match.index });
    const rest = match[0].slice(3).trim();
    const valid = rest === "" || rest.startsWith("#");
    start = match.index + (valid ? match[0].length : 0);
  }
  return [...chunks, { start, end: text.length }];
}

function parseChunk(
  text: string,
  chunk: Chunk,
  lines: Lines,
): YamlDocument | undefined {
  const { start, end } = withoutDirectives(text, chunk);
  const marker = /^(?:---|\.\.\.)[ \t]+([^\n]*)/.exec(
    text.slice(start, Math.min(end, start + 200)),
  );
  if (marker)
    throw new YamlError("badSeparator", start, {
      text: marker[1]?.trim() ?? "",
    });
  const control = controlCharacter(text, start, end);
  if (control >= 0) throw new YamlError("controlCharacter", control);
  const cursor = new Cursor(text, start, end);
  cursor.skipToToken();
  if (cursor.atEnd) return undefined;
  const first = cursor.pos;
  const value = new Parser(new Cursor(text, start, end)).parse();
  return {
    value,
    line: lines.at(first).line,
    positionOf: (path) => lines.at(offsetOf(text, { start, end }, path, first)),
  };
}

/** Where a character stands that no YAML may hold; -1 if none does. */
function controlCharacter(text: string, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const allowed =
      code >= 32 ? code !== 127 && code < 0xfffe : code === 9 || code === 10;
    if (!allowed) return at;
  }
  return -1;
}

function withoutDirectives(text: string, { start, end }: Chunk): Chunk {
  let from = start;
  while (from < end && text[from] === "%") {
    const line = text.indexOf("\n", from);
    from = line < 0 ? end : line + 1;
  }
  return { start: from, end };
}

/** Follows the path as far as it goes. Parses anew, this time with places. */
function offsetOf(
  text: string,
  { start, end }: Chunk,
  path: Path,
  root: number,
): number {
  const places = new Map<object, Places>();
  let at = new Parser(new Cursor(text, start, end), places).parse();
  let offset = root;
  for (const key of path) {
    if (typeof at !== "object" || at === null) break;
    const found = places.get(at);
    const index = typeof key === "number" ? key : found?.keys.indexOf(key);
    const next = found?.offsets[index ?? -1];
    if (next === undefined) break;
    offset = next;
    at = (at as Readonly<Record<string | number, Json>>)[key];
  }
  return offset;
}

function placed(
  error: YamlError,
  chunk: Chunk,
  document: number,
  lines: Lines,
): ParseError {
  const { code, params, offset, noticedAt } = error;
  const { line, column } = lines.at(offset);
  const first = lines.at(chunk.start).line;
  const message = yamlMessage(code, params, lines.at(noticedAt).line - first);
  return { code, document, line, column, params, message };
}

/** Finds the line of an offset. */
class Lines {
  private readonly text: string;
  private starts: readonly number[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  at(offset: number): Position {
    this.starts ??= startsOf(this.text);
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.starts[low] ?? 0) + 1 };
  }
}

function startsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    starts.push(at + 1);
  }
  return starts;
}
