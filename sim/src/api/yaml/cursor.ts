/**
 * A place in a YAML text, and the small steps over spaces and comments.
 * Models:     the scanner's buffer of go.yaml.in/yaml/v2
 */
import { YamlError } from "./error.ts";

export const TAB = 9;
export const NEWLINE = 10;
export const SPACE = 32;
const HASH = 35;

export class Cursor {
  readonly text: string;
  /** The document ends before this offset. */
  readonly end: number;
  pos: number;
  /** Offset of the first character of the line that `pos` is on. */
  lineStart: number;

  constructor(text: string, start: number, end: number) {
    this.text = text;
    this.pos = start;
    this.lineStart = start;
    this.end = end;
  }

  /** The code unit at `pos`, or further on; NaN at the end. */
  peek(ahead = 0): number {
    const at = this.pos + ahead;
    return at < this.end ? this.text.charCodeAt(at) : Number.NaN;
  }

  char(): string {
    return this.pos < this.end ? this.text.charAt(this.pos) : "";
  }

  get column(): number {
    return this.pos - this.lineStart;
  }

  get atEnd(): boolean {
    return this.pos >= this.end;
  }

  /** Whether a blank, a line break or the end is at `pos + ahead`. */
  blankAt(ahead: number): boolean {
    const code = this.peek(ahead);
    return (
      code === SPACE || code === NEWLINE || code === TAB || Number.isNaN(code)
    );
  }

  /** Past blanks on this line. */
  skipSpaces(): void {
    for (let c = this.peek(); c === SPACE || c === TAB; c = this.peek())
      this.pos++;
  }

  /** Past a line break, if one is here. */
  skipBreak(): void {
    if (this.peek() !== NEWLINE) return;
    this.pos++;
    this.lineStart = this.pos;
  }

  /** Past blanks and a comment; true if nothing else is on this line. */
  restIsEmpty(): boolean {
    const from = this.pos;
    this.skipSpaces();
    const startsComment = this.pos > from || this.pos === this.lineStart;
    if (this.peek() === HASH && (startsComment || this.blankBefore()))
      this.skipComment();
    return this.atEnd || this.peek() === NEWLINE;
  }

  private blankBefore(): boolean {
    const before = this.text.charCodeAt(this.pos - 1);
    return before === SPACE || before === TAB || before === NEWLINE;
  }

  private skipComment(): void {
    const at = this.text.indexOf("\n", this.pos);
    this.pos = at < 0 || at > this.end ? this.end : at;
  }

  /**
   * To the next token on this or a later line. A tab may not indent: it
   * would not say how deep.
   */
  skipToToken(): void {
    if (this.pos === this.lineStart) this.skipIndent();
    while (this.restIsEmpty() && !this.atEnd) {
      this.skipBreak();
      this.skipIndent();
    }
  }

  private skipIndent(): void {
    while (this.peek() === SPACE) this.pos++;
    if (this.peek() === TAB) throw new YamlError("tab", this.pos);
  }

  /** The same inside [ ] and { }, where tabs and any indentation may be. */
  skipInFlow(): void {
    while (this.restIsEmpty() && !this.atEnd) this.skipBreak();
  }
}
