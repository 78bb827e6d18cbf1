/** What the commands of `kubectl rollout` ask of their arguments alike. */
import type { Kind } from "../../api/kinds/definition.ts";
import type { Args } from "../args.ts";
import { CommandError } from "../environment.ts";
import { groupKind } from "../print/table.ts";

export function requireWords(args: Args): void {
  if (args.words.length === 0 && args.all("filename").length === 0)
    throw new CommandError("required resource not specified");
}

const KINDS = ["Deployment", "DaemonSet", "StatefulSet"];

export function assertHistory(kind: Kind, words: string): void {
  if (KINDS.includes(kind.kind)) return;
  throw new CommandError(`${words} "${groupKind(kind)}"`);
}
