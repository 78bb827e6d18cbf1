/**
 * kubectl explain --output plaintext-openapiv2: as explain was before 1.27.
 * Models:     kubectl/pkg/explain/{model_printer,formatter,field_lookup}.go
 * Leaves out: what a type is about, after what its field is.
 */
import type { Kind } from "../../api/kinds/definition.ts";
import { describeField } from "../../api/schema/descriptions.ts";
import type { Field, Schemas, Struct, TypeRef } from "../../api/schema.ts";
import { CommandError } from "../environment.ts";
import { PLAIN, structOf } from "./types.ts";

export function oldText(
  kind: Kind,
  path: readonly string[],
  schemas: Schemas,
  recursive: boolean,
): string {
  let struct: Struct | undefined = schemas.struct(kind.struct);
  let owner = struct;
  let field: Field | undefined;
  for (const name of path) {
    // What has no fields is taken for whatever is asked of it.
    if (!struct) break;
    owner = struct;
    field = struct.fields.get(name);
    if (!field) throw new CommandError(`field "${name}" does not exist`);
    struct = structOf(field.type, schemas);
  }
  const lines = [`KIND:     ${kind.kind}`, `VERSION:  ${kind.apiVersion}`, ""];
  if (field) {
    const what = struct ? "RESOURCE: " : "FIELD:    ";
    lines.push(`${what}${path.at(-1)} <${oldType(field.type)}>`, "");
  }
  const about = field ? describeField(owner.name, field.name) : "";
  lines.push("DESCRIPTION:", ...wrapped(about || "<empty>"));
  if (!struct) return lines.join("\n");
  lines.push("", "FIELDS:");
  const nested = { schemas, within: [] };
  if (recursive) lines.push(...namesIn(struct, nested, "   "));
  else lines.push(...fieldsIn(struct));
  return lines.join("\n");
}

function sorted({ fields }: Struct): Field[] {
  return [...fields.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function fieldsIn(struct: Struct): string[] {
  return sorted(struct).flatMap(({ name, type, mode }) => {
    const required = mode === "!" || mode === "%" ? " -required-" : "";
    const about = describeField(struct.name, name);
    const head = `   ${name}\t<${oldType(type)}>${required}`;
    return [head, ...(about ? wrapped(about) : []), ""];
  });
}

interface Nested {
  readonly schemas: Schemas;
  /** Structs around it: none of them is gone into again. */
  readonly within: readonly Struct[];
}

function namesIn(
  struct: Struct,
  { schemas, within }: Nested,
  indent: string,
): string[] {
  return sorted(struct).flatMap(({ name, type }) => {
    const head = `${indent}${name}\t<${oldType(type)}>`;
    const inner = structOf(type, schemas);
    if (!inner || within.includes(inner)) return [head];
    const nested = { schemas, within: [...within, inner] };
    return [head, ...namesIn(inner, nested, `${indent}   `)];
  });
}

/** Every struct is an Object; quantities and the like are strings. */
function oldType(type: TypeRef): string {
  if (type.shape === "list") return `[]${oldType(type.of ?? type)}`;
  if (type.shape === "map") return `map[string]${oldType(type.of ?? type)}`;
  if (type.name === "r") return "map[string]";
  if (type.name === "q" || type.name === "o") return "string";
  return PLAIN[type.name] ?? "Object";
}

/** 80 columns; lists, code and paragraphs keep their lines. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  let now = "";
  const flush = () => {
    if (now !== "") lines.push(now);
    now = "";
  };
  for (const line of text.split("\n")) {
    const isCode = line.startsWith("    ");
    const isGap = line.trim() === "" && lines.length > 0;
    const isItem = /^(?:\d+\.?|-|\*)\s/.test(line.trim());
    if (isCode || isGap || isItem || now.endsWith(":")) flush();
    if (isCode || isGap) {
      lines.push(isCode ? line : "");
      continue;
    }
    for (const word of line.split(/\s+/).filter(Boolean)) {
      if (now !== "" && now.length + 1 + word.length > 75) flush();
      now = now === "" ? word : `${now} ${word}`;
    }
  }
  flush();
  return lines.map((line) => (line === "" ? "" : `     ${line}`));
}
