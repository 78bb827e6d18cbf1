/**
 * What an expression comes to, given the values of its names.
 * Models: cel-spec doc/langdef.md (Evaluation)
 */
import { FUNCTIONS } from "./functions.ts";
import { CelError } from "./lexer.ts";
import { methodOf, OPTIONALS } from "./methods.ts";
import { unescapedName } from "./names.ts";
import type { Node } from "./parser.ts";
import { fromJson, isMap, NONE, Optional } from "./values.ts";

/** Values of names; a function is asked when the name is first met. */
export type Bindings = { readonly [name: string]: unknown };

/** Steps after which an expression is called too costly. */
const COST_MAX = 1_000_000;

export class Evaluation {
  private cost = 0;

  /** Throws CelError. */
  value(node: Node, names: Bindings): unknown {
    if (++this.cost > COST_MAX) {
      throw new CelError("operation cancelled: actual cost limit exceeded");
    }
    switch (node.op) {
      case "literal":
        return node.value;
      case "name":
        return named(node.name, names);
      case "select":
        return this.select(node, names);
      case "has":
        return present(this.value(node.target, names), node.field);
      case "index":
        return this.index(node, names);
      case "call":
        return this.call(node, names);
      case "list":
        return node.items.map((item) => this.value(item, names));
      case "map":
        return Object.fromEntries(
          node.entries.map(([key, value]) => [
            String(this.value(key, names)),
            this.value(value, names),
          ]),
        );
      case "message":
        return Object.fromEntries(
          node.fields.map(([name, value]) => [name, this.value(value, names)]),
        );
      case "if":
        return this.test(node.test, names)
          ? this.value(node.yes, names)
          : this.value(node.no, names);
      case "and":
      case "or":
        return this.logic(node, names);
      case "each":
        return this.each(node, names);
    }
  }

  private test(node: Node, names: Bindings): boolean {
    const value = this.value(node, names);
    if (typeof value !== "boolean") throw new CelError("no such overload");
    return value;
  }

  /** One side may decide even if the other is an error. */
  private logic(
    { op, left, right }: Extract<Node, { op: "and" | "or" }>,
    names: Bindings,
  ): boolean {
    const deciding = op === "or";
    let failed: unknown;
    try {
      if (this.test(left, names) === deciding) return deciding;
    } catch (error) {
      failed = error;
    }
    const other = this.test(right, names);
    if (failed && other !== deciding) throw failed;
    return other;
  }

  private select(
    { target, field, optional }: Extract<Node, { op: "select" }>,
    names: Bindings,
  ): unknown {
    const value = this.value(target, names);
    if (value instanceof Optional) {
      if (!value.has || !present(value.value, field)) return NONE;
      return new Optional(true, fieldOf(value.value, field));
    }
    if (!optional) return fieldOf(value, field);
    return present(value, field)
      ? new Optional(true, fieldOf(value, field))
      : NONE;
  }

  private index(
    node: Extract<Node, { op: "index" }>,
    names: Bindings,
  ): unknown {
    const outer = this.value(node.target, names);
    const index = this.value(node.index, names);
    const unwrapped = outer instanceof Optional ? outer.value : outer;
    const optional = node.optional || outer instanceof Optional;
    if (outer instanceof Optional && !outer.has) return NONE;
    if (Array.isArray(unwrapped)) {
      const item = unwrapped[Number(index)];
      if (item === undefined) {
        if (optional) return NONE;
        throw new CelError(`index out of bounds: ${index}`);
      }
      return optional ? new Optional(true, fromJson(item)) : fromJson(item);
    }
    if (!optional) return fieldOf(unwrapped, String(index));
    return present(unwrapped, String(index))
      ? new Optional(true, fieldOf(unwrapped, String(index)))
      : NONE;
  }

  private call(
    { name, target, args }: Extract<Node, { op: "call" }>,
    names: Bindings,
  ): unknown {
    const values = () => args.map((arg) => this.value(arg, names)) as never[];
    if (!target) {
      const run = FUNCTIONS[name];
      if (!run) throw new CelError(`undeclared reference to '${name}'`);
      return run(...values());
    }
    if (target.op === "name" && target.name === "optional") {
      const run = OPTIONALS[name];
      if (run) return run(...values());
    }
    const receiver = this.value(target, names);
    const run = methodOf(receiver, name);
    if (!run) throw new CelError("no such overload");
    return run(...([receiver, ...values()] as never[]));
  }

  private each(
    { macro, target, name, args }: Extract<Node, { op: "each" }>,
    names: Bindings,
  ): unknown {
    const over = this.value(target, names);
    const items = isMap(over) ? Object.keys(over) : over;
    if (!Array.isArray(items)) throw new CelError("no such overload");
    const [body, then] = args;
    const inner = (item: unknown) => ({ ...names, [name]: fromJson(item) });
    const holds = (item: unknown) => this.test(body!, inner(item));
    switch (macro) {
      case "all":
        return items.every(holds);
      case "exists":
        return items.some(holds);
      case "filter":
        return items.filter(holds);
      case "map":
        return then
          ? items.filter(holds).map((item) => this.value(then, inner(item)))
          : items.map((item) => this.value(body!, inner(item)));
      default:
        return items.filter(holds).length === 1;
    }
  }
}

function named(name: string, names: Bindings): unknown {
  if (!Object.hasOwn(names, name)) {
    throw new CelError(`undeclared reference to '${name}' (in container '')`);
  }
  return fromJson(names[name]);
}

function present(value: unknown, field: string): boolean {
  if (value instanceof Optional) {
    return value.has && present(value.value, field);
  }
  if (!isMap(value)) return false;
  return (value[field] ?? value[unescapedName(field)] ?? null) !== null;
}

function fieldOf(value: unknown, field: string): unknown {
  const found = isMap(value)
    ? (value[field] ?? value[unescapedName(field)])
    : undefined;
  if (found === undefined) throw new CelError(`no such key: ${field}`);
  // Variables of a policy are worked out when they are first asked for.
  return fromJson(typeof found === "function" ? found() : found);
}
