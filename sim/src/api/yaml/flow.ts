/**
 * Reads [lists] and {maps} written on a line, and with them JSON.
 * Models:     yaml_parser_parse_flow_* of go.yaml.in/yaml/v2
 */
import type { Json } from "../types.ts";
import type { Builder, MapBuilder } from "./builder.ts";
import type { Cursor } from "./cursor.ts";
import { YamlError } from "./error.ts";
import { aliasName, isMerge, keyOf, properties } from "./node.ts";
import { doubleQuoted, plainScalar, singleQuoted } from "./scalars.ts";

/** The flow node at the cursor: a collection, a scalar or an alias. */
export function flowNode(cursor: Cursor, builder: Builder): Json {
  const start = cursor.pos;
  const own = properties(cursor);
  cursor.skipInFlow();
  return builder.node(own, start, () => flowValue(cursor, builder, own.tag));
}

function flowValue(cursor: Cursor, builder: Builder, tag: string): Json {
  const start = cursor.pos;
  switch (cursor.char()) {
    case "[":
      return flowList(cursor, builder);
    case "{":
      return flowMap(cursor, builder);
    case '"':
      return builder.text(doubleQuoted(cursor), tag, start);
    case "'":
      return builder.text(singleQuoted(cursor), tag, start);
    case "*":
      return builder.alias(aliasName(cursor), start);
    case "@":
    case "`":
    case "%":
      throw new YamlError("badCharacter", start, { character: cursor.char() });
    default:
      return builder.plain(plainScalar(cursor, -1, true), tag, start);
  }
}

function flowList(cursor: Cursor, builder: Builder): Json {
  const start = cursor.pos;
  const items: Json[] = [];
  const offsets: number[] = [];
  cursor.pos++;
  for (;;) {
    cursor.skipInFlow();
    if (cursor.char() === "]") break;
    offsets.push(cursor.pos);
    items.push(flowItem(cursor, builder));
    cursor.skipInFlow();
    separator(cursor, "]", start);
  }
  cursor.pos++;
  return builder.list(items, offsets);
}

/** An item; `[a: b]` is a list of one map. */
function flowItem(cursor: Cursor, builder: Builder): Json {
  const start = cursor.pos;
  const { lineStart } = cursor;
  const value = flowNode(cursor, builder);
  cursor.skipInFlow();
  if (cursor.char() !== ":") return value;
  refuseLongKey(cursor, lineStart, "]");
  const map = builder.map();
  flowPair(cursor, builder, map, value, start);
  return map.finish();
}

function flowMap(cursor: Cursor, builder: Builder): Json {
  const start = cursor.pos;
  const map = builder.map();
  cursor.pos++;
  for (;;) {
    cursor.skipInFlow();
    if (cursor.char() === "}") break;
    if (cursor.char() === "?" && cursor.blankAt(1)) {
      cursor.pos++;
      cursor.skipInFlow();
    }
    const keyStart = cursor.pos;
    const { lineStart } = cursor;
    const key = cursor.char() === ":" ? null : flowNode(cursor, builder);
    cursor.skipInFlow();
    if (cursor.char() === ":") refuseLongKey(cursor, lineStart, "}");
    flowPair(cursor, builder, map, key, keyStart);
    cursor.skipInFlow();
    separator(cursor, "}", start);
  }
  cursor.pos++;
  return map.finish();
}

/** A key and its colon stand on one line. */
function refuseLongKey(cursor: Cursor, lineStart: number, close: string): void {
  if (cursor.lineStart === lineStart) return;
  throw new YamlError("expectedFlowEnd", cursor.pos, { close });
}

/** The value after a key; `{a}` is `{a: null}`. */
function flowPair(
  cursor: Cursor,
  builder: Builder,
  map: MapBuilder,
  key: Json,
  keyStart: number,
): void {
  let value: Json = null;
  let valueStart = cursor.pos;
  if (cursor.char() === ":") {
    cursor.pos++;
    cursor.skipInFlow();
    valueStart = cursor.pos;
    if (!",]}".includes(cursor.char())) value = flowNode(cursor, builder);
  }
  if (isMerge(cursor, key, keyStart)) map.merge(value, valueStart);
  else map.set(keyOf(key, keyStart), value, keyStart);
}

/** Past a comma; a closing bracket stays for the caller. */
function separator(cursor: Cursor, close: string, start: number): void {
  if (cursor.char() === ",") cursor.pos++;
  else if (cursor.atEnd || cursor.char() !== close) {
    const at = cursor.atEnd ? start : cursor.pos;
    throw new YamlError("expectedFlowEnd", at, { close }, cursor.pos);
  }
}
