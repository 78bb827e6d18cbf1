/**
 * Which labels or annotations are set and which are taken away.
 * Models:     kubectl/pkg/cmd/label/label.go (parseLabels) @ v1.36
 */
import { labelValue } from "../../api/names.ts";
import type { Labels } from "../../api/types.ts";
import { CommandError } from "../environment.ts";

export type Field = "labels" | "annotations";

export interface Changes {
  readonly set: ReadonlyMap<string, string>;
  readonly remove: readonly string[];
}

export function readChanges(words: readonly string[], field: Field): Changes {
  const set = new Map<string, string>();
  const remove: string[] = [];
  for (const word of words) {
    const [key = "", value] = word.split(/=(.*)/s);
    if (value !== undefined && key !== "") {
      if (field === "labels") refuseValue(word, value);
      set.set(key, value);
    } else if (value !== undefined) continue;
    else if (key.endsWith("-")) remove.push(key.slice(0, -1));
    else throw new CommandError(`unknown label spec: ${word}`);
  }
  const both = remove.filter((key) => set.has(key));
  if (both.length > 0) {
    throw new CommandError(
      field === "labels"
        ? "can not both modify and remove a label in the same command"
        : "can not both modify and remove the following annotation(s) in " +
            `the same command: ${both.join(", ")}`,
    );
  }
  return { set, remove };
}

function refuseValue(word: string, value: string): void {
  const [why] = labelValue(value);
  if (why) throw new CommandError(`invalid label value: "${word}": ${why}`);
}

/** The marks as they are after the changes. */
export function marked(
  before: Labels | undefined,
  { set, remove }: Changes,
): Labels {
  const all = Object.entries({ ...before, ...Object.fromEntries(set) });
  return Object.fromEntries(all.filter(([key]) => !remove.includes(key)));
}
