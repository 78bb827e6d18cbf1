/**
 * kubectl describe of a kind that has no description of its own: every field,
 * its name in words.
 * Models:     kubectl/pkg/describe/describe.go (genericDescriber) @ v1.36
 */

import { goValue } from "../../api/go-text.ts";
import type { Json, JsonObject } from "../../api/types.ts";
import { jsonOf } from "../objects.ts";
import { type Describer, writeEventsOf } from "./subject.ts";
import { type Writer, writeAnnotations, writeLabels } from "./writer.ts";

const SKIPPED = new Set([
  ".metadata.managedFields",
  ".metadata.name",
  ".metadata.namespace",
  ".metadata.labels",
  ".metadata.annotations",
]);

export const describeGeneric: Describer = async (subject) => {
  const { w, object } = subject;
  const { name, namespace = "", labels, annotations } = object.metadata;
  w.field(0, "Name", name);
  w.field(0, "Namespace", namespace);
  writeLabels(w, "Labels", labels);
  writeAnnotations(w, "Annotations", annotations);
  writeFields(w, 0, jsonOf(object), "");
  await writeEventsOf(subject);
};

function writeFields(
  w: Writer,
  level: number,
  fields: JsonObject,
  path: string,
): void {
  for (const name of Object.keys(fields).toSorted()) {
    const value = fields[name];
    const here = `${path}.${name}`;
    if (value === undefined || SKIPPED.has(here)) continue;
    const label = inWords(name);
    if (Array.isArray(value)) {
      w.line(level, `${label}:`);
      for (const item of value as readonly Json[]) {
        if (isMap(item)) writeFields(w, level + 1, item, here);
        else w.line(level + 1, goValue(item));
      }
    } else if (isMap(value)) {
      w.line(level, `${label}:`);
      writeFields(w, level + 1, value, here);
    } else w.line(level, `${label}:\t${goValue(value)}`);
  }
}

function isMap(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const ACRONYMS = new Set(["API", "URL", "UID", "OSB", "GUID"]);

/** `apiVersion` → `API Version`; a name with other signs stays. */
function inWords(name: string): string {
  if (!/^[\p{L}-]+$/u.test(name)) return name;
  const parts = name.match(/[A-Z]+(?![a-z])|[A-Z][a-z]*|[a-z]+|-+/g) ?? [name];
  return parts
    .map((part) => {
      const upper = part.toUpperCase();
      if (ACRONYMS.has(upper)) return upper;
      return part.charAt(0).toUpperCase() + part.slice(1);
    })
    .join(" ");
}
