/**
 * Objects as text: YAML, JSON, names, JSONPath, templates, columns
 * of one's own.
 * Models:     cli-runtime/pkg/genericclioptions/print_flags.go,
 *             cli-runtime/pkg/printers, kubectl/pkg/cmd/get/customcolumn.go @ v1.36
 * Leaves out: kyaml, templates in files.
 */
import { goSortedJson, goValue } from "../../api/go-text.ts";
import type { Kind } from "../../api/kinds/definition.ts";
import type { Json, KubeObject } from "../../api/types.ts";
import { stringify } from "../../api/yaml.ts";
import type { Args } from "../args.ts";
import { CommandError, type Environment } from "../environment.ts";
import type { Found } from "../find.ts";
import { jsonOf } from "../objects.ts";
import { goTemplate } from "./go-template.ts";
import { findAll, jsonPath } from "./jsonpath.ts";
import { kindPrefix } from "./table.ts";
import { align, tableTabs } from "./tabs.ts";

/** `deployment.apps/web` */
export function nameOf(kind: Kind, object: KubeObject): string {
  return `${kindPrefix(kind)}/${object.metadata.name}`;
}

/** Prints objects; several as a List where the format is of one document. */
export type ObjectPrinter = (items: readonly Found[], one: boolean) => string;

const TEMPLATES = /^(jsonpath|jsonpath-as-json|go-template|template)$/;

/** Formats of the objects themselves; `get` has those of tables besides. */
export const OBJECT_FORMATS = [
  ...["go-template", "go-template-file", "json", "jsonpath"],
  ...["jsonpath-as-json", "jsonpath-file", "kyaml", "name", "template"],
  ...["templatefile", "yaml"],
];

const FORMATS = [
  ...["custom-columns", "custom-columns-file", "wide"],
  ...OBJECT_FORMATS,
].toSorted();

/** The printer that `-o` names; undefined if a table was meant. */
export function printerFor(args: Args): ObjectPrinter | undefined {
  const output = args.get("output") ?? "";
  if (output === "" || output === "wide") return undefined;
  const [format = "", spec] = output.split(/=(.*)/s);
  const keep = args.on("show-managed-fields");
  const whole = (items: readonly Found[], one: boolean): Json => {
    const cleaned = items.map(({ object }) => clean(object, keep));
    if (one) return cleaned[0];
    const metadata = { resourceVersion: "" };
    return { apiVersion: "v1", items: cleaned, kind: "List", metadata };
  };
  const template = spec ?? args.get("template") ?? "";
  if (TEMPLATES.test(format) && template === "")
    throw new CommandError("template format specified but no template given");
  switch (format) {
    case "yaml":
      return (items, one) => stringify(whole(items, one));
    case "json":
      return (items, one) => `${goSortedJson(whole(items, one), 4)}\n`;
    case "name":
      return (items) =>
        items.map(({ kind, object }) => `${nameOf(kind, object)}\n`).join("");
    case "jsonpath":
      return (items, one) => jsonPath(template, whole(items, one));
    case "jsonpath-as-json":
      return (items, one) => {
        const found = findAll(bare(template), whole(items, one));
        return `${goSortedJson(found, 4)}\n`;
      };
    case "go-template":
    case "template":
      return (items, one) => goTemplate(template, whole(items, one));
    case "custom-columns":
      return (items) => ownColumns(spec ?? "", items, args.on("no-headers"));
  }
  throw noPrinter(output, FORMATS);
}

export function noPrinter(
  output: string,
  allowed: readonly string[],
): CommandError {
  return new CommandError(
    `unable to match a printer suitable for the output format "${output}", ` +
      `allowed formats are: ${allowed.join(",")}`,
  );
}

/** `{.a.b}` without its braces. */
function bare(path: string): string {
  return path.replace(/^\{(.*)\}$/s, "$1");
}

function clean(object: KubeObject, keepManaged: boolean): Json {
  const { managedFields, ...metadata } = object.metadata;
  const kept = keepManaged && managedFields ? { managedFields } : {};
  return jsonOf({ ...object, metadata: { ...metadata, ...kept } });
}

/** `NAME:.metadata.name,NODE:.spec.nodeName` */
function ownColumns(
  spec: string,
  items: readonly Found[],
  noHeaders: boolean,
): string {
  if (spec === "") {
    throw new CommandError(
      "custom-columns format specified but no custom columns given",
    );
  }
  const columns = spec.split(",").map((part) => {
    const [head = "", path] = part.split(/:(.*)/s);
    if (path === undefined) {
      throw new CommandError(
        `unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`,
      );
    }
    return { head, path: bare(path) };
  });
  const rows = items.map(({ object }) =>
    columns.map(({ path }) => {
      const found = findAll(path.startsWith(".") ? path : `.${path}`, object);
      return found.map(goValue).join(",") || "<none>";
    }),
  );
  if (!noHeaders) rows.unshift(columns.map(({ head }) => head));
  const text = rows.map((row) => row.join("\t")).join("\n");
  return `${align(text, tableTabs())}\n`;
}

/** Prints text that ends its own lines. */
export function printText(text: string, env: Environment): void {
  if (text !== "") env.out(text.replace(/\n$/, ""));
}
