/**
 * What every replayer of a recorded file is made of.
 *
 * A replayer is a module `test/vectors-harness/<behaviour>.ts` that exports
 * `replay`. Putting the file there is registering it (see `index.ts`).
 */
import { isDeepStrictEqual } from "node:util";

/** One recorded file, read and parsed. `dir` is for files that lie beside it. */
export interface VectorFile {
  readonly behaviour: string;
  readonly path: string;
  readonly dir: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** A case whose outcome was not the recorded one. */
export interface Failure {
  readonly case: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

export interface Result {
  readonly passed: number;
  readonly total: number;
  readonly failures: readonly Failure[];
}

/** The shape of a replayer's module. */
export interface Replayer {
  replay(file: VectorFile): Result | Promise<Result>;
}

/**
 * Counts cases. A case that throws is a miss of that case alone.
 *
 *     const tally = new Tally();
 *     for (const c of casesOf<MyCase>(file)) {
 *       tally.same(c.case, () => myFunction(c.in), c.out);
 *     }
 *     return tally.result();
 */
export class Tally {
  private passed = 0;
  private readonly failures: Failure[] = [];

  /** Passes if what `run` returns deep-equals `expected` (key order is free). */
  same(name: string, run: () => unknown, expected: unknown): void {
    this.check(name, run, expected, isDeepStrictEqual);
  }

  /** The same, where absent, null and empty mean the same. */
  sameButEmpty(name: string, run: () => unknown, expected: unknown): void {
    this.check(name, run, expected, (a, b) => isDeepStrictEqual(withoutEmpty(a), withoutEmpty(b)));
  }

  /** Passes if `run` throws. `test` may look at the error. */
  throws(name: string, run: () => unknown, test: (error: Error) => boolean = () => true): void {
    let actual: unknown;
    try {
      actual = run();
    } catch (error) {
      const thrown = error instanceof Error ? error : new Error(String(error));
      if (test(thrown)) this.passed++;
      else this.miss(name, "another error", thrown.message);
      return;
    }
    this.miss(name, "an error", actual);
  }

  pass(): void {
    this.passed++;
  }

  miss(name: string, expected: unknown, actual: unknown): void {
    this.failures.push({ case: name, expected, actual });
  }

  result(): Result {
    const { passed, failures } = this;
    return { passed, total: passed + failures.length, failures };
  }

  private check(
    name: string,
    run: () => unknown,
    expected: unknown,
    equal: (a: unknown, b: unknown) => boolean,
  ): void {
    let actual: unknown;
    try {
      actual = run();
    } catch (error) {
      this.miss(name, expected, error instanceof Error ? (error.stack ?? error.message) : error);
      return;
    }
    if (equal(actual, expected)) this.passed++;
    else this.miss(name, expected, actual);
  }
}

/** The cases in a list of the file; none if the file has no such list. */
export function casesOf<Case>(file: VectorFile, list = "cases"): Case[] {
  const found = file.json[list];
  return Array.isArray(found) ? (found as Case[]) : [];
}

/** A copy without null, "", [] and {}: FORMAT.md calls those equal to absent. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== "object" || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) {
    const inner = withoutEmpty(child);
    if (!isEmpty(inner)) kept[key] = inner;
  }
  return kept;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** A case's own name, or what identifies it best. */
export function nameOf(entry: unknown, index: number): string {
  if (typeof entry === "object" && entry !== null) {
    const { case: name, in: input } = entry as { case?: unknown; in?: unknown };
    if (typeof name === "string") return name;
    if (input !== undefined) return `#${index} ${JSON.stringify(input)}`;
  }
  return `#${index}`;
}
