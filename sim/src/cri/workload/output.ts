/**
 * What a program has printed: lines of its script one by one, lines of its
 * image at their moments, without keeping each. Asked for by time, since log
 * files are cut at moments.
 */
import type { ImageDefinition } from "./image.ts";

export interface LogLine {
  readonly atMs: number;
  readonly text: string;
  readonly stream?: "stdout" | "stderr";
}

/** `2026-01-01T00:00:00.000000000Z stdout F ` and the end of the line. */
const LINE_HEAD_BYTES = 41;
/** A moment's own lines belong to it. */
const LEAST_MS = 1e-6;

export class Output {
  private readonly printed: LogLine[] = [];
  /** Bytes of the file up to each line, and with it. */
  private readonly totals: number[] = [];

  print(line: LogLine): void {
    this.printed.push(line);
    this.totals.push((this.totals.at(-1) ?? 0) + sizeOf(line.text));
  }

  /** Lines from one moment until before another. */
  lines(fromMs: number, toMs: number): readonly LogLine[] {
    return this.printed.slice(this.indexOf(fromMs), this.indexOf(toMs));
  }

  /** Bytes that the same lines take. */
  bytes(fromMs: number, toMs: number): number {
    const before = (ms: number) => this.totals[this.indexOf(ms) - 1] ?? 0;
    return before(toMs) - before(fromMs);
  }

  /** How many were printed before that moment. */
  private indexOf(ms: number): number {
    let low = 0;
    let high = this.printed.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.printed[middle]!.atMs < ms) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The same of an image that says what it prints. */
export class ImageOutput {
  private readonly logs: NonNullable<ImageDefinition["logs"]>;
  private readonly startedAtMs: number;

  constructor(logs: NonNullable<ImageDefinition["logs"]>, startedAtMs: number) {
    this.logs = logs;
    this.startedAtMs = startedAtMs;
  }

  lines(fromMs: number, toMs: number): readonly LogLine[] {
    const all: LogLine[] = [];
    for (const log of this.logs) {
      const [first, end] = this.turns(log, fromMs, toMs);
      for (let turn = first; turn < end; turn++) {
        const ageMs = log.afterMs + turn * (log.everyMs ?? 0);
        all.push({ atMs: this.startedAtMs + ageMs, text: log.text });
      }
    }
    return all.sort((a, b) => a.atMs - b.atMs);
  }

  bytes(fromMs: number, toMs: number): number {
    let sum = 0;
    for (const log of this.logs) {
      const [first, end] = this.turns(log, fromMs, toMs);
      sum += Math.max(0, end - first) * sizeOf(log.text);
    }
    return sum;
  }

  /** Which repetitions of the line fall between the moments. */
  private turns(
    { afterMs, everyMs }: { afterMs: number; everyMs?: number },
    fromMs: number,
    toMs: number,
  ): [first: number, end: number] {
    const turnAt = (ms: number) => {
      const ageMs = ms - this.startedAtMs - afterMs;
      if (!everyMs) return ageMs > 0 ? 1 : 0;
      return Math.max(0, Math.ceil(ageMs / everyMs));
    };
    return [turnAt(fromMs), turnAt(toMs)];
  }
}

/** Right after the moment, so that what is printed at it counts. */
export function justAfter(ms: number): number {
  return ms + LEAST_MS;
}

function sizeOf(text: string): number {
  return LINE_HEAD_BYTES + text.length;
}
