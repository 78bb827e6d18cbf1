/**
 * Objects as text: YAML, JSON, names, JSONPath, templates, columns
 * of one's own.
 * Models:     cli-runtime/pkg/genericclioptions/print_flags.go,
 *             cli-runtime/pkg/printers @ v1.36
 */
import { goJson, goSortedJson } from "../../api/go-text.ts";
import type { Kind } from "../../api/kinds/definition.ts";
import type { Json, KubeObject } from "../../api/types.ts";
import { stringify, stringifyKyaml } from "../../api/yaml.ts";
import type { Args } from "../args.ts";
import { CommandError, type Environment } from "../environment.ts";
import type { Found } from "../find.ts";
import { jsonOf } from "../objects.ts";
import { columnsPrinter } from "./columns.ts";
import { goTemplate } from "./go-template.ts";
import { jsonPathPrinter } from "./jsonpath.ts";
import { kindPrefix } from "./table.ts";
import { formatOf, templateText } from "./template-text.ts";

/** `deployment.apps/web` */
export function nameOf(kind: Kind, object: KubeObject): string {
  return `${kindPrefix(kind)}/${object.metadata.name}`;
}

/**
 * Prints objects; several as a List where the format is of one document.
 * Fields stand in the order of the alphabet, unless `asGiven`.
 */
export type ObjectPrinter = (
  items: readonly Found[],
  one: boolean,
  asGiven?: boolean,
) => string;

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
export function printerFor(
  args: Args,
  env: Environment,
): ObjectPrinter | undefined {
  const format = formatOf(args);
  const { name } = format;
  if (name === "" || name === "wide") return undefined;
  const keep = args.on("show-managed-fields");
  const whole = (items: readonly Found[], one: boolean): Json =>
    wholeOf(items, one, keep);
  switch (name) {
    case "yaml":
      return (items, one) => stringify(whole(items, one));
    case "kyaml":
      return (items, one, asGiven) =>
        stringifyKyaml(whole(items, one), asGiven);
    case "json":
      return (items, one, asGiven) => {
        const write = asGiven ? goJson : goSortedJson;
        return `${write(whole(items, one), 4)}\n`;
      };
    case "name":
      return (items) =>
        items.map(({ kind, object }) => `${nameOf(kind, object)}\n`).join("");
    case "custom-columns":
    case "custom-columns-file":
      return columnsPrinter(format, env, args.on("no-headers"));
  }
  if (/^jsonpath(-file|-as-json)?$/.test(name)) {
    const print = jsonPathPrinter(templateText(format, env), {
      asJson: name === "jsonpath-as-json",
      allowMissing: args.get("allow-missing-template-keys") !== "false",
    });
    // Only YAML and JSON leave out who manages the fields.
    return (items, one) => print(wholeOf(items, one, true));
  }
  if (/^(go-template(-file)?|template(file)?)$/.test(name)) {
    const template = templateText(format, env);
    return (items, one) => goTemplate(template, wholeOf(items, one, true));
  }
  throw noPrinter(args.get("output") ?? "", FORMATS);
}

/** The same of a command that prints no tables; throws what it cannot print. */
export function objectPrinterFor(
  args: Args,
  env: Environment,
): ObjectPrinter | undefined {
  const { name } = formatOf(args);
  if (name === "" || OBJECT_FORMATS.includes(name))
    return printerFor(args, env);
  throw noPrinter(args.get("output") ?? "", OBJECT_FORMATS);
}

function wholeOf(items: readonly Found[], one: boolean, keep: boolean): Json {
  const cleaned = items.map(({ object }) => clean(object, keep));
  if (one) return cleaned[0];
  const metadata = { resourceVersion: "" };
  return { apiVersion: "v1", items: cleaned, kind: "List", metadata };
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

export function clean(object: KubeObject, keepManaged: boolean): Json {
  if (keepManaged || !object.metadata) return jsonOf(object);
  const { managedFields: _, ...metadata } = object.metadata;
  return jsonOf({ ...object, metadata });
}

/** Prints text that ends its own lines. */
export function printText(text: string, env: Environment): void {
  if (text !== "") env.out(text.replace(/\n$/, ""));
}
