/**
 * Unified diffs of two texts, as `diff -u` prints them without file names.
 * Models: the diff that upstream's error texts show; GNU diff's format
 */

const context = 3;

interface Edit {
  readonly sign: " " | "-" | "+";
  readonly line: string;
}

/** Hunks with three lines around each change; "" if nothing differs. */
export function unifiedDiff(
  before: readonly string[],
  after: readonly string[],
): string {
  const edits = editsOf(before, after);
  const out: string[] = [];
  for (const [from, to] of hunksOf(edits)) {
    out.push(header(edits, from, to));
    for (const { sign, line } of edits.slice(from, to)) out.push(sign + line);
  }
  return out.map((line) => `${line}\n`).join("");
}

/** The same of two values as indented JSON, one field a line. */
export function jsonDiff(before: unknown, after: unknown): string {
  const lines = (value: unknown) => JSON.stringify(value, null, 1).split("\n");
  return unifiedDiff(lines(before), lines(after));
}

/** The longest common subsequence is kept; removals come before additions. */
function editsOf(a: readonly string[], b: readonly string[]): Edit[] {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a.at(-1 - end) === b.at(-1 - end)) end++;
  const kept = (line: string): Edit => ({ sign: " ", line });
  return [
    ...a.slice(0, start).map(kept),
    ...changed(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(kept),
  ];
}

function changed(a: readonly string[], b: readonly string[]): Edit[] {
  const width = b.length + 1;
  // common[i * width + j]: how long a match a from i and b from j have.
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const at = i * width + j;
      common[at] =
        a[i] === b[j]
          ? (common[at + width + 1] ?? 0) + 1
          : Math.max(common[at + width] ?? 0, common[at + 1] ?? 0);
    }
  }
  const edits: Edit[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i] ?? "", b[j] ?? ""];
    const here = i * width + j;
    if (i < a.length && j < b.length && left === right) {
      edits.push({ sign: " ", line: left });
      i++;
      j++;
    } else if (
      i < a.length &&
      (j >= b.length || (common[here + width] ?? 0) >= (common[here + 1] ?? 0))
    ) {
      edits.push({ sign: "-", line: left });
      i++;
    } else {
      edits.push({ sign: "+", line: right });
      j++;
    }
  }
  return edits;
}

/** Ranges of edits to show; changes that are near share one. */
function hunksOf(edits: readonly Edit[]): [number, number][] {
  const hunks: [number, number][] = [];
  for (const [i, { sign }] of edits.entries()) {
    if (sign === " ") continue;
    const last = hunks.at(-1);
    const to = Math.min(edits.length, i + context + 1);
    if (last && i - context <= last[1]) last[1] = to;
    else hunks.push([Math.max(0, i - context), to]);
  }
  return hunks;
}

function header(edits: readonly Edit[], from: number, to: number): string {
  const count = (part: readonly Edit[], sign: string) =>
    part.filter((edit) => edit.sign === " " || edit.sign === sign).length;
  const [ahead, shown] = [edits.slice(0, from), edits.slice(from, to)];
  // Of no lines, diff names the line before them.
  const range = (sign: string) => {
    const lines = count(shown, sign);
    return `${count(ahead, sign) + (lines > 0 ? 1 : 0)},${lines}`;
  };
  return `@@ -${range("-")} +${range("+")} @@`;
}
