/**
 * Columns of one's own: `-o custom-columns=NAME:.metadata.name`, or from a
 * file with a line of headers and a line of paths.
 * Models:     kubectl/pkg/cmd/get/customcolumn.go @ v1.36
 */
import { goValue } from "../../api/go-text.ts";
import { CommandError, type Environment } from "../environment.ts";
import type { Found } from "../find.ts";
import { finderOf, relaxed } from "./jsonpath.ts";
import { align, tableTabs } from "./tabs.ts";
import type { Format } from "./template-text.ts";

interface Column {
  readonly head: string;
  readonly path: string;
}

/** Prints rows; the headers stand above the first ones alone. */
export function columnsPrinter(
  format: Format,
  env: Environment,
  noHeaders: boolean,
): (items: readonly Found[]) => string {
  const fromFile = format.name === "custom-columns-file";
  const columns = fromFile
    ? fileColumns(format.template, env)
    : columnsOf(format.template);
  const paths = columns.map(({ path }) => finderOf(path));
  let headed = noHeaders && !fromFile;
  const remembered: number[] = [];
  return (items) => {
    const rows = items.map(({ object }) =>
      paths.map((find) => {
        const found = find(object);
        const none = (found[0] ?? []).length === 0 ? ["<none>"] : [];
        return [...none, ...found.flat().map(goValue)].join(",");
      }),
    );
    if (!headed) rows.unshift(columns.map(({ head }) => head));
    headed = true;
    const text = rows.map((row) => row.join("\t")).join("\n");
    return `${align(text, tableTabs(remembered))}\n`;
  };
}

function columnsOf(spec: string): Column[] {
  if (spec === "") throw noColumns();
  return spec.split(",").map((part) => {
    const [head = "", path] = part.split(/:(.*)/s);
    if (path !== undefined) return { head, path: relaxed(path) };
    throw new CommandError(
      `unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`,
    );
  });
}

function noColumns(): CommandError {
  return new CommandError(
    "custom-columns format specified but no custom columns given",
  );
}

function fileColumns(file: string, { files }: Environment): Column[] {
  if (file === "") throw noColumns();
  const text = files[file];
  if (text === undefined)
    throw new CommandError(
      `error reading template ${file}, open ${file}: no such file or directory`,
    );
  const lines = text.replace(/\n$/, "").split("\n");
  const words = (line = "") => line.split(/\s+/).filter(Boolean);
  for (const [i, what] of ["header", "spec"].entries())
    if (text === "" || lines[i] === undefined)
      throw new CommandError(
        `invalid template, missing ${what} line. Expected format is one line ` +
          "of space separated headers, one line of space separated column specs.",
      );
  const [heads, specs] = [words(lines[0]), words(lines[1])];
  if (heads.length !== specs.length)
    throw new CommandError(
      `number of headers (${heads.length}) and field specifications (${specs.length}) don't match`,
    );
  return heads.map((head, i) => ({ head, path: relaxed(specs[i]!) }));
}
