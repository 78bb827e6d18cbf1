/**
 * Words of the Common Expression Language.
 * Models:     cel-spec doc/langdef.md (Syntax)
 * Leaves out: bytes literals.
 */
export class CelError extends Error {}

/** What is wrong, where, and the line with a sign under the place. */
export function placed(text: string, at: number, message: string): string {
  const lines = text.slice(0, at).split("\n");
  const row = lines.length;
  const column = [...lines.at(-1)!].length;
  const line = text.split("\n")[row - 1] ?? "";
  const head = `ERROR: <input>:${row}:${column + 1}: ${message}`;
  if (line === "") return head;
  return `${head}\n | ${line}\n | ${".".repeat(column)}^`;
}

export interface Token {
  readonly type: "int" | "uint" | "double" | "string" | "name" | "op" | "end";
  /** Text; of a string, what it stands for. */
  readonly text: string;
  readonly at: number;
}

const SPACE = /[ \t\r\n\f]+|\/\/[^\n]*/y;
const NUMBER =
  /0x[0-9a-fA-F]+u?|\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+u?/y;
const NAME = /[A-Za-z_]\w*/y;
const OPERATOR = /&&|\|\||==|!=|<=|>=|\.\?|\[\?|[-+*/%!<>?:.,()[\]{}]/y;
const STRING = /(r|R)?("""|'''|"|')/y;

export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  while (at < text.length) {
    const start = at;
    const space = take(SPACE);
    if (space) {
      at += space.length;
      continue;
    }
    const quote = take(STRING);
    if (quote) {
      const [value, end] = readString(text, at, quote);
      tokens.push({ type: "string", text: value, at: start });
      at = end;
      continue;
    }
    const number = take(NUMBER);
    const word = number ?? take(NAME) ?? take(OPERATOR);
    if (!word) {
      throw unknown(text, at, text[at]!);
    }
    tokens.push({
      type: typeOf(word, number !== undefined),
      text: word,
      at: start,
    });
    at += word.length;
  }
  tokens.push({ type: "end", text: "<EOF>", at });
  return tokens;
}

function unknown(text: string, at: number, part: string): CelError {
  const why = `Syntax error: token recognition error at: '${part}'`;
  return new CelError(placed(text, at, why));
}

function typeOf(word: string, isNumber: boolean): Token["type"] {
  if (!isNumber) return /^\w/.test(word) ? "name" : "op";
  if (word.endsWith("u")) return "uint";
  if (/^0x/.test(word)) return "int";
  return /[.eE]/.test(word) ? "double" : "int";
}

const ESCAPES: { readonly [letter: string]: string } = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

function readString(text: string, at: number, open: string): [string, number] {
  const raw = /^[rR]/.test(open);
  const quote = raw ? open.slice(1) : open;
  let value = "";
  let i = at + open.length;
  while (!text.startsWith(quote, i)) {
    const char = text[i];
    if (char === undefined) throw unknown(text, at, text.slice(at));
    if (char !== "\\" || raw) {
      value += char;
      i++;
      continue;
    }
    const next = text[i + 1] ?? "";
    const [, digits] = /^[xuU]([0-9a-fA-F]+)/.exec(text.slice(i + 1)) ?? [];
    if (digits) {
      const count = next === "x" || next === "X" ? 2 : next === "u" ? 4 : 8;
      value += String.fromCodePoint(
        Number.parseInt(digits.slice(0, count), 16),
      );
      i += 2 + count;
    } else {
      value += ESCAPES[next] ?? next;
      i += 2;
    }
  }
  return [value, i + quote.length];
}
