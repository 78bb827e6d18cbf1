/**
 * Says what Go's JSON reader says about a text that is not JSON. The plugins
 * and the runtime are written in Go, and their users meet these sentences.
 * Models:     encoding/json scanner.go
 * Leaves out: errors of types but for texts.
 */

/** Go's sentence about the first fault in `text`; "" if it is good JSON. */
export function goJsonError(text: string): string {
  const reader = new Reader(text);
  try {
    reader.value();
    reader.blanks();
    if (!reader.atEnd()) reader.fail("after top-level value");
    return "";
  } catch (error) {
    if (error instanceof SyntaxFault) return error.message;
    throw error;
  }
}

/**
 * Go's sentence about a value that is no object, or whose `field` is no text;
 * "" if Go can read it into `type`.
 */
export function goTypeError(
  value: unknown,
  field: string,
  type: string,
  struct = "",
): string {
  const cannot = (each: unknown, into: string) =>
    `json: cannot unmarshal ${kindOf(each)} into Go ${into}`;
  if (kindOf(value) !== "object") return cannot(value, `value of type ${type}`);
  const inside = (value as Record<string, unknown>)[field] ?? "";
  if (typeof inside === "string") return "";
  return cannot(inside, `struct field ${struct}.${field} of type string`);
}

/** As `%T` shows a value that was read without a type. */
export function goType(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  const types: Readonly<Record<string, string>> = {
    ...{ array: "[]interface {}", object: "map[string]interface {}" },
    ...{ number: "float64" },
  };
  return types[kindOf(value)] ?? kindOf(value);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

class SyntaxFault extends Error {}

class Reader {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  atEnd(): boolean {
    return this.at >= this.text.length;
  }

  blanks(): void {
    while (/[ \t\r\n]/.test(this.text[this.at] ?? "")) this.at++;
  }

  fail(where: string): never {
    const char = this.text[this.at];
    if (char === undefined) {
      throw new SyntaxFault("unexpected end of JSON input");
    }
    throw new SyntaxFault(`invalid character ${quoted(char)} ${where}`);
  }

  value(): void {
    this.blanks();
    const char = this.text[this.at];
    if (char === "{") this.object();
    else if (char === "[") this.array();
    else if (char === '"') this.string();
    else if (char === "-" || /\d/.test(char ?? "")) this.number();
    else if (char === "t") this.literal("true");
    else if (char === "f") this.literal("false");
    else if (char === "n") this.literal("null");
    else this.fail("looking for beginning of value");
  }

  private object(): void {
    this.at++;
    this.blanks();
    if (this.take("}")) return;
    for (;;) {
      this.blanks();
      if (this.text[this.at] !== '"') {
        this.fail("looking for beginning of object key string");
      }
      this.string();
      this.blanks();
      if (!this.take(":")) this.fail("after object key");
      this.value();
      this.blanks();
      if (this.take("}")) return;
      if (!this.take(",")) this.fail("after object key:value pair");
    }
  }

  private array(): void {
    this.at++;
    this.blanks();
    if (this.take("]")) return;
    for (;;) {
      this.value();
      this.blanks();
      if (this.take("]")) return;
      if (!this.take(",")) this.fail("after array element");
    }
  }

  private string(): void {
    this.at++;
    while (!this.take('"')) {
      const char = this.text[this.at];
      if (char === undefined || char < " ") this.fail("in string literal");
      this.at++;
      if (char === "\\") this.escape();
    }
  }

  private escape(): void {
    if (!/["\\/bfnrtu]/.test(this.text[this.at] ?? "")) {
      this.fail("in string escape code");
    }
    const unicode = this.text[this.at++] === "u";
    for (let digit = 0; unicode && digit < 4; digit++, this.at++) {
      if (!/[\da-fA-F]/.test(this.text[this.at] ?? "")) {
        this.fail("in \\u hexadecimal character escape");
      }
    }
  }

  private number(): void {
    this.take("-");
    if (!this.take("0")) this.digits("in numeric literal");
    if (this.take(".")) this.digits("after decimal point in numeric literal");
    if (this.take("e") || this.take("E")) {
      if (!this.take("+")) this.take("-");
      this.digits("in exponent of numeric literal");
    }
  }

  private digits(where: string): void {
    if (!/\d/.test(this.text[this.at] ?? "")) this.fail(where);
    while (/\d/.test(this.text[this.at] ?? "")) this.at++;
  }

  private literal(word: string): void {
    for (const [i, char] of [...word].entries()) {
      if (this.text[this.at] !== char) {
        this.fail(
          i === 0
            ? "looking for beginning of value"
            : `in literal ${word} (expecting '${char}')`,
        );
      }
      this.at++;
    }
  }

  private take(char: string): boolean {
    if (this.text[this.at] !== char) return false;
    this.at++;
    return true;
  }
}

function quoted(char: string): string {
  if (char === "'") return "'\\''";
  if (char === '"') return "'\"'";
  return `'${JSON.stringify(char).slice(1, -1)}'`;
}
