/**
 * Finds and reads the keys of block mappings.
 * Models:     simple keys of go.yaml.in/yaml/v2 scannerc.go
 */
import type { Json } from "../types.ts";
import type { Builder } from "./builder.ts";
import type { Cursor } from "./cursor.ts";
import { YamlError } from "./error.ts";
import { aliasName, properties } from "./node.ts";
import { doubleQuoted, plainOnLine, singleQuoted } from "./scalars.ts";

/** Characters that YAML keeps for later: nothing plain begins with them. */
export function isReserved(char: string): boolean {
  return char === "@" || char === "`" || char === "%";
}

/** Whether a key and a colon begin here. Does not move. */
export function isKeyAt(cursor: Cursor): boolean {
  const { pos, lineStart } = cursor;
  const explicit = cursor.char() === "?" && cursor.blankAt(1);
  const found = explicit || skipsKey(cursor);
  cursor.pos = pos;
  cursor.lineStart = lineStart;
  return found;
}

function skipsKey(cursor: Cursor): boolean {
  const { lineStart } = cursor;
  const char = cursor.char();
  if (char === '"') doubleQuoted(cursor);
  else if (char === "'") singleQuoted(cursor);
  else if (char === "*") aliasName(cursor);
  else if (char !== "" && "[{|>".includes(char)) return false;
  else plainOnLine(cursor, false);
  if (cursor.lineStart !== lineStart) return false;
  cursor.skipSpaces();
  return cursor.char() === ":" && cursor.blankAt(1);
}

/** The key at the cursor; moves to what should be its colon. */
export function keyAt(cursor: Cursor, builder: Builder): Json {
  const start = cursor.pos;
  const { tag, anchor } = properties(cursor);
  const key = builder.node({ tag, anchor }, start, () => {
    const at = cursor.pos;
    const char = cursor.char();
    if (char === '"') return builder.text(doubleQuoted(cursor), tag, at);
    if (char === "'") return builder.text(singleQuoted(cursor), tag, at);
    if (char === "*") return builder.alias(aliasName(cursor), at);
    if (isReserved(char))
      throw new YamlError("badCharacter", at, { character: char });
    return builder.plain(plainOnLine(cursor, false), tag, at);
  });
  cursor.skipSpaces();
  return key;
}
