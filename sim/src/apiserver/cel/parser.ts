/**
 * From the text of an expression to its tree. Macros (`has`, `all`, `map` …)
 * become nodes of their own.
 * Models: cel-spec doc/langdef.md (Grammar)
 * Longer because: a grammar is read in one piece.
 */
import { CelError, type Token, tokenize } from "./lexer.ts";

export type Node =
  | { op: "literal"; value: unknown }
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

const MACROS = ["all", "exists", "exists_one", "existsOne", "map", "filter"];
/** Binary operators by how strongly they bind. */
const LEVELS: readonly (readonly string[])[] = [
  ["==", "!=", "<", "<=", ">", ">=", "in"],
  ["+", "-"],
  ["*", "/", "%"],
];

/** Throws CelError. */
export function parse(text: string): Node {
  const parser = new Parser(tokenize(text));
  return parser.whole();
}

class Parser {
  private readonly tokens: readonly Token[];
  private at = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  whole(): Node {
    const node = this.expression();
    if (this.next.type !== "end") this.unexpected();
    return node;
  }

  private get next(): Token {
    return this.tokens[this.at]!;
  }

  private expression(): Node {
    const test = this.or();
    if (!this.take("?")) return test;
    const yes = this.or();
    this.expect(":");
    return { op: "if", test, yes, no: this.expression() };
  }

  private or(): Node {
    let left = this.and();
    while (this.take("||")) left = { op: "or", left, right: this.and() };
    return left;
  }

  private and(): Node {
    let left = this.binary(0);
    while (this.take("&&")) left = { op: "and", left, right: this.binary(0) };
    return left;
  }

  private binary(level: number): Node {
    const operators = LEVELS[level];
    if (!operators) return this.unary();
    let left = this.binary(level + 1);
    for (;;) {
      const { text, type } = this.next;
      if (type === "string" || !operators.includes(text)) return left;
      this.at++;
      const right = this.binary(level + 1);
      left = { op: "call", name: text, args: [left, right] };
    }
  }

  private unary(): Node {
    for (const sign of ["!", "-"]) {
      if (!this.take(sign)) continue;
      const name = sign === "!" ? "!" : "negate";
      return { op: "call", name, args: [this.unary()] };
    }
    return this.member(this.primary());
  }

  private member(start: Node): Node {
    let node = start;
    for (;;) {
      if (this.take(".")) node = this.selected(node, false);
      else if (this.take(".?")) node = this.selected(node, true);
      else if (this.take("[")) node = this.indexed(node, false);
      else if (this.take("[?")) node = this.indexed(node, true);
      else if (this.next.text === "{" && isTypeName(node)) {
        node = this.message(node);
      } else return node;
    }
  }

  private selected(target: Node, optional: boolean): Node {
    const field = this.name();
    if (optional || !this.take("(")) {
      return { op: "select", target, field, optional };
    }
    const args = this.list(")");
    return MACROS.includes(field) && args.length > 1
      ? each(field, target, args)
      : { op: "call", name: field, target, args };
  }

  private indexed(target: Node, optional: boolean): Node {
    const index = this.expression();
    this.expect("]");
    return { op: "index", target, index, optional };
  }

  /** `Object{spec: …}`: a typed map. */
  private message(type: Node): Node {
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
    return { op: "message", type: typeName(type), fields };
  }

  private primary(): Node {
    const token = this.next;
    this.at++;
    switch (token.type) {
      case "int":
      case "uint":
        return { op: "literal", value: BigInt(token.text.replace("u", "")) };
      case "double":
        return { op: "literal", value: Number(token.text) };
      case "string":
        return { op: "literal", value: token.text };
      case "name":
        return this.named(token.text);
      default:
        return this.grouped(token);
    }
  }

  private named(name: string): Node {
    if (name === "true" || name === "false") {
      return { op: "literal", value: name === "true" };
    }
    if (name === "null") return { op: "literal", value: null };
    if (!this.take("(")) return { op: "name", name };
    const args = this.list(")");
    if (name !== "has") return { op: "call", name, args };
    const [tested] = args;
    if (tested?.op !== "select") {
      throw new CelError("invalid argument to has() macro");
    }
    return { op: "has", target: tested.target, field: tested.field };
  }

  private grouped({ text }: Token): Node {
    if (text === "(") {
      const inner = this.expression();
      this.expect(")");
      return inner;
    }
    if (text === "[") return { op: "list", items: this.list("]") };
    if (text !== "{") {
      this.at--;
      this.unexpected();
    }
    const entries: [Node, Node][] = [];
    while (!this.take("}")) {
      const key = this.expression();
      this.expect(":");
      entries.push([key, this.expression()]);
      if (!this.take(",") && this.next.text !== "}") this.unexpected();
    }
    return { op: "map", entries };
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

  private expect(text: string): void {
    if (!this.take(text)) this.unexpected();
  }

  private unexpected(): never {
    const { text, at } = this.next;
    throw new CelError(
      `ERROR: <input>:1:${at + 1}: Syntax error: mismatched input '${text}'`,
    );
  }
}

function each(macro: string, target: Node, args: Node[]): Node {
  const [variable, ...rest] = args;
  if (variable?.op !== "name") {
    throw new CelError("argument must be a simple name");
  }
  return { op: "each", macro, target, name: variable.name, args: rest };
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
