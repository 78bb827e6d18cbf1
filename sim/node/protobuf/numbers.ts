/**
 * Which number a field has in protobuf. The types are those of the schema: a
 * line names a message and its fields in the order of their numbers, which
 * count up from 1; `name=20` says where they go on, and `~Name` is a message
 * whose fields lie in the outer object.
 */
import { coreNumbers } from "./numbers-core.ts";
import { groupNumbers } from "./numbers-groups.ts";

export interface NumberedField {
  readonly name: string;
  /** Its fields are the outer message's: only in JSON, not on the wire. */
  readonly inline: boolean;
}

/** The fields of a message by their numbers; undefined if it is not known. */
export function numbersOf(message: string): ReadonlyMap<number, NumberedField> | undefined {
  const known = messages.get(message);
  if (known) return known;
  const line = lines.get(message);
  if (line === undefined) return undefined;
  const fields = new Map<number, NumberedField>();
  let number = 0;
  for (const token of line) {
    const [field = "", at] = token.split("=");
    number = at === undefined ? number + 1 : Number(at);
    const inline = field.startsWith("~");
    fields.set(number, { name: inline ? field.slice(1) : field, inline });
  }
  messages.set(message, fields);
  return fields;
}

const messages = new Map<string, ReadonlyMap<number, NumberedField>>();
const lines = new Map<string, readonly string[]>();
for (const text of [coreNumbers, groupNumbers]) {
  for (const line of text.trim().replace(/\n\s+/g, " ").split("\n")) {
    const [name = "", ...fields] = line.split(" ");
    lines.set(name, fields);
  }
}
