/**
 * What stands between the braces of a Go template: pipelines of values and
 * functions.
 * Models:     text/template/{parse/parse,exec}.go of Go 1.26
 */
import { CommandError } from "../environment.ts";
import { callFunction } from "./go-functions.ts";

/** Variables in reach; an inner block has its own besides. */
export type Scope = Map<string, unknown>;
export type Expression = (dot: unknown, scope: Scope) => unknown;

/** `$k, $v := pipeline`: the names, and what they stand for. */
export function declaration(text: string): {
  names: string[];
  expression: Expression;
} {
  const match = /^((?:\$\w+)(?:\s*,\s*\$\w+)?)\s*:?=\s*(.*)$/s.exec(text);
  const names = match ? match[1]!.split(/\s*,\s*/) : [];
  const tokens = tokensOf(match ? match[2]! : text);
  const expression = pipeline(tokens);
  if (tokens.length > 0)
    throw new SyntaxError(`unexpected <${tokens[0]}> in operand`);
  return { names, expression };
}

const TOKEN =
  /\s*("(?:\\.|[^"\\])*"|`[^`]*`|\$\w*(?:\.\w+)*|(?:\.\w+)+|\.|[-+]?\d[\d.]*|\w+|[|(),])/y;

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) {
      const sign = text.slice(at).trim().charAt(0);
      throw new SyntaxError(`unexpected "${sign}" in operand`);
    }
    tokens.push(match[1]!);
  }
  if (tokens.length === 0) throw new SyntaxError("missing value for command");
  return tokens;
}

function pipeline(tokens: string[]): Expression {
  let expression = command(tokens);
  while (tokens[0] === "|") {
    tokens.shift();
    expression = command(tokens, expression);
  }
  return expression;
}

/** A value, or a function with its operands; the piped one comes last. */
function command(tokens: string[], piped?: Expression): Expression {
  const operands: Expression[] = [];
  const name = /^[a-z]\w*$/i.test(tokens[0] ?? "") ? tokens[0]! : "";
  const isCall = name !== "" && !["true", "false", "nil"].includes(name);
  if (isCall) tokens.shift();
  while (tokens.length > 0 && tokens[0] !== "|" && tokens[0] !== ")")
    operands.push(operand(tokens));
  if (piped) operands.push(piped);
  if (!isCall) return operands[0] ?? (() => undefined);
  return (dot, scope) =>
    callFunction(
      name,
      operands.map((one) => one(dot, scope)),
    );
}

function operand(tokens: string[]): Expression {
  const token = tokens.shift()!;
  if (token === "(") {
    const inner = pipeline(tokens);
    if (tokens.shift() !== ")") throw new SyntaxError("unclosed left paren");
    if (!/^\.\w/.test(tokens[0] ?? "")) return inner;
    const path = tokens.shift()!;
    return (dot, scope) => fieldOf(inner(dot, scope), path);
  }
  if (token.startsWith(".")) return (dot) => fieldOf(dot, token);
  if (token.startsWith("$")) {
    const [name = "$", ...path] = token.split(".");
    return (_, scope) => {
      if (scope.has(name)) return fieldOf(scope.get(name), path.join("."));
      throw new CommandError(`undefined variable "${name}"`);
    };
  }
  const value = literal(token);
  return () => value;
}

function literal(token: string): unknown {
  if (token.startsWith("`")) return token.slice(1, -1);
  if (token.startsWith('"')) return JSON.parse(token) as string;
  if (token === "nil") return undefined;
  if (token === "true" || token === "false") return token === "true";
  if (/^[-+]?\d/.test(token)) return Number(token);
  return callFunction(token, []);
}

/** `.a.b` of a value; a field that is not there is no value. */
function fieldOf(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split(".").filter(Boolean)) {
    if (found === undefined || found === null) return undefined;
    if (typeof found !== "object" || Array.isArray(found)) {
      throw new CommandError(
        `error executing template: can't evaluate field ${name} in type interface {}`,
      );
    }
    found = (found as { [key: string]: unknown })[name];
  }
  return found;
}
