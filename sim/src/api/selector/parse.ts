/**
 * Parses a label selector: "app in (db,web),!tier".
 * Models:     apimachinery/pkg/labels/selector.go, Parser @ v1.36
 */
import type { Token } from "./lexer.ts";
import { tokensOf } from "./lexer.ts";
import type { Operator, Requirement } from "./requirement.ts";
import { checkKey, requirement, SelectorError } from "./requirement.ts";

const operators: ReadonlyMap<string, Operator> = new Map([
  ["in", "in"],
  ["notin", "notin"],
  ["=", "="],
  ["==", "=="],
  ["!=", "!="],
  [">", "gt"],
  ["<", "lt"],
]);

const listedOperators = "in, notin, =, ==, !=, gt, lt";

/** The conditions of `text`, sorted by key. Throws SelectorError. */
export function parseRequirements(text: string): Requirement[] {
  const parser = new Parser(tokensOf(text));
  return parser
    .parse()
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

class Parser {
  private readonly tokens: readonly Token[];
  private at = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  parse(): Requirement[] {
    const found: Requirement[] = [];
    for (;;) {
      const { kind, text } = this.look();
      if (kind === "end") return found;
      if (kind !== "id" && kind !== "!") {
        throw new SelectorError(
          `found '${text}', expected: !, identifier, or 'end of string'`,
        );
      }
      found.push(this.requirement());
      const after = this.take();
      if (after.kind === "end") return found;
      if (after.kind !== ",") {
        throw new SelectorError(
          `found '${after.text}', expected: ',' or 'end of string'`,
        );
      }
      const next = this.look();
      if (next.kind !== "id" && next.kind !== "!") {
        throw new SelectorError(
          `found '${next.text}', expected: identifier after ','`,
        );
      }
    }
  }

  private requirement(): Requirement {
    try {
      return this.parseRequirement();
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      throw new SelectorError(`unable to parse requirement: ${error.message}`);
    }
  }

  private parseRequirement(): Requirement {
    const first = this.take();
    const absent = first.kind === "!";
    const { kind, text: key } = absent ? this.take() : first;
    if (kind !== "id")
      throw new SelectorError(`found '${key}', expected: identifier`);
    checkKey(key);
    if (absent) return requirement(key, "!", []);
    const next = this.look().kind;
    if (next === "end" || next === ",") return requirement(key, "exists", []);
    const operator = this.operator();
    const many = operator === "in" || operator === "notin";
    const values = many ? this.values() : [this.exactValue()];
    return requirement(key, operator, [...new Set(values)].toSorted());
  }

  private operator(): Operator {
    const { text } = this.next();
    const operator = operators.get(text);
    if (operator) return operator;
    throw new SelectorError(`found '${text}', expected: ${listedOperators}`);
  }

  private values(): string[] {
    const open = this.take();
    if (open.kind !== "(")
      throw new SelectorError(`found '${open.text}' expected: '('`);
    const { kind, text } = this.look();
    if (kind === ")") {
      this.take();
      return [""];
    }
    if (kind !== "id" && kind !== ",") {
      throw new SelectorError(
        `found '${text}', expected: ',', ')' or identifier`,
      );
    }
    const values = this.list();
    if (this.take().kind !== ")")
      throw new SelectorError(`found '${text}', expected: ')'`);
    return values;
  }

  /** "a,b", where a missing item counts as "". */
  private list(): string[] {
    const values: string[] = [];
    for (;;) {
      const { kind, text } = this.take();
      const next = this.look();
      if (kind === "id") {
        values.push(text);
        if (next.kind === ")") return values;
        if (next.kind !== ",") {
          throw new SelectorError(`found '${next.text}', expected: ',' or ')'`);
        }
      } else if (kind === ",") {
        if (values.length === 0) values.push("");
        if (next.kind === ")") return [...values, ""];
        if (next.kind === ",") {
          this.take();
          values.push("");
        }
      } else {
        throw new SelectorError(
          `found '${text}', expected: ',', or identifier`,
        );
      }
    }
  }

  private exactValue(): string {
    const next = this.look().kind;
    if (next === "end" || next === ",") return "";
    const { kind, text } = this.take();
    if (kind === "id") return text;
    throw new SelectorError(`found '${text}', expected: identifier`);
  }

  /** The next token; "in" and "notin" may be keys or values. */
  private look(): Token {
    const token = this.tokens[this.at] ?? { kind: "end", text: "" };
    const word = token.kind === "in" || token.kind === "notin";
    return word ? { kind: "id", text: token.text } : token;
  }

  private take(): Token {
    const token = this.look();
    this.at++;
    return token;
  }

  private next(): Token {
    const token = this.tokens[this.at] ?? { kind: "end", text: "" };
    this.at++;
    return token;
  }
}
