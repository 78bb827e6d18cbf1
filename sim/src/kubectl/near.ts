/** Guesses what a misspelt word was meant to be. */

/** The known word that is closest to `wanted`; "" if none is near. */
export function near(wanted: string, known: readonly string[]): string {
  let best = "";
  let least = 3; // More than two letters apart is not a slip.
  for (const word of known) {
    const d = distance(wanted.toLowerCase(), word.toLowerCase());
    if (d < least) [best, least] = [word, d];
  }
  return best;
}

/** Levenshtein distance. */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, swap));
    }
    row = next;
  }
  return row[b.length]!;
}
