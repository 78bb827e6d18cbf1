/**
 * What every node may begin with, and what may be a key.
 * Models:     yaml_parser_parse_node of go.yaml.in/yaml/v2;
 *             sigs.k8s.io/yaml for keys
 */
import type { Json } from "../types.ts";
import type { Properties } from "./builder.ts";
import { noProperties } from "./builder.ts";
import type { Cursor } from "./cursor.ts";
import { YamlError } from "./error.ts";

/** `!!str &name` in either order; moves past them and blanks after. */
export function properties(cursor: Cursor): Properties {
  let found = noProperties;
  for (;;) {
    const char = cursor.char();
    if (char !== "&" && char !== "!") return found;
    const form = char === "&" ? /&([\w-]+)/y : /(![^\s,[\]{}]*)/y;
    form.lastIndex = cursor.pos;
    const match = form.exec(cursor.text);
    if (!match)
      throw new YamlError("badCharacter", cursor.pos, { character: char });
    cursor.pos += match[0].length;
    const [, value = ""] = match;
    found =
      char === "&" ? { ...found, anchor: value } : { ...found, tag: value };
    cursor.skipSpaces();
  }
}

/** The name after `*`; moves past it. */
export function aliasName(cursor: Cursor): string {
  const name = /[\w-]+/y;
  name.lastIndex = cursor.pos + 1;
  const found = name.exec(cursor.text)?.[0];
  if (found === undefined)
    throw new YamlError("badCharacter", cursor.pos, { character: "*" });
  cursor.pos += 1 + found.length;
  return found;
}

/** A key as JSON has it: numbers and booleans become text. */
export function keyOf(key: Json, offset: number): string {
  if (typeof key === "string") return key;
  if (typeof key === "number" || typeof key === "boolean") return String(key);
  throw new YamlError("unsupportedKey", offset);
}

/** A bare `<<`; in quotes it is a key like any other. */
export function isMerge(cursor: Cursor, key: Json, offset: number): boolean {
  return key === "<<" && cursor.text.startsWith("<<", offset);
}
