/**
 * The text that an editor opens, and what was made of it.
 * Models:     kubectl/pkg/cmd/util/editor/editoptions.go (editHeader) @ v1.36
 */
import type { Json, JsonObject } from "../../api/types.ts";
import { parseManifests } from "../../api/yaml.ts";
import { CommandError } from "../environment.ts";
import type { Found } from "../find.ts";

const HEADER = `# Please edit the object below. Lines beginning with a '#' will be ignored,
# and an empty file will abort the edit. If an error occurs while saving this file will be
# reopened with the relevant failures.
#
`;

export function withReasons(reasons: readonly string[], text: string): string {
  const lines = reasons.map((reason) => `# ${reason.replace(/\n/g, "\n# ")}\n`);
  return HEADER + lines.join("") + (lines.length > 0 ? "#\n" : "") + text;
}

/** Without the lines that are comments. */
export function strip(text: string): string {
  const lines = text.split("\n");
  return lines.filter((line) => !/^\s*#/.test(line)).join("\n");
}

interface Pair {
  readonly before: Found;
  readonly after: JsonObject;
}

/** What each object was made into; or what is wrong with the text. */
export function readEdited(
  text: string,
  items: readonly Found[],
): { readonly pairs: readonly Pair[] } | { readonly wrong: string } {
  const { documents, errors } = parseManifests(text);
  const [error] = errors;
  if (error) return { wrong: error.message };
  const objects = documents.flatMap(({ value }) => objectsOf(value));
  return {
    pairs: objects.map((after) => ({ before: same(after, items), after })),
  };
}

function objectsOf(value: Json | undefined): JsonObject[] {
  if (typeof value !== "object" || value === null) return [];
  const { kind, items } = value as JsonObject;
  if (kind === "List" && Array.isArray(items)) return items as JsonObject[];
  return [value as JsonObject];
}

/** The uid tells which object it was; its name and kind stay. */
function same(after: JsonObject, items: readonly Found[]): Found {
  const { uid, name } = (after.metadata ?? {}) as JsonObject;
  const before = items.find(({ object }) => object.metadata.uid === uid);
  if (!before) throw new CommandError(`no original object found for ${name}`);
  const { kind, apiVersion, metadata } = before.object;
  const kept =
    after.kind === kind &&
    after.apiVersion === apiVersion &&
    name === metadata.name;
  if (kept) return before;
  throw new CommandError(
    "At least one of apiVersion, kind and name was changed",
  );
}
