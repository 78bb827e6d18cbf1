/**
 * Parses one YAML document, block by block.
 * Models:     go.yaml.in/yaml/v2 parserc.go, scannerc.go
 * Leaves out: %TAG, and collections as keys, which JSON cannot have.
 */
import type { Json } from "../types.ts";
import type { MapBuilder, Places } from "./builder.ts";
import { Builder, noProperties } from "./builder.ts";
import type { Cursor } from "./cursor.ts";
import { YamlError } from "./error.ts";
import { inlineValue, refuseRest } from "./inline.ts";
import { isKeyAt, isReserved, keyAt } from "./key.ts";
import { isMerge, keyOf, properties } from "./node.ts";
import { plainOnLine } from "./scalars.ts";

export class Parser {
  private readonly builder: Builder;
  private readonly cursor: Cursor;

  /** Fills `places`, if given, with where everything stands. */
  constructor(cursor: Cursor, places?: Map<object, Places>) {
    this.cursor = cursor;
    this.builder = new Builder(places);
  }

  /** The document's value; null if there is nothing. Throws YamlError. */
  parse(): Json {
    const { cursor } = this;
    cursor.skipToToken();
    if (cursor.atEnd) return null;
    const value = this.block(-1, false);
    cursor.skipToToken();
    if (cursor.atEnd) return value;
    return refuseRest(cursor);
  }

  /**
   * The node at the cursor, which stands deeper than `indent`; a list may
   * stand at `indent` itself where a key holds it.
   */
  private block(indent: number, listAtIndent: boolean): Json {
    const { cursor, builder } = this;
    const start = cursor.pos;
    const { column, lineStart } = cursor;
    const own = properties(cursor);
    const content = () => this.blockContent(indent, listAtIndent, own.tag);
    if (own === noProperties) return builder.node(own, start, content);
    if (cursor.restIsEmpty()) {
      cursor.skipToToken();
      const deeper = cursor.column > indent || (listAtIndent && this.isDash());
      const nothing = () => (own.tag === "!!str" ? "" : null);
      const isThere = deeper && !cursor.atEnd;
      return builder.node(own, start, isThere ? content : nothing);
    }
    if (!isKeyAt(cursor)) return builder.node(own, start, content);
    // They belong to the first key, not to the map.
    cursor.pos = start;
    cursor.lineStart = lineStart;
    return builder.node(noProperties, start, () => this.blockMap(column));
  }

  private blockContent(
    indent: number,
    listAtIndent: boolean,
    tag: string,
  ): Json {
    const { cursor } = this;
    const listColumn = listAtIndent ? indent - 1 : indent;
    if (this.isDash() && cursor.column > listColumn) {
      return this.blockList(cursor.column, indent);
    }
    if (isKeyAt(this.cursor)) return this.blockMap(cursor.column);
    return inlineValue(this.cursor, this.builder, indent, tag);
  }

  private isDash(): boolean {
    return this.cursor.char() === "-" && this.cursor.blankAt(1);
  }

  /** `indent` is that of the node that holds the list. */
  private blockList(column: number, indent: number): Json {
    const { cursor, builder } = this;
    const items: Json[] = [];
    const offsets: number[] = [];
    while (!cursor.atEnd && cursor.column === column && this.isDash()) {
      offsets.push(cursor.pos);
      cursor.pos++;
      items.push(this.valueAfter(column, false));
      cursor.skipToToken();
    }
    const beyond = cursor.column >= column && column > indent;
    if (!cursor.atEnd && beyond) this.refuseItem(column);
    return builder.list(items, offsets);
  }

  /** What stands where only another `-` may. */
  private refuseItem(column: number): never {
    const { cursor } = this;
    const at = cursor.pos;
    if (cursor.column > column || isKeyAt(this.cursor))
      throw new YamlError("expectedDash", at);
    return this.refuseKey();
  }

  private blockMap(column: number): Json {
    const { cursor, builder } = this;
    const map = builder.map();
    while (!cursor.atEnd && cursor.column === column) {
      if (this.isDash()) throw new YamlError("expectedKey", cursor.pos);
      this.entry(map, column);
      cursor.skipToToken();
    }
    if (!cursor.atEnd && cursor.column > column)
      throw new YamlError("expectedKey", cursor.pos);
    return map.finish();
  }

  /** A line in a map that is no key: upstream looks on for its colon. */
  private refuseKey(): never {
    const { cursor } = this;
    const at = cursor.pos;
    if (isReserved(cursor.char())) {
      throw new YamlError("badCharacter", at, { character: cursor.char() });
    }
    plainOnLine(cursor, false);
    this.noColon(at);
  }

  private noColon(keyStart: number): never {
    this.cursor.skipToToken();
    throw new YamlError("expectedColon", keyStart, {}, this.cursor.pos);
  }

  private entry(map: MapBuilder, column: number): void {
    const { cursor } = this;
    const keyStart = cursor.pos;
    const key = this.key(column);
    if (cursor.char() !== ":" || !cursor.blankAt(1)) this.noColon(keyStart);
    cursor.pos++;
    cursor.skipSpaces();
    const valueStart = cursor.restIsEmpty() ? keyStart : cursor.pos;
    const value = this.valueAfter(column, true);
    if (isMerge(cursor, key, keyStart)) map.merge(value, valueStart);
    else map.set(keyOf(key, keyStart), value, keyStart);
  }

  /** The key at the cursor; moves to its colon. */
  private key(column: number): Json {
    const { cursor } = this;
    if (cursor.char() !== "?" || !cursor.blankAt(1))
      return keyAt(cursor, this.builder);
    cursor.pos++;
    const key = this.valueAfter(column, false);
    cursor.skipToToken();
    return key;
  }

  /** The value after `key:` or `-`: on this line, or deeper below. */
  private valueAfter(indent: number, isMapValue: boolean): Json {
    const { cursor } = this;
    const { lineStart } = cursor;
    if (cursor.restIsEmpty()) {
      cursor.skipToToken();
      const deeper =
        cursor.column > indent ||
        (isMapValue && cursor.column === indent && this.isDash());
      return cursor.atEnd || !deeper ? null : this.block(indent, isMapValue);
    }
    if (!isMapValue) return this.block(indent, false);
    const start = cursor.pos;
    const own = properties(cursor);
    if (own !== noProperties && cursor.restIsEmpty()) {
      cursor.pos = start;
      cursor.lineStart = lineStart;
      return this.block(indent, true);
    }
    if (this.isDash()) throw new YamlError("misplacedDash", cursor.pos);
    return this.builder.node(own, start, () =>
      inlineValue(this.cursor, this.builder, indent, own.tag),
    );
  }
}
