/**
 * The fields of every kind, from a text that names each once. From this text
 * come decoding, defaults, unknown fields, merge keys and OpenAPI.
 *
 * A line is a struct of the API: its name (`~`: replaced as a whole when
 * applied), then its fields in upstream's order, each
 *
 *     name  mode  :type  merging  listType  =default
 *
 * mode       nothing: left out when empty (omitempty); `*` a pointer, kept
 *            when empty; `!` required, written even when empty; `+` written
 *            even when empty, but not required; `%` a required pointer.
 * type       absent or `s` string, `i` int32, `l` int64, `f` double, `b` bool,
 *            `q` quantity, `o` int or string, `t` time, `m` micro time,
 *            `y` bytes, `r` any JSON; a struct's name; `[T` list, `{T` map.
 * merging    `@key` strategic merge by that key (`@` alone: a list of plain
 *            values), `&` retainKeys, `|` an object replaced as a whole.
 * listType   `#a,b` a map with these keys, `#` a set, `~` atomic.
 * default    written when the field is absent (defaults.go of the group).
 *
 * Models: staging/src/k8s.io/api, struct tags and markers @ v1.36
 */
import type { Json } from "./types.ts";

export interface TypeRef {
  readonly shape: "plain" | "list" | "map";
  /** One letter of the notation, or the name of a struct. */
  readonly name: string;
  /** What a list or a map holds. */
  readonly of?: TypeRef;
}

export interface Field {
  readonly name: string;
  readonly mode: "" | "*" | "!" | "+" | "%";
  readonly type: TypeRef;
  /** Absent: no strategic merge of this list. "": a list of plain values. */
  readonly patchMergeKey?: string;
  readonly retainKeys: boolean;
  /** A strategic patch replaces the object instead of merging into it. */
  readonly replaces: boolean;
  readonly listType?: "atomic" | "set" | "map";
  readonly listMapKeys: readonly string[];
  readonly default?: Json;
}

export interface Struct {
  readonly name: string;
  /** The name that upstream's error texts say. */
  readonly goName: string;
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, Field>;
}

/** The package that the structs of a schema text are of, and the text. */
export type SchemaText = readonly [home: string, text: () => string];

/** Structs by name; a text is parsed when one of its structs is first asked. */
export class Schemas {
  private readonly lines = new Map<string, string>();
  private readonly homes = new Map<string, string>();
  private readonly parsed = new Map<string, Struct>();
  /** Texts that no struct was looked for in yet, in order. */
  private readonly unread: SchemaText[];

  /** `texts` are looked in in order, each when its turn comes. */
  constructor(texts: readonly SchemaText[] = []) {
    this.unread = [...texts];
  }

  /** `home` names the package that the structs of a text are of. */
  add(text: string, home = ""): void {
    for (const line of text.trim().replace(/\n\s+/g, " ").split("\n")) {
      const name = /^\w+/.exec(line)?.[0] ?? line;
      this.lines.set(name, line);
      this.homes.set(name, home);
    }
  }

  /** `meta`, `core`, `custom`, or "" for a struct of its kind's own group. */
  homeOf(name: string): string {
    this.lineOf(name);
    return this.homes.get(name) ?? "";
  }

  names(): readonly string[] {
    while (this.readNext());
    return [...this.lines.keys()];
  }

  private lineOf(name: string): string | undefined {
    while (!this.lines.has(name) && this.readNext());
    return this.lines.get(name);
  }

  private readNext(): boolean {
    const next = this.unread.shift();
    if (next) this.add(next[1](), next[0]);
    return next !== undefined;
  }

  /** Throws if there is no such struct: a mistake in a schema text. */
  struct(name: string): Struct {
    const known = this.parsed.get(name);
    if (known) return known;
    const line = this.lineOf(name);
    if (!line) throw new Error(`schema: no struct ${name}`);
    const struct = parseStruct(line);
    this.parsed.set(name, struct);
    return struct;
  }
}

function parseStruct(line: string): Struct {
  const [head = "", ...tokens] = line.split(" ");
  const atomic = head.endsWith("~");
  const [name = "", goName = name] = head.replace("~", "").split("/");
  const fields = new Map<string, Field>();
  if (hasTypeMeta(name, tokens)) tokens.unshift("kind", "apiVersion");
  for (const token of tokens) {
    const field = parseField(token);
    fields.set(field.name, field);
  }
  return Object.freeze({ name, goName, atomic, fields });
}

/** Whole objects say their kind; the metadata inside a template does not. */
function hasTypeMeta(name: string, tokens: readonly string[]): boolean {
  const whole = tokens.some((token) => token.endsWith(":ObjectMeta"));
  return whole && !/TemplateSpec$|ClaimTemplate$/.test(name);
}

const fieldForm =
  /^([\w$-]+)([*!%+]?)(?::([[{]*\w+))?([&|]?)(?:@(\w*))?(?:#([\w,]*)|(~))?(?:=(.*))?$/;

function parseField(token: string): Field {
  const m = fieldForm.exec(token);
  if (!m) throw new Error(`schema: cannot read ${token}`);
  const [, name = "", mode = "", type = "s", retain, merge, keys, tilde] = m;
  const parsedType = parseType(type);
  const listMapKeys = keys ? keys.split(",") : [];
  return Object.freeze({
    name,
    mode: mode as Field["mode"],
    type: parsedType,
    patchMergeKey: merge,
    retainKeys: retain === "&",
    replaces: retain === "|",
    listType: tilde
      ? "atomic"
      : keys === undefined
        ? undefined
        : keys
          ? "map"
          : "set",
    listMapKeys,
    default: m[8] === undefined ? undefined : parseDefault(m[8], parsedType),
  });
}

function parseType(text: string): TypeRef {
  if (text.startsWith("["))
    return { shape: "list", name: "", of: parseType(text.slice(1)) };
  if (text.startsWith("{"))
    return { shape: "map", name: "", of: parseType(text.slice(1)) };
  return { shape: "plain", name: text };
}

function parseDefault(text: string, type: TypeRef): Json {
  return type.name === "s" ? text : JSON.parse(text);
}
