/**
 * Checks an expression before it is ever worked out: names it may not use,
 * fields that are not there, operands that do not go together.
 * Models:     google/cel-go checker/{checker,errors}.go
 * Leaves out: estimates of what an expression costs; arguments of functions
 *             that ./overloads.ts knows by name alone.
 * Longer because: it is one form of expression after another.
 */
import { compileCel } from "./cel.ts";
import { CelError, placed } from "./lexer.ts";
import {
  functionType,
  KNOWN_FUNCTIONS,
  methodType,
  OPERATORS,
} from "./overloads.ts";
import type { Node } from "./parser.ts";
import {
  agree,
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DYN,
  INT,
  isUnknown,
  joined,
  listOf,
  mapOf,
  NULL,
  STRING,
  typeText,
  UINT,
  UNKNOWN,
} from "./types.ts";

export type Scope = { readonly [name: string]: CelType };

export interface Checked {
  /** One complaint a line, as the compiler writes them; "": none. */
  readonly errors: string;
  readonly type: CelType;
}

export function checkCel(expression: string, scope: Scope): Checked {
  try {
    const checker = new Checker(expression);
    const type = checker.typeOf(compileCel(expression), scope);
    return { errors: checker.report(), type };
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return { errors: error.message, type: UNKNOWN };
  }
}

class Checker {
  private readonly text: string;
  private readonly found: [at: number, message: string][] = [];

  constructor(text: string) {
    this.text = text;
  }

  report(): string {
    return this.found
      .toSorted(([a], [b]) => a - b)
      .map(([at, message]) => placed(this.text, at, message))
      .join("\n");
  }

  typeOf(node: Node, scope: Scope): CelType {
    switch (node.op) {
      case "literal":
        return literalType(node.value, node.unsigned);
      case "name":
        return Object.hasOwn(scope, node.name)
          ? scope[node.name]!
          : this.undeclared(node.name, node.at);
      case "select": {
        const type = this.field(node, scope);
        return node.optional ? UNKNOWN : type;
      }
      case "has":
        this.field(node, scope);
        return BOOL;
      case "index":
        return this.index(node, scope);
      case "call":
        return this.call(node, scope);
      case "list":
        return listOf(this.common(node.items, scope));
      case "map": {
        const keys = node.entries.map(([key]) => key);
        const values = node.entries.map(([, value]) => value);
        return mapOf(this.common(keys, scope), this.common(values, scope));
      }
      case "message":
        for (const [, value] of node.fields) this.typeOf(value, scope);
        return UNKNOWN;
      case "if":
        return this.choice(node, scope);
      case "and":
      case "or":
        for (const side of [node.left, node.right]) this.bool(side, scope);
        return BOOL;
      case "each":
        return this.each(node, scope);
    }
  }

  private say(at: number, message: string): CelType {
    this.found.push([at, message]);
    return UNKNOWN;
  }

  private undeclared(name: string, at: number): CelType {
    const why = `undeclared reference to '${name}' (in container '')`;
    return this.say(at, why);
  }

  private none(name: string, given: string, at: number): CelType {
    const why = `found no matching overload for '${name}' applied to '${given}'`;
    return this.say(at, why);
  }

  private common(nodes: readonly Node[], scope: Scope): CelType {
    const types = nodes.map((node) => this.typeOf(node, scope));
    return types.length > 0 ? types.reduce(joined) : UNKNOWN;
  }

  private bool(node: Node, scope: Scope): void {
    const type = this.typeOf(node, scope);
    if (agree(BOOL, type)) return;
    const why = `expected type 'bool' but found '${typeText(type)}'`;
    this.say(node.at, why);
  }

  private field(
    { target, field, at }: { target: Node; field: string; at: number },
    scope: Scope,
  ): CelType {
    if (target.op === "name" && !Object.hasOwn(scope, target.name)) {
      const whole = `${target.name}.${field}`;
      if (Object.hasOwn(scope, whole)) return scope[whole]!;
    }
    const type = this.typeOf(target, scope);
    if (isUnknown(type) || type.kind === "dyn") return type;
    if (type.kind === "map") return type.of!;
    if (!type.fields) {
      const kind = typeText(type);
      return this.say(at, `type '${kind}' does not support field selection`);
    }
    return type.fields.get(field) ?? this.say(at, `undefined field '${field}'`);
  }

  private index(node: Extract<Node, { op: "index" }>, scope: Scope): CelType {
    const type = this.typeOf(node.target, scope);
    const index = this.typeOf(node.index, scope);
    if (isUnknown(type) || type.kind === "dyn" || node.optional) {
      return node.optional ? UNKNOWN : type;
    }
    const wanted = type.kind === "list" ? INT : type.key;
    if (wanted && agree(wanted, index)) return type.of!;
    return this.none(
      "_[_]",
      `(${typeText(type)}, ${typeText(index)})`,
      node.at,
    );
  }

  private call(
    { name, target, args, at }: Extract<Node, { op: "call" }>,
    scope: Scope,
  ): CelType {
    const operator = target ? undefined : OPERATORS[name];
    const spaced = target?.op === "name" && !Object.hasOwn(scope, target.name);
    const library = spaced && KNOWN_FUNCTIONS.has(target.name);
    const receiver =
      target && !library ? this.typeOf(target, scope) : undefined;
    const types = args.map((arg) => this.typeOf(arg, scope));
    if (library || name === "format") return UNKNOWN;
    if (!operator && !KNOWN_FUNCTIONS.has(name)) {
      return this.undeclared(name, at);
    }
    const list = `(${types.map(typeText).join(", ")})`;
    const given = receiver ? `${typeText(receiver)}.${list}` : list;
    const all = receiver ? [receiver, ...types] : types;
    const out = operator
      ? operator[1](...types)
      : receiver
        ? methodType(name, receiver, types)
        : functionType(name, types);
    if (out) return out;
    if (all.some(isUnknown)) return UNKNOWN;
    return this.none(operator?.[0] ?? name, given, at);
  }

  private choice(
    { test, yes, no, at }: Extract<Node, { op: "if" }>,
    scope: Scope,
  ): CelType {
    const types = [test, yes, no].map((node) => this.typeOf(node, scope));
    const [given, a, b] = types as [CelType, CelType, CelType];
    if (agree(BOOL, given) && agree(a, b)) return joined(a, b);
    if (types.some(isUnknown)) return UNKNOWN;
    return this.none("_?_:_", `(${types.map(typeText).join(", ")})`, at);
  }

  private each(
    { macro, target, name, args }: Extract<Node, { op: "each" }>,
    scope: Scope,
  ): CelType {
    const over = this.typeOf(target, scope);
    const item = over.kind === "map" ? over.key! : (over.of ?? over);
    const inner = { ...scope, [name]: over.kind === "dyn" ? DYN : item };
    const types = args.map((arg) => this.typeOf(arg, inner));
    if (macro === "map") return listOf(types.at(-1) ?? UNKNOWN);
    return macro === "filter" ? (over.kind === "list" ? over : UNKNOWN) : BOOL;
  }
}

function literalType(value: unknown, unsigned = false): CelType {
  if (value === null) return NULL;
  if (typeof value === "bigint") return unsigned ? UINT : INT;
  if (typeof value === "number") return DOUBLE;
  if (typeof value === "boolean") return BOOL;
  return typeof value === "string" ? STRING : BYTES;
}
