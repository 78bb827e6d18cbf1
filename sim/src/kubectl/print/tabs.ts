/**
 * Aligns text at its tabs: each run of lines that have a cell in a column
 * makes one block, as wide as its widest cell.
 * Models:     text/tabwriter of Go, with a blank as padding
 */

export interface TabOptions {
  /** Least width of a cell, its padding included. */
  readonly minWidth: number;
  readonly padding: number;
  /** Widths that stay at least as they were: for the rows of a watch. */
  readonly remembered?: number[];
}

/** `kubectl describe`. */
export const DESCRIBE_TABS: TabOptions = { minWidth: 0, padding: 2 };

/** `kubectl get`. */
export function tableTabs(remembered?: number[]): TabOptions {
  return { minWidth: 6, padding: 3, remembered };
}

/** The text with blanks instead of tabs; the last cell of a line stays. */
export function align(text: string, options: TabOptions): string {
  const lines = text.split("\n").map((line) => line.split("\t"));
  const out = lines.map(() => "");
  alignFrom(lines, 0, lines.length, 0, options, out);
  return lines.map((cells, i) => out[i]! + cells.at(-1)!).join("\n");
}

/** Writes column `column` of the lines that have one, block by block. */
function alignFrom(
  lines: readonly (readonly string[])[],
  from: number,
  to: number,
  column: number,
  options: TabOptions,
  out: string[],
): void {
  let start = from;
  while (start < to) {
    if (column >= lines[start]!.length - 1) {
      start++;
      continue;
    }
    let end = start;
    let width = Math.max(options.minWidth, options.remembered?.[column] ?? 0);
    while (end < to && column < lines[end]!.length - 1) {
      const cell = [...lines[end]![column]!].length;
      width = Math.max(width, cell + options.padding);
      end++;
    }
    if (options.remembered) options.remembered[column] = width;
    for (let i = start; i < end; i++) {
      const cell = lines[i]![column]!;
      const gap = width - [...cell].length;
      out[i] += cell + " ".repeat(gap);
    }
    alignFrom(lines, start, end, column + 1, options, out);
    start = end;
  }
}
