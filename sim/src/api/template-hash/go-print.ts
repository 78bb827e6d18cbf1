/**
 * Prints a JSON value as Go prints the struct that it decodes to.
 * Models:     github.com/davecgh/go-spew, %#v with keys sorted and methods
 *             off, as pkg/util/hash uses it @ v1.36
 * Leaves out: time zones: a template's times are not set.
 */
import type { Quantity } from "../quantity.ts";
import { parseQuantity } from "../quantity.ts";
import type { Json, JsonObject } from "../types.ts";
import { goTypes } from "./go-types.ts";
import { otherGoTypes } from "./go-types-others.ts";

interface GoField {
  readonly name: string;
  readonly json: string;
  readonly type: string;
  readonly embedded: boolean;
}

type Structs = ReadonlyMap<string, readonly GoField[]>;

/** The structs by name, the rarer ones only once one of them is met. */
class Table {
  private structs = parseGoTypes(goTypes);
  private isWhole = false;

  /** Undefined for a type that is no struct. */
  fieldsOf(
    type: string,
    value: Json | undefined,
  ): readonly GoField[] | undefined {
    const fields = this.structs.get(type);
    // What is no object is plain: the first text names all structs that it
    // holds by value, and those alone are printed when there is nothing.
    if (fields || this.isWhole || !isObject(value)) return fields;
    this.structs = new Map([...this.structs, ...parseGoTypes(otherGoTypes)]);
    this.isWhole = true;
    return this.structs.get(type);
  }
}

let table: Table | undefined;

/** The text of a v1.PodTemplateSpec, as upstream hashes it. */
export function printTemplate(template: JsonObject): string {
  table ??= new Table();
  return `(v1.PodTemplateSpec)${bare("PodTemplateSpec", template, table)}`;
}

/** `(type)value`; a nil pointer, list or map prints as <nil>. */
function typed(type: string, value: Json | undefined, table: Table): string {
  const pointer = type.startsWith("*");
  const prefix = `(${qualified(type)})`;
  if (pointer && absent(value)) return `${prefix}<nil>`;
  return prefix + bare(pointer ? type.slice(1) : type, value, table);
}

/** The value alone, as it stands in lists and maps. */
function bare(type: string, value: Json | undefined, table: Table): string {
  if (type.startsWith("[]")) {
    if (!Array.isArray(value)) return "<nil>";
    const items = value.map((item: Json) => bare(type.slice(2), item, table));
    return `[${items.join(" ")}]`;
  }
  if (type === "map[string]string") return printMap("string", value, table);
  if (type === "ResourceList")
    return printMap("resource.Quantity", value, table);
  const fields = table.fieldsOf(type, value);
  if (fields) return printStruct(fields, objectOf(value), table);
  return printPlain(type, value);
}

function printPlain(type: string, value: Json | undefined): string {
  switch (type) {
    case "bool":
      return String(value ?? false);
    case "int32":
    case "int64":
      return String(value ?? 0);
    case "Time":
      return "{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}";
    case "intstr.IntOrString":
      return printIntOrString(value);
    case "resource.Quantity":
      return printQuantity(
        absent(value) ? undefined : parseQuantity(String(value).trim()),
      );
    default:
      return String(value ?? "");
  }
}

function printStruct(
  fields: readonly GoField[],
  value: JsonObject,
  table: Table,
): string {
  const printed = fields.map(({ name, json, type, embedded }) => {
    const child = embedded ? value : value[json];
    return `${name}:${typed(type, child, table)}`;
  });
  return `{${printed.join(" ")}}`;
}

function printMap(type: string, value: Json | undefined, table: Table): string {
  if (absent(value)) return "<nil>";
  const entries = Object.entries(objectOf(value)).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const printed = entries.map(
    ([key, child]) => `${key}:${bare(type, child, table)}`,
  );
  return `map[${printed.join(" ")}]`;
}

function printIntOrString(value: Json | undefined): string {
  const isText = typeof value === "string";
  const number = typeof value === "number" ? value : 0;
  return `{Type:(intstr.Type)${isText ? 1 : 0} IntVal:(int32)${number} StrVal:(string)${isText ? value : ""}}`;
}

function printQuantity(quantity: Quantity | undefined): string {
  const {
    unscaled = 0n,
    exponent = 0,
    format = "",
    text = "",
    big = false,
  } = quantity ?? {};
  const [value, scale] = big ? [0n, 0] : [unscaled, exponent];
  const int = `i:(resource.int64Amount){value:(int64)${value} scale:(resource.Scale)${scale}}`;
  const dec = big ? printDec(unscaled, exponent) : "<nil>";
  return `{${int} d:(resource.infDecAmount){Dec:(*inf.Dec)${dec}} s:(string)${text} Format:(resource.Format)${format}}`;
}

/** An inf.Dec: the magnitude in 64-bit words, the lowest first. */
function printDec(unscaled: bigint, exponent: number): string {
  const words: bigint[] = [];
  let rest = unscaled < 0n ? -unscaled : unscaled;
  for (; rest > 0n; rest >>= 64n) words.push(BigInt.asUintN(64, rest));
  const abs = words.length > 0 ? `[${words.join(" ")}]` : "<nil>";
  return `{unscaled:(big.Int){neg:(bool)${unscaled < 0n} abs:(big.nat)${abs}} scale:(inf.Scale)${-exponent}}`;
}

const builtIn = /^(string|bool|int32|int64|map\[.*)$/;

/** "[]Volume" is "[]v1.Volume" in Go's own words. */
function qualified(type: string): string {
  const [, prefix = "", name = ""] = /^(\*|\[\])?(.*)$/.exec(type) ?? [];
  const known = builtIn.test(name) || name.includes(".");
  return known ? type : `${prefix}v1.${name}`;
}

/** Structs by name, from the notation of go-types.ts. */
export function parseGoTypes(text: string): Structs {
  const lines = text.trim().split("\n");
  return new Map(
    lines.map((line) => {
      const [name = "", ...fields] = line.split(" ");
      return [name, fields.map(parseField)];
    }),
  );
}

function parseField(word: string): GoField {
  if (word.startsWith("+")) {
    const name = word.slice(1);
    return { name, json: "", type: name, embedded: true };
  }
  const [left = "", type = "string"] = word.split(":");
  const [name = "", json = jsonName(name)] = left.split("=");
  return { name, json, type, embedded: false };
}

/** "DNSPolicy" is "dnsPolicy" in JSON, "UID" is "uid". */
function jsonName(name: string): string {
  return name.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+(?![a-z])|^[A-Z]/, (head) =>
    head.toLowerCase(),
  );
}

function absent(value: Json | undefined): value is null | undefined {
  return value === null || value === undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
