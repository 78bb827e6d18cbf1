/** Masks and the three ways of comparing, as FORMAT.md lists them. */

export interface Step {
  readonly file: string;
  readonly argv: readonly string[];
  readonly stdin: string | null;
  readonly files: readonly string[];
  readonly exit: number;
  readonly waitBeforeMs?: number;
  readonly bind?: Readonly<Record<string, { method: string; path: string; value: string }>>;
  readonly compare?: "masked" | "set" | "subsequence";
  readonly onlyLines?: string;
}

export interface Mask {
  readonly regex: string;
  readonly replace: string;
  readonly multiline?: boolean;
  readonly notIn?: readonly string[];
  /** Left out by who makes the real value, as we do. */
  readonly optional?: boolean;
}

export function matches(
  step: Step,
  actual: string,
  expected: string,
  masks: readonly Mask[],
): boolean {
  const [a, e] = [actual, expected].map((text) => linesOf(step, text, masks));
  if (!a || !e || a.at(-1) !== e.at(-1)) return false;
  if (step.compare === "set") return sameSet(a, e);
  if (step.compare === "subsequence") return sameOrder(a, e);
  return sameText(a, e);
}

function linesOf(step: Step, text: string, masks: readonly Mask[]): string[] {
  let masked = text;
  for (const mask of masks) {
    if (mask.optional || mask.notIn?.includes(step.file)) continue;
    const flags = mask.multiline ? "gm" : "g";
    masked = masked.replace(new RegExp(mask.regex, flags), mask.replace);
  }
  const lines = masked.replace(/\n$/, "").split("\n");
  if (step.onlyLines === undefined) return lines;
  const only = new RegExp(step.onlyLines);
  return lines.filter((line, i) => i === lines.length - 1 || only.test(line));
}

/** Rows of a table come in any order: names in them are random. */
function sameText(a: readonly string[], b: readonly string[]): boolean {
  if (a.join("\n") === b.join("\n")) return true;
  const [x, y] = [a, b].map(blocksOf);
  return x!.length === y!.length && x!.every((block, i) => sameBlock(block, y![i]!));
}

/** Parts between empty lines; a heading stays at the head of its rows. */
function blocksOf(lines: readonly string[]): string[][] {
  const blocks: string[][] = [[]];
  for (const line of lines) {
    if (line === "") blocks.push([]);
    else blocks.at(-1)!.push(line);
  }
  return blocks;
}

function sameBlock(a: readonly string[], b: readonly string[]): boolean {
  const table = (lines: readonly string[]) => lines.some((line) => /^[A-Z][A-Z -]+ /.test(line));
  if (!table(a)) return sameEvents(a, b);
  return a.toSorted().join("\n") === b.toSorted().join("\n");
}

/** Events of one second come in any order, too. */
function sameEvents(a: readonly string[], b: readonly string[]): boolean {
  const [x, y] = [a, b].map((lines) => {
    const start = lines.indexOf("Events:");
    const end = start < 0 ? lines.length : start + 3;
    return [...lines.slice(0, end), ...lines.slice(end).toSorted()].join("\n");
  });
  return x === y;
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.toSorted().join("\n") === b.toSorted().join("\n");
}

/** Lines that are equal may come more or less often, and one may be skipped. */
function sameOrder(a: readonly string[], b: readonly string[]): boolean {
  const distinct = [...new Set(b)];
  const places = [...new Set(a)].map((line) => distinct.indexOf(line));
  return places.every((place, i) => place >= 0 && place > (places[i - 1] ?? -1));
}
