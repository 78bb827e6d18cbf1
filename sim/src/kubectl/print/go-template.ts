/**
 * Templates of Go: `{{range .items}}{{.metadata.name}}{{"\n"}}{{end}}`.
 * Models:     text/template of Go 1.26, cli-runtime/pkg/printers/template.go
 * Leaves out: define, template, block, break, continue; complex numbers.
 */
import { CommandError } from "../environment.ts";
import { declaration, type Scope } from "./go-expression.ts";
import { isTrue, printed } from "./go-functions.ts";

/** What comes of `template` for `data`. */
export function goTemplate(template: string, data: unknown): string {
  try {
    const parts = partsOf(template);
    const { nodes } = parseBlock(parts, { at: 0 }, false);
    const root: Scope = new Map([["$", data]]);
    return nodes.map((node) => node(data, root)).join("");
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CommandError(
      `error parsing template ${template}, template: output:1: ${error.message}`,
    );
  }
}

type Node = (dot: unknown, scope: Scope) => string;

interface Part {
  readonly text: string;
  readonly isAction: boolean;
}

/** Text and actions; `{{-` and `-}}` eat the blanks beside them. */
function partsOf(template: string): Part[] {
  const parts: Part[] = [];
  let rest = template;
  let trim = false;
  for (;;) {
    const start = rest.indexOf("{{");
    const action = rest.slice(start);
    const eats = start >= 0 && /^\{\{-\s/.test(action);
    let text = start < 0 ? rest : rest.slice(0, start);
    if (trim) text = text.trimStart();
    parts.push({ text: eats ? text.trimEnd() : text, isAction: false });
    if (start < 0) return parts;
    const match =
      /^\{\{(?:-\s)?((?:"(?:\\.|[^"\\])*"|`[^`]*`|(?!\}\}).)*?)(\s-)?\}\}/s.exec(
        action,
      );
    if (!match) throw new SyntaxError("unclosed action");
    trim = match[2] !== undefined;
    parts.push({ text: match[1]!.trim(), isAction: true });
    rest = action.slice(match[0].length);
  }
}

interface Block {
  readonly nodes: readonly Node[];
  /** `end`, `else`, `else if …`; "" at the end of the template. */
  readonly ended: string;
}

function parseBlock(
  parts: readonly Part[],
  cursor: { at: number },
  inner: boolean,
): Block {
  const nodes: Node[] = [];
  while (cursor.at < parts.length) {
    const { text, isAction } = parts[cursor.at++]!;
    if (!isAction) nodes.push(() => text);
    else if (/^(end|else)\b/.test(text)) {
      if (inner) return { nodes, ended: text };
      throw new SyntaxError(`unexpected {{${text}}}`);
    } else if (/^(if|range|with)\b/.test(text))
      nodes.push(control(text, parts, cursor));
    else if (!/^\/\*/.test(text)) nodes.push(output(text));
  }
  if (inner) throw new SyntaxError("unexpected EOF");
  return { nodes, ended: "" };
}

function output(text: string): Node {
  const { names, expression } = declaration(text);
  return (dot, scope) => {
    const value = expression(dot, scope);
    for (const name of names) scope.set(name, value);
    return names.length > 0 ? "" : printed(value);
  };
}

function control(
  text: string,
  parts: readonly Part[],
  cursor: { at: number },
): Node {
  const [, word = "", rest = ""] = /^(\w+)\s*(.*)$/s.exec(text) ?? [];
  const { names, expression } = declaration(rest);
  const body = parseBlock(parts, cursor, true);
  const other = elseOf(body.ended, parts, cursor);
  const run = (nodes: readonly Node[], dot: unknown, scope: Scope) =>
    nodes.map((node) => node(dot, scope)).join("");
  return (dot, outer) => {
    const scope = new Map(outer);
    const value = expression(dot, scope);
    if (word === "range") {
      const pairs = pairsOf(value);
      if (pairs.length === 0) return run(other, dot, scope);
      return pairs
        .map(([key, item]) => {
          const inside = new Map(scope);
          for (const [i, name] of names.entries())
            inside.set(name, i === names.length - 1 ? item : key);
          return run(body.nodes, item, inside);
        })
        .join("");
    }
    for (const name of names) scope.set(name, value);
    if (!isTrue(value)) return run(other, dot, scope);
    return run(body.nodes, word === "with" ? value : dot, scope);
  };
}

/** `{{else}}…{{end}}`, or a whole `{{else if …}}`. */
function elseOf(
  ended: string,
  parts: readonly Part[],
  cursor: { at: number },
): readonly Node[] {
  if (ended === "end") return [];
  const more = ended.slice("else".length).trim();
  if (more !== "") return [control(more, parts, cursor)];
  return parseBlock(parts, cursor, true).nodes;
}

/** Items with their place; of a map in order of its keys. */
function pairsOf(value: unknown): [unknown, unknown][] {
  if (Array.isArray(value)) return [...value.entries()];
  if (typeof value === "number")
    return [...Array(value).keys()].map((i) => [i, i]);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
