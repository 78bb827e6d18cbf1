/**
 * Reads a JSONPath template: `{.items[*].metadata.name}{"\n"}`.
 * Models:     client-go/util/jsonpath/parser.go @ v1.36
 */
import type { List, Node, Params, Part } from "./nodes.ts";
import { unquote } from "./unquote.ts";

/** Throws SyntaxError in upstream's words. */
export function parseTemplate(text: string): readonly Part[] {
  return new Parser(text).template();
}

/** A path in braces of its own. */
function parseAction(text: string): List {
  const [first] = parseTemplate(`{${text}}`);
  return first?.type === "list" ? first.nodes : [];
}

const TERMINATORS = " \t\r\n.,[]$@{}";
const SLICE = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const COMPARISON = /^([^!<>=]+)([!<>=]+)(.+?)$/;

class Parser {
  private readonly text: string;
  private at = 0;
  private nodes: Node[] = [];

  constructor(text: string) {
    this.text = text;
  }

  template(): Part[] {
    const parts: Part[] = [];
    while (this.at < this.text.length) {
      const brace = this.text.indexOf("{", this.at);
      const end = brace < 0 ? this.text.length : brace;
      if (end > this.at)
        parts.push({ type: "text", value: this.text.slice(this.at, end) });
      this.at = end;
      if (brace >= 0) parts.push(this.action());
    }
    return parts;
  }

  private action(): Part {
    this.at++; // The brace.
    this.nodes = [];
    for (;;) {
      const rest = this.text.slice(this.at);
      if (rest.startsWith("}")) {
        this.at++;
        return { type: "list", nodes: this.nodes };
      }
      if (rest.startsWith("[?(")) this.filter();
      else if (rest.startsWith("..")) this.recursive();
      else this.one([...rest][0] ?? "\n");
    }
  }

  /** What the letter at hand begins. */
  private one(letter: string): void {
    if (/[\r\n]/.test(letter)) throw new SyntaxError("unclosed action");
    if (/[ @$]/.test(letter)) this.at++;
    else if (letter === "[") this.array();
    else if (letter === '"' || letter === "'") this.quoted(letter);
    else if (letter === ".") {
      this.at++;
      this.field();
    } else if (/[-+\p{Nd}]/u.test(letter)) this.number();
    else if (/[_\p{L}]/u.test(letter)) this.identifier();
    else {
      const code = letter.codePointAt(0)!.toString(16).toUpperCase();
      const named = `U+${code.padStart(4, "0")} '${letter}'`;
      throw new SyntaxError(`unrecognized character in action: ${named}`);
    }
  }

  /** Up to where a name ends; a backslash keeps what follows in it. */
  private word(escapes: boolean): string {
    const start = this.at;
    while (this.at < this.text.length) {
      const letter = this.text[this.at]!;
      if (escapes && letter === "\\") this.at++;
      else if (TERMINATORS.includes(letter)) break;
      this.at++;
    }
    return this.text.slice(start, this.at);
  }

  private field(): void {
    const name = this.word(true);
    if (name === "*") this.nodes.push({ type: "wildcard" });
    else this.nodes.push({ type: "field", name: name.replaceAll("\\", "") });
  }

  private identifier(): void {
    const name = this.word(false);
    if (name === "true" || name === "false")
      this.nodes.push({ type: "bool", value: name === "true" });
    else this.nodes.push({ type: "identifier", name });
  }

  private recursive(): void {
    if (this.nodes.at(-1)?.type === "recursive")
      throw new SyntaxError("invalid multiple recursive descent");
    this.at += 2;
    this.nodes.push({ type: "recursive" });
    if (/[_\p{L}\p{Nd}]/u.test(this.text[this.at] ?? "")) this.field();
  }

  private number(): void {
    const [digits = ""] = /^[-+]?[\d.]*/.exec(this.text.slice(this.at)) ?? [];
    this.at += digits.length;
    if (!/^[-+]?(\d+\.?\d*|\.\d+)$/.test(digits))
      throw new SyntaxError(`cannot parse number ${digits}`);
    this.nodes.push({ type: "number", value: Number(digits) });
  }

  private quoted(sign: string): void {
    const start = this.at++;
    for (;;) {
      const letter = this.text[this.at++] ?? "\n";
      if (letter === "\n") throw new SyntaxError("unterminated quoted string");
      if (letter === sign && this.text[this.at - 2] !== "\\") break;
    }
    const value = unquote(this.text.slice(start, this.at));
    this.nodes.push({ type: "text", value });
  }

  private array(): void {
    const end = this.text.slice(this.at).search(/[\]\n]/);
    if (end < 0 || this.text[this.at + end] === "\n")
      throw new SyntaxError("unterminated array");
    const inner = this.text.slice(this.at + 1, this.at + end);
    this.at += end + 1;
    this.nodes.push(...arrayNodes(inner === "*" ? ":" : inner));
  }

  private filter(): void {
    const start = this.at + "[?(".length;
    this.at = start;
    let [pair, closed] = ["", false];
    for (;;) {
      const letter = this.text[this.at++] ?? "\n";
      if (letter === "\n") throw new SyntaxError("unterminated filter");
      if (letter === '"' || letter === "'") {
        if (pair === "") pair = letter;
        else if (this.text[this.at - 2] !== "\\" && letter === pair)
          closed = true;
      }
      if (letter === ")" && (pair !== "") === closed) break;
    }
    if (this.text[this.at++] !== "]")
      throw new SyntaxError("unclosed array expect ]");
    this.nodes.push(filterNode(this.text.slice(start, this.at - 2)));
  }
}

function filterNode(text: string): Node {
  const [, left, operator = "", right = ""] = COMPARISON.exec(text) ?? [];
  const filter = {
    left: parseAction(left ?? text),
    right: parseAction(right),
    operator,
  };
  return { type: "filter", filter };
}

/** What stands in brackets: several, a key, or a slice. */
function arrayNodes(text: string): List {
  const several = text.split(",");
  if (several.length > 1) {
    const lists = several.map((one) =>
      parseAction(`[${one.replace(/^ +| +$/g, "")}]`),
    );
    return [{ type: "union", lists }];
  }
  const key = /^'([^']*)'$/.exec(text);
  if (key) return parseAction(`.${key[1]}`);
  const slice = SLICE.exec(text);
  if (!slice) throw new SyntaxError(`invalid array index ${text}`);
  return [{ type: "array", params: paramsOf(slice) }];
}

function paramsOf([, from, to, step]: RegExpExecArray): Params {
  const number = (given: string | undefined) => {
    const digits = given?.replace(/^:/, "") ?? "";
    if (digits === "-")
      throw new SyntaxError(`array index ${digits} is not a number`);
    return digits === "" ? undefined : Number(digits);
  };
  const first = number(from);
  const single = to === undefined;
  const last = single ? (first ?? 0) + 1 : number(to);
  return { from: first, to: last, step: number(step), single };
}
