/**
 * Reads JSON as Go does: with its words for what is wrong, and with the names
 * of fields that stand twice, which JSON.parse would swallow.
 * Models: encoding/json/scanner.go; sigs.k8s.io/json (strict decoding)
 */
import type { Json } from "./types.ts";

export class GoJsonError extends Error {}

export interface GoJson {
  readonly value: Json;
  /** Paths of repeated fields: `spec.replicas`. */
  readonly duplicates: readonly string[];
}

/** Throws GoJsonError with Go's text. */
export function parseGoJson(text: string): GoJson {
  const scanner = new Scanner(text);
  scanner.whole();
  return { value: JSON.parse(text), duplicates: scanner.duplicates };
}

class Scanner {
  readonly duplicates: string[] = [];
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  whole(): void {
    this.value("");
    this.space();
    if (this.at < this.text.length) this.fail("after top-level value");
  }

  private value(path: string): void {
    this.space();
    const char = this.text[this.at];
    if (char === "{") this.object(path);
    else if (char === "[") this.array(path);
    else if (char === '"') this.string();
    else if (char === "t") this.word("true");
    else if (char === "f") this.word("false");
    else if (char === "n") this.word("null");
    else if (char === "-" || (char && /\d/.test(char))) this.number();
    else this.fail("looking for beginning of value");
  }

  private object(path: string): void {
    this.at++;
    this.space();
    if (this.take("}")) return;
    const seen = new Set<string>();
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') {
        this.fail("looking for beginning of object key string");
      }
      const from = this.at;
      this.string();
      const name: string = JSON.parse(this.text.slice(from, this.at));
      const field = path ? `${path}.${name}` : name;
      if (seen.has(name)) this.duplicates.push(field);
      seen.add(name);
      this.space();
      if (!this.take(":")) this.fail("after object key");
      this.value(field);
      this.space();
      if (this.take("}")) return;
      if (!this.take(",")) this.fail("after object key:value pair");
    }
  }

  private array(path: string): void {
    this.at++;
    this.space();
    if (this.take("]")) return;
    for (let i = 0; ; i++) {
      this.value(`${path}[${i}]`);
      this.space();
      if (this.take("]")) return;
      if (!this.take(",")) this.fail("after array element");
    }
  }

  private string(): void {
    this.at++;
    for (;;) {
      const char = this.text[this.at];
      if (char === undefined) this.end();
      if (char === '"') break;
      if (char! < " ") this.fail("in string literal");
      if (char === "\\") this.escape();
      this.at++;
    }
    this.at++;
  }

  private escape(): void {
    this.at++;
    const char = this.text[this.at];
    if (char === undefined) this.end();
    if (char === "u") {
      for (let i = 0; i < 4; i++) {
        this.at++;
        const digit = this.text[this.at];
        if (digit === undefined) this.end();
        if (!/[0-9a-fA-F]/.test(digit!)) {
          this.fail("in \\u hexadecimal character escape");
        }
      }
    } else if (!'bfnrt\\/"'.includes(char!)) {
      this.fail("in string escape code");
    }
  }

  private word(word: string): void {
    for (let i = 1; i < word.length; i++) {
      this.at++;
      if (this.text[this.at] !== word[i]) {
        this.fail(`in literal ${word} (expecting '${word[i]}')`);
      }
    }
    this.at++;
  }

  private number(): void {
    if (this.take("-") && !this.digit()) this.fail("in numeric literal");
    if (!this.take("0")) this.digits();
    if (this.take(".")) {
      if (!this.digit()) this.fail("after decimal point in numeric literal");
      this.digits();
    }
    if (this.take("e") || this.take("E")) {
      if (!this.take("+")) this.take("-");
      if (!this.digit()) this.fail("in exponent of numeric literal");
      this.digits();
    }
  }

  private digit(): boolean {
    return /\d/.test(this.text[this.at] ?? "");
  }

  private digits(): void {
    while (this.digit()) this.at++;
  }

  private space(): void {
    while (" \t\r\n".includes(this.text[this.at] ?? "x")) this.at++;
  }

  private take(char: string): boolean {
    if (this.text[this.at] !== char) return false;
    this.at++;
    return true;
  }

  private end(): never {
    throw new GoJsonError("unexpected end of JSON input");
  }

  private fail(context: string): never {
    const char = this.text[this.at];
    if (char === undefined) this.end();
    throw new GoJsonError(`invalid character ${shown(char!)} ${context}`);
  }
}

/** A character as Go quotes it. */
function shown(char: string): string {
  if (char === "'") return "'\\''";
  if (char === '"') return "'\"'";
  const code = char.charCodeAt(0);
  if (char === "\n") return "'\\n'";
  if (char === "\t") return "'\\t'";
  if (char === "\r") return "'\\r'";
  if (code < 32) return `'\\x${code.toString(16).padStart(2, "0")}'`;
  return `'${char}'`;
}
