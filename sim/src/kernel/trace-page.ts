/**
 * A page of the trace. A long array that grows is copied each time, and an old
 * one that is given young objects makes work for the garbage collector; a page
 * has its size from the start and is filled while it is young.
 */
export interface TraceEntry {
  /** 1, 2, 3 … in the order of recording. */
  readonly id: number;
  /** Simulated time, in ms since the run began. */
  readonly atMs: number;
  /** Who did it: `kube-scheduler`, `kubelet/node-1`, `you`. */
  readonly actor: string;
  /** What it did; the words are listed in verbs.ts. */
  readonly verb: string;
  /** To what: `Pod default/web-x2x4z`, `POST pods`, `RunPodSandbox`. */
  readonly subject: string;
  /** Who it was done to, where that is another component. */
  readonly target: string;
  /** Entry that made this one happen; 0 for none. */
  readonly causeId: number;
  /** Request, object before and after, plugin's answer …, by verb. */
  readonly detail: unknown;
}

/** How the entries of a verb word their subject from their detail. */
export interface Wording {
  subjectOf(detail: unknown): string;
}

/** Entries of one page. */
export const ENTRIES_MAX = 1024;
/** Of an entry: id, time, cause. */
const NUMBERS = 3;
/** Of an entry: actor, verb, subject, target, detail. */
const VALUES = 5;

export class TracePage {
  length = 0;
  private readonly numbers = new Float64Array(ENTRIES_MAX * NUMBERS);
  private readonly values = new Array<unknown>(ENTRIES_MAX * VALUES);

  add(
    id: number,
    atMs: number,
    causeId: number,
    actor: string,
    verb: string,
    subject: string | null,
    target: string,
    detail: unknown,
  ): void {
    const { numbers, values } = this;
    const n = this.length * NUMBERS;
    numbers[n] = id;
    numbers[n + 1] = atMs;
    numbers[n + 2] = causeId;
    const v = this.length * VALUES;
    values[v] = actor;
    values[v + 1] = verb;
    values[v + 2] = subject;
    values[v + 3] = target;
    values[v + 4] = detail;
    this.length++;
  }

  idAt(i: number): number {
    return this.numbers[i * NUMBERS]!;
  }

  /** The i-th entry of the page, from 0. */
  at(i: number, wordings: ReadonlyMap<string, Wording>): TraceEntry {
    const { numbers } = this;
    const n = i * NUMBERS;
    const values = this.values as string[];
    const v = i * VALUES;
    const verb = values[v + 1]!;
    const detail = this.values[v + 4];
    return {
      id: numbers[n]!,
      atMs: numbers[n + 1]!,
      actor: values[v]!,
      verb,
      subject: values[v + 2] ?? wordings.get(verb)?.subjectOf(detail) ?? "",
      target: values[v + 3]!,
      causeId: numbers[n + 2]!,
      detail,
    };
  }
}
