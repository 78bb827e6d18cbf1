/**
 * Prose as the linters read it: a passage is one paragraph, cell, attribute or
 * string, freed of markup and of line breaks, that remembers where in its file
 * each character stands.
 */

/** `sentence`: whole sentences. `label`: a name, an option, a condition. `heading`: stands over a section. */
export type PassageKind = "sentence" | "label" | "heading";

/** Stands for what is filled in later: `{{count}}`, `${seconds}`. */
const BLANK = "`x`";
const FILLED_IN = /\{\{\w+\}\}|\{\w+\}|<\/?\d+>/g;

export class Passage {
  readonly kind: PassageKind;
  text = "";
  private readonly marks: { at: number; source: number }[] = [];
  private readonly joint: string;

  /** `joint` stands where a line is broken: nothing in Japanese, a space in English. */
  constructor(kind: PassageKind, joint: string) {
    this.kind = kind;
    this.joint = joint;
  }

  /** Adds `raw`, which begins at `source` in the file. */
  add(raw: string, source: number): void {
    let at = 0;
    for (const match of raw.matchAll(/[ \t]*\r?\n[ \t]*/g)) {
      this.piece(raw.slice(at, match.index), source + at);
      this.piece(this.joint, source + match.index);
      at = match.index + match[0].length;
    }
    this.piece(raw.slice(at), source + at);
  }

  /** Adds a string of the program or of a table of texts, with its blanks. */
  addString(raw: string, source: number): void {
    let at = 0;
    for (const match of raw.matchAll(FILLED_IN)) {
      this.add(raw.slice(at, match.index), source + at);
      this.blank(source + match.index);
      at = match.index + match[0].length;
    }
    this.add(raw.slice(at), source + at);
  }

  /** Adds something that is known only when the page is shown. */
  blank(source: number): void {
    this.piece(BLANK, source);
  }

  private piece(text: string, source: number): void {
    if (text === "") return;
    this.marks.push({ at: this.text.length, source });
    this.text += text;
  }

  /** Offset in the file of an offset in `text`. */
  sourceOf(offset: number): number {
    const mark = this.marks.findLast(({ at }) => at <= offset) ?? this.marks[0];
    return mark ? mark.source + Math.max(0, offset - mark.at) : 0;
  }
}

/** The prose of one file in one language. */
export interface Prose {
  readonly file: string;
  readonly source: string;
  readonly passages: readonly Passage[];
}

export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly rule: string;
  /** What is wrong and what to write. */
  readonly says: string;
}

export function placeOf(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

/** `content/…/ja.mdx:12:5 rule: what to write`. */
export function format({ file, line, column, rule, says }: Finding): string {
  return `${file}:${line}:${column} ${rule}: ${says}`;
}
