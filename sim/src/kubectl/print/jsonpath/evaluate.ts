/**
 * Follows the paths of a JSONPath template through data.
 * Models:     client-go/util/jsonpath/jsonpath.go @ v1.36
 * Leaves out: Go's changing order of the keys of a map: here they are sorted.
 */
import { goTypeOf, goValue } from "../../../api/go-text.ts";
import { compare } from "./compare.ts";
import type { Filter, List, Node, Params, Part } from "./nodes.ts";

/** Values that one part of a template leads to. */
export type Values = readonly unknown[];

/** Evaluates the parts; a RangeError says what is wrong. */
export class Evaluation {
  private readonly parts: readonly Part[];
  private readonly allowMissing: boolean;
  private opens = 0;
  private depth = 0;
  private closes = 0;
  private lastEnd = -1;

  constructor(parts: readonly Part[], allowMissing: boolean) {
    this.parts = parts;
    this.allowMissing = allowMissing;
  }

  /** Values part by part; a range has those of its parts for each item. */
  results(data: unknown, from = 0): Values[] {
    const all: Values[] = [];
    for (let i = from; i < this.parts.length; i++) {
      const found = this.part([data], this.parts[i]!);
      if (this.closes > 0 && this.closes <= this.depth) {
        this.closes--;
        this.lastEnd = i;
        break;
      }
      if (this.opens === 0) {
        all.push(found);
        continue;
      }
      this.opens--;
      this.depth++;
      for (const value of found) all.push(...this.results(value, i + 1));
      // Without items its end has still to be found.
      if (found.length === 0) this.results(undefined, i + 1);
      this.depth--;
      if (this.lastEnd > i) i = this.lastEnd;
    }
    return all;
  }

  private part(values: Values, part: Part): Values {
    return part.type === "list"
      ? this.list(values, part.nodes)
      : this.node(values, part);
  }

  private list(values: Values, nodes: List): Values {
    return nodes.reduce<Values>((now, node) => this.node(now, node), values);
  }

  private node(values: Values, node: Node): Values {
    switch (node.type) {
      case "text":
        return [node.value];
      case "number":
      case "bool":
        return values.map(() => node.value);
      case "field":
        return this.field(values, node.name);
      case "array":
        return values.filter(isThere).flatMap((one) => slice(one, node.params));
      case "filter":
        return values.flatMap((one) => this.filter(one, node.filter));
      case "union":
        return node.lists.flatMap((one) => this.list(values, one));
      case "wildcard":
        return values.flatMap(children);
      case "recursive":
        return values.flatMap(descendants);
      case "identifier":
        return this.identifier(values, node.name);
    }
  }

  private identifier(values: Values, name: string): Values {
    if (name === "range") {
      this.opens++;
      return values;
    }
    if (name !== "end") throw new RangeError(`unrecognized identifier ${name}`);
    if (this.depth === 0) throw new RangeError("not in range, nothing to end");
    this.closes++;
    return [];
  }

  private field(values: Values, name: string): Values {
    const found = values.flatMap((value) => {
      if (!isMap(value) || !Object.hasOwn(value, name)) return [];
      return [value[name]];
    });
    if (found.length > 0 || values.length === 0 || this.allowMissing)
      return found;
    throw new RangeError(`${name} is not found`);
  }

  private filter(value: unknown, { left, right, operator }: Filter): Values {
    if (!Array.isArray(value)) {
      const text = goValue(value);
      throw new RangeError(
        `${text} is not array or slice and cannot be filtered`,
      );
    }
    return value.filter((item) => {
      const a = this.operand(item, left, operator);
      if (operator === "") return a.length > 0;
      if (a.length === 0) return false;
      const b = this.operand(item, right, operator);
      return b.length > 0 && compare(a[0], operator, b[0]);
    });
  }

  /** Whether a field is there may be asked of what lacks it. */
  private operand(item: unknown, list: List, operator: string): Values {
    try {
      const found = this.list([item], list);
      if (operator === "" || found.length < 2) return found;
    } catch (error) {
      if (operator === "" && error instanceof RangeError) return [];
      throw error;
    }
    throw new RangeError("can only compare one element at a time");
  }
}

function isThere(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function isMap(value: unknown): value is { readonly [key: string]: unknown } {
  return isThere(value) && typeof value === "object" && !Array.isArray(value);
}

function slice(value: unknown, { from, to, step, single }: Params): Values {
  if (!Array.isArray(value))
    throw new RangeError(`${goTypeOf(value)} is not array or slice`);
  const { length } = value;
  let first = from ?? 0;
  if (first < 0) first += length;
  let last = to ?? length;
  if (last < 0 || (last === 0 && single)) last += length;
  if (first === last) return [];
  const outside = (index: number) =>
    new RangeError(
      `array index out of bounds: index ${index}, length ${length}`,
    );
  if (first >= length || first < 0) throw outside(first);
  if (last > length || last < 0) throw outside(last - 1);
  if (first > last)
    throw new RangeError(
      `starting index ${first} is greater than ending index ${last}`,
    );
  if (step !== undefined && step <= 0) throw new RangeError("step must be > 0");
  return value.slice(first, last).filter((_, i) => i % (step ?? 1) === 0);
}

/** Fields by name, items, or of a text its bytes. */
function children(value: unknown): Values {
  if (typeof value === "string") return [...new TextEncoder().encode(value)];
  if (Array.isArray(value)) return value;
  if (!isMap(value)) return [];
  const keys = Object.keys(value).sort();
  return keys.map((key) => value[key]);
}

/** The value itself and all below that hold something. */
function descendants(value: unknown): Values {
  const own = children(value);
  return own.length === 0 ? [] : [value, ...own.flatMap(descendants)];
}
