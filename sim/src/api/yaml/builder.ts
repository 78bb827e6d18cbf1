/**
 * Builds the values of a document and remembers where each stood.
 * Models:     go.yaml.in/yaml/v2 decode.go: anchors, merges, duplicate keys
 */
import type { Json, JsonObject } from "../types.ts";
import { YamlError } from "./error.ts";
import { numberOf, resolvePlain } from "./resolve.ts";

/** A tag and an anchor before a node, as written; "" if there is none. */
export interface Properties {
  readonly tag: string;
  readonly anchor: string;
}

export const noProperties: Properties = Object.freeze({ tag: "", anchor: "" });

/** Where an object's keys stand, or (keys empty) a list's items. */
export interface Places {
  readonly keys: readonly string[];
  readonly offsets: readonly number[];
}

interface Anchored {
  readonly value: Json;
  /** Nodes in it, those behind aliases counted again. */
  readonly size: number;
}

/** A document of less than this many nodes is no bomb. */
const nodesMax = 1_000_000;
const depthMax = 500;

/** Collects places only when asked: most texts have no mistake to point at. */
export class Builder {
  readonly places: Map<object, Places> | undefined;
  private readonly anchors = new Map<string, Anchored | "open">();
  private nodes = 0;
  private depth = 0;

  constructor(places?: Map<object, Places>) {
    this.places = places;
  }

  /** Runs `build` for a node and keeps what it gives under the anchor. */
  node(properties: Properties, offset: number, build: () => Json): Json {
    const { anchor } = properties;
    if (++this.depth > depthMax) throw new YamlError("tooDeep", offset);
    const before = this.nodes++;
    if (anchor) this.anchors.set(anchor, "open");
    const value = build();
    if (anchor) this.anchors.set(anchor, { value, size: this.nodes - before });
    this.depth--;
    return value;
  }

  alias(anchor: string, offset: number): Json {
    const found = this.anchors.get(anchor);
    if (!found) throw new YamlError("unknownAnchor", offset, { anchor });
    if (found === "open")
      throw new YamlError("recursiveAnchor", offset, { anchor });
    this.nodes += found.size;
    if (this.nodes > nodesMax) throw new YamlError("excessiveAliasing", offset);
    return found.value;
  }

  map(): MapBuilder {
    return new MapBuilder(this.places);
  }

  /** Remembers where the items of a list begin. */
  list(items: Json[], offsets: readonly number[]): Json {
    this.places?.set(items, { keys: [], offsets });
    return items;
  }

  /** A scalar that was not quoted. */
  plain(text: string, tag: string, offset: number): Json {
    if (tag) return tagged(text, tag, offset);
    const value = resolvePlain(text);
    if (typeof value !== "number" || Number.isFinite(value)) return value;
    const shown = Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
    throw new YamlError("notANumber", offset, { value: shown });
  }

  /** A scalar in quotes or a block: text, unless a tag says otherwise. */
  text(text: string, tag: string, offset: number): Json {
    return tag ? tagged(text, tag, offset) : text;
  }
}

function tagged(text: string, tag: string, offset: number): Json {
  const name = tag.replace(/^!!|^!<tag:yaml\.org,2002:(.*)>$/, "$1");
  const fail = () =>
    new YamlError("badTag", offset, { tag: name, value: text });
  if (name === "int" || name === "float") {
    const number = numberOf(text);
    if (number === undefined || (name === "int" && !Number.isInteger(number)))
      throw fail();
    return number;
  }
  if (name === "bool" || name === "null") {
    const value = resolvePlain(text);
    if (name === "null" ? value !== null : typeof value !== "boolean")
      throw fail();
    return value;
  }
  if (name !== "binary") return text;
  try {
    return atob(text.replace(/\s/g, ""));
  } catch {
    throw fail();
  }
}

/** Stands in where no places are collected. */
const none: never[] = [];

/** One mapping: keys are distinct; `<<` gives what no key sets. */
export class MapBuilder {
  private readonly entries: Record<string, Json> = {};
  private readonly keys: string[];
  private readonly offsets: number[];
  private merged: JsonObject[] | undefined;
  private readonly places: Map<object, Places> | undefined;

  constructor(places: Map<object, Places> | undefined) {
    this.places = places;
    this.keys = places ? [] : none;
    this.offsets = places ? [] : none;
  }

  set(key: string, value: Json, offset: number): void {
    if (Object.hasOwn(this.entries, key)) {
      throw new YamlError("duplicateKey", offset, { key });
    }
    if (this.places) {
      this.keys.push(key);
      this.offsets.push(offset);
    }
    define(this.entries, key, value);
  }

  /** `<<: *base`: an object or a list of objects. */
  merge(value: Json, offset: number): void {
    const sources: readonly Json[] = Array.isArray(value) ? value : [value];
    for (const source of sources) {
      if (
        typeof source !== "object" ||
        source === null ||
        Array.isArray(source)
      ) {
        throw new YamlError("badMerge", offset);
      }
      this.merged ??= [];
      this.merged.push(source as JsonObject);
    }
  }

  finish(): Json {
    for (const source of this.merged ?? []) {
      for (const [key, value] of Object.entries(source)) {
        if (!Object.hasOwn(this.entries, key)) define(this.entries, key, value);
      }
    }
    const { keys, offsets } = this;
    this.places?.set(this.entries, { keys, offsets });
    return this.entries;
  }
}

/** A plain assignment would change the prototype for "__proto__". */
function define(target: Record<string, Json>, key: string, value: Json): void {
  if (key !== "__proto__") target[key] = value;
  else {
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
}
