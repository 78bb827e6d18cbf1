/**
 * Reads a source map (version 3) as esbuild writes it for the core, to name
 * the source line of a place in the minified bundle.
 */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUE_OF = new Map([...DIGITS].map((digit, value) => [digit.charCodeAt(0), value]));

/** A segment: generated column, source, line and column, all from 0. */
type Segment = readonly [number, number, number, number];

export class SourceMap {
  private readonly sources: readonly string[];
  private readonly lines: readonly (readonly Segment[])[];

  constructor(json: string) {
    const { sources, mappings } = JSON.parse(json) as { sources: string[]; mappings: string };
    this.sources = sources;
    this.lines = decode(mappings);
  }

  /** Where the code at this line and column (from 1) came from. */
  place(line: number, column: number): SourcePlace | null {
    const segments = this.lines[line - 1] ?? [];
    let low = 0;
    let high = segments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (segments[middle]![0] <= column - 1) low = middle + 1;
      else high = middle;
    }
    const segment = segments[low - 1];
    const file = segment && this.sources[segment[1]];
    return file === undefined ? null : { file, line: segment![2] + 1, column: segment![3] + 1 };
  }
}

function decode(mappings: string): Segment[][] {
  const lines: Segment[][] = [[]];
  const fields = [0, 0, 0, 0, 0];
  let field = 0;
  let value = 0;
  let shift = 0;
  const endSegment = () => {
    if (field >= 4) lines.at(-1)!.push([fields[0]!, fields[1]!, fields[2]!, fields[3]!]);
    field = 0;
  };
  for (let i = 0; i < mappings.length; i++) {
    const code = mappings.charCodeAt(i);
    if (code === 44 /* , */) endSegment();
    else if (code === 59 /* ; */) {
      endSegment();
      lines.push([]);
      fields[0] = 0;
    } else {
      const digit = VALUE_OF.get(code) ?? 0;
      value += (digit & 31) << shift;
      shift += 5;
      if (digit & 32) continue;
      fields[field++]! += value & 1 ? -(value >> 1) : value >> 1;
      value = shift = 0;
    }
  }
  endSegment();
  return lines;
}
