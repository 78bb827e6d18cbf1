/**
 * Strings in a JSONPath template, in double or single quotes.
 * Models:     client-go/util/jsonpath/parser.go (UnquoteExtend) @ v1.36,
 *             strconv.UnquoteChar of Go
 */

const ESCAPE =
  /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.?))/gs;

const KNOWN: { readonly [letter: string]: string } = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};

/** Throws SyntaxError in upstream's words. */
export function unquote(text: string): string {
  const sign = text[0]!;
  const fail = (): never => {
    throw new SyntaxError(`unquote string ${text} error invalid syntax`);
  };
  return text
    .slice(1, -1)
    .replace(ESCAPE, (_, x, u, long, octal, letter = "") => {
      const hex = x ?? u ?? long;
      if (hex !== undefined) return String.fromCodePoint(parseInt(hex, 16));
      if (octal !== undefined) return String.fromCodePoint(parseInt(octal, 8));
      if (letter === sign) return sign;
      return KNOWN[letter] ?? fail();
    });
}
