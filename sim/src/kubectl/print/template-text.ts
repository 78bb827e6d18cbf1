/**
 * The template that `-o` and `--template` name: `-o jsonpath={.kind}`, or a
 * file of one.
 * Models:     cli-runtime/pkg/genericclioptions/{template,jsonpath}_flags.go,
 *             kubectl/pkg/cmd/get/customcolumn_flags.go @ v1.36
 */
import type { Args } from "../args.ts";
import { CommandError, type Environment } from "../environment.ts";

export interface Format {
  /** `jsonpath`, `custom-columns-file`, `yaml`. */
  readonly name: string;
  /** What stands after `=`, or in `--template`; "" if nothing does. */
  readonly template: string;
}

const FILES = ["go-template-file", "jsonpath-file", "templatefile"];

export function formatOf(args: Args): Format {
  const given = args.get("template") ?? "";
  const output = args.get("output") ?? "";
  if (given) return { name: output || "go-template", template: given };
  const [name = "", template = ""] = output.split(/=(.*)/s);
  // The formats that take no template may be written in capitals.
  const plain = /^(?:json|k?yaml|name)$/i.test(output);
  return { name: plain ? name.toLowerCase() : name, template };
}

/** The text of the template itself. */
export function templateText(
  { name, template }: Format,
  { files }: Environment,
): string {
  if (template === "")
    throw new CommandError("template format specified but no template given");
  if (!FILES.includes(name)) return template;
  const text = files[template];
  if (text !== undefined) return text;
  throw new CommandError(
    `error reading --template ${template}, open ${template}: no such file or directory`,
  );
}
