/**
 * Reads a value that stands on the line of its key or dash.
 * Models:     yaml_parser_parse_node of go.yaml.in/yaml/v2
 */
import type { Json } from "../types.ts";
import { blockScalar } from "./block-scalar.ts";
import type { Builder } from "./builder.ts";
import type { Cursor } from "./cursor.ts";
import { NEWLINE } from "./cursor.ts";
import { YamlError } from "./error.ts";
import { flowNode } from "./flow.ts";
import { isReserved } from "./key.ts";
import { aliasName } from "./node.ts";
import { doubleQuoted, plainScalar, singleQuoted } from "./scalars.ts";

/** A scalar, a flow collection or an alias; nothing may follow on its line. */
export function inlineValue(
  cursor: Cursor,
  builder: Builder,
  indent: number,
  tag: string,
): Json {
  const start = cursor.pos;
  const char = cursor.char();
  let value: Json;
  if (char === "|" || char === ">")
    return builder.text(blockScalar(cursor, indent), tag, start);
  if (char === "[" || char === "{") value = flowNode(cursor, builder);
  else if (char === '"') value = builder.text(doubleQuoted(cursor), tag, start);
  else if (char === "'") value = builder.text(singleQuoted(cursor), tag, start);
  else if (char === "*") value = builder.alias(aliasName(cursor), start);
  else if (isReserved(char) || isStrayIndicator(cursor)) {
    throw new YamlError("badCharacter", start, { character: char });
  } else value = builder.plain(plainScalar(cursor, indent, false), tag, start);
  if (cursor.restIsEmpty() || cursor.peek() === NEWLINE) return value;
  return refuseRest(cursor);
}

/** Something follows where the value is over. */
export function refuseRest(cursor: Cursor): never {
  const isColon = cursor.char() === ":" && cursor.blankAt(1);
  throw new YamlError(isColon ? "mappingValues" : "expectedKey", cursor.pos);
}

/** `]`, `}` and `,` begin no scalar. */
function isStrayIndicator(cursor: Cursor): boolean {
  const closes = ",]}".includes(cursor.char());
  return closes || (cursor.char() === ":" && cursor.blankAt(1));
}
