/**
 * The queue of steps to come: a binary heap ordered by (time, sequence), so
 * that steps of the same moment run first in, first out.
 */
export class Step {
  /** Simulated time at which it runs, in ms since the run began. */
  readonly atMs: number;
  /** Order of scheduling; breaks ties of `atMs`. */
  readonly seq: number;
  /** Trace entry that scheduled it; 0 for none. */
  readonly causeId: number;
  /** What to do; null once cancelled. */
  run: (() => void) | null;

  constructor(atMs: number, seq: number, causeId: number, run: () => void) {
    this.atMs = atMs;
    this.seq = seq;
    this.causeId = causeId;
    this.run = run;
  }

  cancel(): void {
    this.run = null;
  }
}

export class StepHeap {
  private readonly items: Step[] = [];

  get size(): number {
    return this.items.length;
  }

  peek(): Step | undefined {
    return this.items[0];
  }

  push(step: Step): void {
    const items = this.items;
    let at = items.length;
    items.push(step);
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = items[up]!;
      if (before(parent, step)) break;
      items[at] = parent;
      at = up;
    }
    items[at] = step;
  }

  pop(): Step | undefined {
    const items = this.items;
    const first = items[0];
    const last = items.pop();
    if (items.length > 0 && last) this.sink(last);
    return first;
  }

  /** Puts `step` at the top and lets it sink to its place. */
  private sink(step: Step): void {
    const items = this.items;
    const half = items.length >> 1;
    let at = 0;
    while (at < half) {
      let child = 2 * at + 1;
      const right = items[child + 1];
      if (right && before(right, items[child]!)) child++;
      if (before(step, items[child]!)) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = step;
  }
}

function before(a: Step, b: Step): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.seq < b.seq);
}
