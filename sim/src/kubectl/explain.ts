/**
 * kubectl explain: what a field means, from the server's own schema.
 * Models:     kubectl/pkg/explain/v2/templates/plaintext.tmpl @ v1.36
 */
import type { Kind } from "../api/kinds/definition.ts";
import { describeField } from "../api/schema/descriptions.ts";
import { enumOf } from "../api/schema/enums.ts";
import type { Field, Schemas, Struct, TypeRef } from "../api/schema.ts";
import { flags, parseArgs } from "./args.ts";
import {
  type Command,
  CommandError,
  type Environment,
  PlainError,
} from "./environment.ts";

const FLAGS = flags("recursive api-version:value output:value");
const WIDTH = 80;

const PLAIN: { readonly [letter: string]: string } = {
  s: "string",
  q: "Quantity",
  o: "IntOrString",
  b: "boolean",
  i: "integer",
  l: "integer",
  f: "number",
  t: "string",
  m: "string",
  y: "string",
  r: "Object",
};

export const explain: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  const format = args.get("output") ?? "plaintext";
  if (!["plaintext", "plaintext-openapiv2"].includes(format))
    throw new CommandError(`unrecognized format: ${format}`);
  const [word, ...more] = args.words;
  if (word === undefined || more.length > 0) {
    throw new CommandError(
      word === undefined
        ? 'You must specify the type of resource to explain. Use "kubectl api-resources" for a complete list of supported resources.'
        : "We accept only this format: explain RESOURCE",
    );
  }
  const [type = "", ...path] = partsOf(word, env);
  const kind = kindOf(type, args.get("api-version"), env);
  env.out(textOf(kind, path, env, args.on("recursive")));
  return 0;
};

/** `deployments.apps.spec`: the whole name may have its group. */
function partsOf(word: string, env: Environment): readonly string[] {
  const parts = word.split(".").filter(Boolean);
  const [first = "", ...path] = parts;
  const kind = env.kinds.byName(first);
  if (kind?.resource !== first || kind.group === "") return parts;
  const group = kind.group.split(".");
  const isNamed = group.every((part, i) => path[i] === part);
  return isNamed ? [first, ...path.slice(group.length)] : parts;
}

function kindOf(
  type: string,
  apiVersion: string | undefined,
  env: Environment,
): Kind {
  const kind = env.kinds.byName(type);
  if (!kind)
    throw new PlainError(`the server doesn't have a resource type "${type}"`);
  if (apiVersion === undefined) return kind;
  const found = env.kinds.kindOf(apiVersion, kind.kind);
  if (found) return found;
  const groupVersion = apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
  throw new CommandError(
    `couldn't find resource for "${groupVersion}, Resource=${kind.resource}"`,
  );
}

function textOf(
  kind: Kind,
  path: readonly string[],
  env: Environment,
  recursive: boolean,
): string {
  const { schemas } = env.kinds;
  const lines: string[] = [];
  if (kind.group) lines.push(`GROUP:      ${kind.group}`);
  lines.push(`KIND:       ${kind.kind}`, `VERSION:    ${kind.version}`, "");
  let struct: Struct | undefined = schemas.struct(kind.struct);
  let owner: Struct | undefined;
  let field: Field | undefined;
  for (const name of path) {
    owner = struct;
    field = struct?.fields.get(name);
    if (!field) {
      env.out(lines.join("\n"));
      throw new CommandError(`field "${path.at(-1)}" does not exist`);
    }
    struct = structOf(field.type, schemas);
  }
  if (field && owner) {
    lines.push(`FIELD: ${field.name} <${typeText(field.type)}>`);
    const values = enumOf(owner.name, field.name);
    if (values) lines.push("ENUM:", ...values.map((value) => `    ${value}`));
    lines.push(...(values ? [""] : ["", ""]));
  }
  const about = field && owner ? describeField(owner.name, field.name) : "";
  lines.push("DESCRIPTION:", ...described(about, 4));
  if (about) lines.push("    ");
  if (!struct) return [...lines, ""].join("\n");
  lines.push("FIELDS:");
  lines.push(...fieldLines(struct, schemas, recursive, 1), "");
  return lines.join("\n");
}

function structOf(type: TypeRef, schemas: Schemas): Struct | undefined {
  if (type.of) return structOf(type.of, schemas);
  return PLAIN[type.name] ? undefined : schemas.struct(type.name);
}

/** `[]Container`, `map[string]string`. */
function typeText(type: TypeRef): string {
  if (type.shape === "list") return `[]${typeText(type.of ?? type)}`;
  if (type.shape === "map") return `map[string]${typeText(type.of ?? type)}`;
  return PLAIN[type.name] ?? type.name;
}

function fieldLines(
  struct: Struct,
  schemas: Schemas,
  recursive: boolean,
  level: number,
): string[] {
  const indent = "  ".repeat(level);
  const fields = [...struct.fields.values()].toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  return fields.flatMap((field) => {
    const needed = field.mode === "!" || field.mode === "%";
    const required = needed ? " -required-" : "";
    const head = `${indent}${field.name}\t<${typeText(field.type)}>${required}`;
    const values = enumOf(struct.name, field.name);
    const among = values ? [`${indent}enum: ${some(values)}`] : [];
    if (recursive) {
      const inner = structOf(field.type, schemas);
      const deeper = inner && level < 12;
      return [
        head,
        ...among,
        ...(deeper ? fieldLines(inner, schemas, true, level + 1) : []),
      ];
    }
    const about = describeField(struct.name, field.name);
    return [head, ...among, ...described(about, 4, "<no description>"), ""];
  });
}

/** The first four values. */
function some(values: readonly string[]): string {
  const shown = values.slice(0, 4).join(", ");
  return values.length > 4 ? `${shown}, ....` : shown;
}

/** Wrapped to the width of a terminal; lists keep their lines. */
function described(
  text: string | undefined,
  indent: number,
  none = "<empty>",
): string[] {
  const pad = " ".repeat(indent);
  if (!text) return [`${pad}${none}`];
  return text
    .split("\n")
    .flatMap((line) => wrap(line, WIDTH - indent).map((part) => pad + part));
}

function wrap(line: string, width: number): string[] {
  if (line.startsWith(" ") || line.length <= width) return [line];
  const lines: string[] = [];
  let now = "";
  for (const word of line.split(" ")) {
    if (now !== "" && now.length + 1 + word.length > width) {
      lines.push(now);
      now = word;
    } else now = now === "" ? word : `${now} ${word}`;
  }
  return [...lines, now];
}
