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
import { oldText } from "./explain/old.ts";
import { PLAIN, structOf } from "./explain/types.ts";

const FLAGS = flags("recursive api-version:value output:value");
const WIDTH = 80;

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
  const isOld = format !== "plaintext";
  const kind = kindOf(type, args.get("api-version"), env, isOld);
  if (isOld) {
    env.out(oldText(kind, path, env.kinds.schemas, args.on("recursive")));
    return 0;
  }
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
  isOld: boolean,
): Kind {
  const kind = env.kinds.byName(type);
  if (!kind)
    throw new PlainError(`the server doesn't have a resource type "${type}"`);
  if (apiVersion === undefined) return kind;
  const found = env.kinds.kindOf(apiVersion, kind.kind);
  if (found) return found;
  const groupVersion = apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
  const what = isOld ? `Kind=${kind.kind}` : `Resource=${kind.resource}`;
  throw new CommandError(
    `couldn't find resource for "${groupVersion}, ${what}"`,
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
    lines.push(`FIELD: ${field.name} <${typeText(field.type, schemas)}>`);
    const values = enumOf(owner.name, field.name);
    if (values)
      lines.push("ENUM:", ...values.map((value) => `    ${orEmpty(value)}`));
    lines.push(...(values ? [""] : ["", ""]));
  }
  const about = field && owner ? describeField(owner.name, field.name) : "";
  lines.push("DESCRIPTION:", ...described(about, 4));
  if (about) lines.push("    ");
  if (!struct) return [...lines, ""].join("\n");
  lines.push("FIELDS:");
  lines.push(...fieldLines(struct, { schemas, recursive, within: [] }), "");
  return lines.join("\n");
}

/** `[]Container`, `map[string]string`. */
function typeText(type: TypeRef, schemas: Schemas): string {
  const { shape, name, of = type } = type;
  if (shape === "list") return `[]${typeText(of, schemas)}`;
  if (shape === "map") return `map[string]${typeText(of, schemas)}`;
  return PLAIN[name] ?? schemas.struct(name).goName;
}

interface Nested {
  readonly schemas: Schemas;
  readonly recursive: boolean;
  /** Structs around it: none of them is gone into again. */
  readonly within: readonly Struct[];
}

function fieldLines(struct: Struct, nested: Nested): string[] {
  const { schemas, recursive, within } = nested;
  const indent = "  ".repeat(within.length + 1);
  const fields = [...struct.fields.values()].toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  return fields.flatMap((field) => {
    const needed = field.mode === "!" || field.mode === "%";
    const required = needed ? " -required-" : "";
    // The one field of any JSON whose type has a name.
    const type =
      field.name === "fieldsV1" ? "FieldsV1" : typeText(field.type, schemas);
    const head = `${indent}${field.name}\t<${type}>${required}`;
    const values = enumOf(struct.name, field.name);
    const among = values ? [`${indent}enum: ${some(values)}`] : [];
    if (recursive) {
      const inner = structOf(field.type, schemas);
      const deeper = inner && !within.includes(inner);
      const more = deeper ? { ...nested, within: [...within, inner] } : nested;
      return [head, ...among, ...(deeper ? fieldLines(inner, more) : [])];
    }
    const about = describeField(struct.name, field.name);
    return [head, ...among, ...described(about, 4, "<no description>"), ""];
  });
}

function orEmpty(value: string): string {
  return value === "" ? '""' : value;
}

/** The first four values. */
function some(values: readonly string[]): string {
  const shown = values.slice(0, 4).map(orEmpty).join(", ");
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
