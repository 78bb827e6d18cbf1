/**
 * Cuts a label selector's text into tokens.
 * Models:     apimachinery/pkg/labels/selector.go, Lexer @ v1.36
 */

export interface Token {
  /** "id" for a key or a value, "end", or the symbol or word itself. */
  readonly kind: "id" | "end" | "error" | Symbols;
  readonly text: string;
}

type Symbols =
  | ("(" | ")" | "," | "!" | "=" | "==" | "!=" | ">" | "<")
  | ("in" | "notin");

const symbols: readonly Symbols[] = [
  "(",
  ")",
  ",",
  "!",
  "=",
  "==",
  "!=",
  ">",
  "<",
];
const special = "=!(),><";
const space = " \t\r\n";

/** All tokens, the last one of kind "end". */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && space.includes(text.charAt(at))) at++;
    if (at >= text.length) break;
    const token = special.includes(text.charAt(at))
      ? symbolAt(text, at)
      : wordAt(text, at);
    tokens.push(token);
    at += token.text.length;
  }
  tokens.push({ kind: "end", text: "" });
  return tokens;
}

/** The longest symbol here: "==" before "=". */
function symbolAt(text: string, at: number): Token {
  const two = text.slice(at, at + 2);
  const kind =
    symbols.find((s) => s === two) ??
    symbols.find((s) => s === text.charAt(at));
  return kind ? { kind, text: kind } : { kind: "error", text: text.charAt(at) };
}

function wordAt(text: string, from: number): Token {
  let to = from;
  while (to < text.length && !(special + space).includes(text.charAt(to))) to++;
  const word = text.slice(from, to);
  return word === "in" || word === "notin"
    ? { kind: word, text: word }
    : { kind: "id", text: word };
}
