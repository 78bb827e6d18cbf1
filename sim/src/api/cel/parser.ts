/**
 * From the text of an expression to its tree. Macros (`has`, `all`, `map` …)
 * become nodes of their own.
 * Models: cel-spec doc/langdef.md (Grammar)
 * Longer because: a grammar is read in one piece.
 */
import { CelError, placed, type Token, tokenize } from "./lexer.ts";

/** `at` is where in the text a complaint points to. */
export type Node = { readonly at: number } & Form;

type Form =
  | { op: "literal"; value: unknown; unsigned?: boolean }
  | { op: "name"; name: string }
  | { op: "select"; target: Node; field: string; optional: boolean }
  | { op: "has"; target: Node; field: string }
  | { op: "index"; target: Node; index: Node; optional: boolean }
  | { op: "call"; name: string; target?: Node; args: Node[] }
  | { op: "list"; items: Node[] }
  | { op: "map"; entries: [Node, Node][] }
  | { op: "message"; type: string; fields: [string, Node][] }
  | { op: "if"; test: Node; yes: Node; no: Node }
  | { op: "and" | "or"; left: Node; right: Node }
  | { op: "each"; macro: string; target: Node; name: string; args: Node[] };

/** What may begin an operand, as the real parser lists it. */
const OPERAND =
  "expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', " +
  "NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

const MACROS = ["all", "exists", "exists_one", "existsOne", "map", "filter"];
/** Binary operators by how strongly they bind. */
const LEVELS: readonly (readonly string[])[] = [
  ["==", "!=", "<", "<=", ">", ">=", "in"],
  ["+", "-"],
  ["*", "/", "%"],
];

/** Throws CelError. */
export function parse(text: string): Node {
  return new Parser(text).whole();
}

class Parser {
  private readonly text: string;
  private readonly tokens: readonly Token[];
  private at = 0;

  constructor(text: string) {
    this.text = text;
    this.tokens = tokenize(text);
  }

  whole(): Node {
    const node = this.expression();
    if (this.next.type !== "end") this.unexpected("expecting <EOF>");
    return node;
  }

  private get next(): Token {
    return this.tokens[this.at]!;
  }

  private expression(): Node {
    const test = this.or();
    const { at } = this.next;
    if (!this.take("?")) return test;
    const yes = this.or();
    this.expect(":");
    return { op: "if", at, test, yes, no: this.expression() };
  }

  private or(): Node {
    let left = this.and();
    for (;;) {
      const { at } = this.next;
      if (!this.take("||")) return left;
      left = { op: "or", at, left, right: this.and() };
    }
  }

  private and(): Node {
    let left = this.binary(0);
    for (;;) {
      const { at } = this.next;
      if (!this.take("&&")) return left;
      left = { op: "and", at, left, right: this.binary(0) };
    }
  }

  private binary(level: number): Node {
    const operators = LEVELS[level];
    if (!operators) return this.unary();
    let left = this.binary(level + 1);
    for (;;) {
      const { text, type, at } = this.next;
      if (type === "string" || !operators.includes(text)) return left;
      this.at++;
      const right = this.binary(level + 1);
      left = { op: "call", at, name: text, args: [left, right] };
    }
  }

  private unary(): Node {
    for (const sign of ["!", "-"]) {
      const { at } = this.next;
      if (!this.take(sign)) continue;
      const name = sign === "!" ? "!" : "negate";
      return { op: "call", at, name, args: [this.unary()] };
    }
    return this.member(this.primary());
  }

  private member(start: Node): Node {
    let node = start;
    for (;;) {
      const { at } = this.next;
      if (this.take(".")) node = this.selected(node, false, at);
      else if (this.take(".?")) node = this.selected(node, true, at);
      else if (this.take("[")) node = this.indexed(node, false, at);
      else if (this.take("[?")) node = this.indexed(node, true, at);
      else if (this.next.text === "{" && isTypeName(node)) {
        node = this.message(node);
      } else return node;
    }
  }

  private selected(target: Node, optional: boolean, at: number): Node {
    if (this.next.type !== "name") this.noField(at);
    const field = this.name();
    const open = this.next.at;
    if (optional || !this.take("(")) {
      return { op: "select", at, target, field, optional };
    }
    const args = this.list(")");
    return MACROS.includes(field) && args.length > 1
      ? this.each(field, target, args, open)
      : { op: "call", at: open, name: field, target, args };
  }

  private indexed(target: Node, optional: boolean, at: number): Node {
    const index = this.expression();
    this.expect("]");
    return { op: "index", at, target, index, optional };
  }

  /** `Object{spec: …}`: a typed map. */
  private message(type: Node): Node {
    const { at } = this.next;
    this.expect("{");
    const fields: [string, Node][] = [];
    while (!this.take("}")) {
      const name =
        this.next.type === "string"
          ? this.tokens[this.at++]!.text
          : this.name();
      this.expect(":");
      fields.push([name, this.expression()]);
      if (!this.take(",") && this.next.text !== "}") this.unexpected();
    }
    return { op: "message", at, type: typeName(type), fields };
  }

  private primary(): Node {
    const token = this.next;
    this.at++;
    const { at, text } = token;
    switch (token.type) {
      case "int":
      case "uint": {
        const value = BigInt(text.replace("u", ""));
        return { op: "literal", at, value, unsigned: token.type === "uint" };
      }
      case "double":
        return { op: "literal", at, value: Number(text) };
      case "string":
        return { op: "literal", at, value: text };
      case "name":
        return this.named(text, at);
      default:
        return this.grouped(token);
    }
  }

  private named(name: string, at: number): Node {
    if (name === "true" || name === "false") {
      return { op: "literal", at, value: name === "true" };
    }
    if (name === "null") return { op: "literal", at, value: null };
    const open = this.next.at;
    if (!this.take("(")) return { op: "name", at, name };
    const args = this.list(")");
    if (name !== "has") return { op: "call", at: open, name, args };
    const [tested] = args;
    if (tested?.op !== "select") {
      const where = tested?.at ?? open;
      throw this.wrong("invalid argument to has() macro", where);
    }
    const { target, field } = tested;
    return { op: "has", at: open, target, field };
  }

  private grouped({ text, at }: Token): Node {
    if (text === "(") {
      const inner = this.expression();
      this.expect(")");
      return inner;
    }
    if (text === "[") return { op: "list", at, items: this.list("]") };
    if (text !== "{") {
      this.at--;
      this.unexpected();
    }
    return { op: "map", at, entries: this.entries() };
  }

  private entries(): [Node, Node][] {
    const entries: [Node, Node][] = [];
    while (!this.take("}")) {
      const key = this.expression();
      this.expect(":");
      entries.push([key, this.expression()]);
      if (!this.take(",") && this.next.text !== "}") this.unexpected();
    }
    return entries;
  }

  private list(end: string): Node[] {
    const items: Node[] = [];
    while (!this.take(end)) {
      items.push(this.expression());
      if (!this.take(",") && this.next.text !== end) this.unexpected();
    }
    return items;
  }

  private name(): string {
    if (this.next.type !== "name") this.unexpected();
    return this.tokens[this.at++]!.text;
  }

  private take(text: string): boolean {
    const { next } = this;
    if (next.type === "string" || next.text !== text) return false;
    this.at++;
    return true;
  }

  private expect(wanted: string): void {
    if (this.take(wanted)) return;
    const { text, at } = this.next;
    const why =
      text === "<EOF>"
        ? `missing '${wanted}' at '${text}'`
        : `mismatched input '${text}' expecting '${wanted}'`;
    throw this.wrong(`Syntax error: ${why}`, at);
  }

  private unexpected(expecting = OPERAND): never {
    const { text, at } = this.next;
    const how = text === "<EOF>" ? "mismatched" : "extraneous";
    const why = `${how} input '${text}' ${expecting}`;
    throw this.wrong(`Syntax error: ${why}`, at);
  }

  private noField(dot: number): never {
    const { text, at } = this.next;
    const seen = text === "<EOF>" ? "." : `.${text}`;
    const where = text === "<EOF>" ? dot + 1 : at;
    const why = `no viable alternative at input '${seen}'`;
    throw this.wrong(`Syntax error: ${why}`, where);
  }

  private each(macro: string, target: Node, args: Node[], at: number): Node {
    const [variable, ...rest] = args;
    if (variable?.op !== "name") {
      const where = variable?.at ?? at;
      throw this.wrong("argument must be a simple name", where);
    }
    const { name } = variable;
    return { op: "each", at, macro, target, name, args: rest };
  }

  private wrong(message: string, at: number): CelError {
    return new CelError(placed(this.text, at, message));
  }
}

/** `Object.spec` and its like begin with a capital. */
function isTypeName(node: Node): boolean {
  if (node.op === "name") return /^[A-Z]/.test(node.name);
  return node.op === "select" && isTypeName(node.target);
}

function typeName(node: Node): string {
  if (node.op === "name") return node.name;
  return node.op === "select" ? `${typeName(node.target)}.${node.field}` : "";
}
