/** Words of `kubectl set`: objects come first, then what is to be changed. */
import { CommandError } from "../environment.ts";

export function splitWords(
  words: readonly string[],
  isPair: (word: string) => boolean,
  what: string,
): { objects: readonly string[]; pairs: readonly string[] } {
  const first = words.findIndex(isPair);
  const at = first < 0 ? words.length : first;
  const pairs = words.slice(at);
  if (pairs.every(isPair)) return { objects: words.slice(0, at), pairs };
  throw new CommandError(
    `all resources must be specified before ${what} changes: ${words.join(" ")}`,
  );
}

/** `ng*` stands for all that begin so. */
export function isNamed(name: string, pattern: string): boolean {
  const parts = pattern.split("*").map((part) => {
    return part.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${parts.join(".*")}$`).test(name);
}
