import { readFileSync } from "node:fs";
import { join, normalize } from "node:path";

export interface Region {
  text: string;
  /** First and last line in the file, counted from 1. */
  first: number;
  last: number;
}

const START = /^\s*(?:\/\/|#|\/\*)\s*region:\s*([\w-]+)/;
const END = /^\s*(?:\/\/|#|\/\*)\s*endregion\b/;

/** The lines of a file, or of its region `// region: name` … `// endregion`. */
export function readRegion(file: string, name?: string): Region {
  const path = normalize(file);
  if (path.startsWith("..") || path.startsWith("/")) {
    throw new Error(`"${file}" is outside the repository. Write it from the root: sim/src/…`);
  }
  return cut(readFileSync(join(process.cwd(), path), "utf8"), file, name);
}

// region: cut
/** Cuts a region out of a text; nested region marks are left out of the result. */
export function cut(source: string, file: string, name?: string): Region {
  const lines = source.replace(/\r?\n$/, "").split(/\r?\n/);
  if (!name) return { text: lines.join("\n"), first: 1, last: lines.length };
  const start = lines.findIndex((line) => START.exec(line)?.[1] === name);
  if (start < 0) {
    throw new Error(`${file} has no region "${name}". Mark it: // region: ${name} … // endregion`);
  }
  const end = endOf(lines, start, file, name);
  const body = lines.slice(start + 1, end).filter((line) => !START.test(line) && !END.test(line));
  return { text: dedent(body), first: start + 2, last: end };
}
// endregion

function endOf(lines: string[], start: number, file: string, name: string): number {
  let depth = 0;
  for (let index = start; index < lines.length; index++) {
    if (START.test(lines[index]!)) depth++;
    else if (END.test(lines[index]!) && --depth === 0) return index;
  }
  throw new Error(`The region "${name}" of ${file} has no end. Close it: // endregion`);
}

function dedent(lines: string[]): string {
  const indents = lines.filter((line) => line.trim()).map((line) => line.search(/\S/));
  const indent = Math.min(...indents, 80);
  return lines.map((line) => line.slice(indent)).join("\n");
}
