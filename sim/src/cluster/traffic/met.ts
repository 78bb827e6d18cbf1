/** The rules that a packet met on its way, as text to be read. */

interface Hop {
  readonly place: string;
  readonly rules: readonly string[];
}

/** What a rule says to people only. */
const COMMENT = / -m comment --comment ("[^"]*"|\S+)| comment "[^"]*"/;

/** `node node-1`, then what its rules say, without their comments; and so on. */
export function metIn(hops: readonly Hop[]): string[] {
  let last = "";
  return hops.flatMap(({ place, rules }) => {
    const lines = rules.map((rule) => `  ${rule.replace(COMMENT, "")}`);
    if (lines.length === 0 || place === last) return lines;
    last = place;
    return [place, ...lines];
  });
}
