/** What the commands of `kubectl rollout` ask of their arguments alike. */
import type { Args } from "../args.ts";
import { CommandError } from "../environment.ts";

export function requireWords(args: Args): void {
  if (args.words.length === 0 && args.all("filename").length === 0)
    throw new CommandError("required resource not specified");
}
