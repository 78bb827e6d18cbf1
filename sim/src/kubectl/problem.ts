/**
 * A mistake in the reader's manifest with its place, for an editor to mark and
 * for the page to say in the reader's language. kubectl's own words go beside.
 */

import type { StatusError } from "../api/status.ts";
import type { YamlDocument } from "../api/yaml.ts";

/** One mistake in a manifest, and its place. */
export interface Problem {
  /** What is wrong; the page has a sentence for each code. */
  readonly code: string;
  /** Values for the sentence, always with `message`, the English one. */
  readonly params: Readonly<Record<string, string>>;
  readonly file: string;
  /** Documents count from 1, lines and columns too; 0: unknown. */
  readonly document: number;
  readonly line: number;
  readonly column: number;
}

/** Where an object of a manifest came from. */
export interface Place {
  readonly file: string;
  readonly document: number;
  readonly source: YamlDocument;
  /** Path of the object in its document: of an item of a List. */
  readonly path: readonly (string | number)[];
}

export function problemAt(
  place: Place,
  code: string,
  params: Readonly<Record<string, string>>,
  field = "",
): Problem {
  const path = [...place.path, ...pathOf(field)];
  const { line, column } = place.source.positionOf(path);
  return {
    code,
    params: field ? { ...params, field } : params,
    file: place.file,
    document: place.document,
    line,
    column,
  };
}

/** What the server refused, field by field where it says the field. */
export function problemsOf(error: StatusError, place: Place): Problem[] {
  const { message } = error;
  const causes = error.status.details?.causes ?? [];
  const fields = causes.filter((cause) => cause.field);
  if (fields.length > 0) {
    return fields.map((cause) =>
      problemAt(
        place,
        "invalidField",
        { message: cause.message ?? message },
        cause.field,
      ),
    );
  }
  const type = wrongTypeIn(message, place);
  if (type) return [type];
  const unknown = [...message.matchAll(/unknown field "([^"]+)"/g)];
  if (unknown.length > 0) {
    return unknown.map((match) =>
      problemAt(place, "unknownField", { message }, match[1]),
    );
  }
  return [problemAt(place, "refused", { message })];
}

/** A value that Go's struct cannot hold; undefined: it is something else. */
export function wrongTypeIn(message: string, place: Place) {
  const found = /Go struct field \w+\.(\S+) of type (\S+)/.exec(message);
  if (!found) return undefined;
  const params = { message, type: found[2]! };
  return problemAt(place, "wrongType", params, found[1]);
}

/** `spec.containers[0].image` → ["spec", "containers", 0, "image"]. */
function pathOf(field: string): (string | number)[] {
  const parts = field.match(/[^.[\]]+/g) ?? [];
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
