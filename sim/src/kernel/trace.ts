/**
 * The trace: everything that happened in a run, in order, each entry with its
 * cause. Figures, tables and transcripts are views of it; none is drawn by
 * hand. Kept in columns, since 150,000 Pods make millions of entries; objects
 * are kept by reference, which is safe because objects never change.
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

/** Whoever can record an entry: the kernel. */
export interface Recorder {
  record(
    actor: string,
    verb: string,
    subject: string,
    target?: string,
    detail?: unknown,
  ): number;
}

/**
 * full: every entry. thin: inputs and writes alone, without details.
 * off: nothing; ids go on counting so that a run stays the same.
 */
export type TraceLevel = "full" | "thin" | "off";

const KEPT_WHEN_THIN = new Set(["input", "write", "bind", "fault", "error"]);

export class Trace {
  level: TraceLevel;
  /** Called for every entry kept, as it is recorded. */
  onEntry: ((id: number) => void) | null = null;
  /** When the entry of this id is recorded, `stack` gets the call stack. */
  stackAt = 0;
  stack = "";
  private nextId = 1;
  private readonly ids: number[] = [];
  private readonly times: number[] = [];
  private readonly actors: string[] = [];
  private readonly verbs: string[] = [];
  private readonly subjects: string[] = [];
  private readonly targets: string[] = [];
  private readonly causes: number[] = [];
  private readonly details: unknown[] = [];

  constructor(level: TraceLevel = "full") {
    this.level = level;
  }

  /** Entries kept so far. */
  get length(): number {
    return this.times.length;
  }

  /** Id of the newest entry, kept or not. */
  get lastId(): number {
    return this.nextId - 1;
  }

  /** True if an entry of `verb` would be kept: guards costly subjects. */
  wants(verb: string): boolean {
    if (this.level === "full") return true;
    return this.level === "thin" && KEPT_WHEN_THIN.has(verb);
  }

  add(
    atMs: number,
    actor: string,
    verb: string,
    subject: string,
    causeId: number,
    target = "",
    detail?: unknown,
  ): number {
    const id = this.nextId++;
    if (id === this.stackAt) this.stack = new Error().stack ?? "";
    if (!this.wants(verb)) return id;
    this.ids.push(id);
    this.times.push(atMs);
    this.actors.push(actor);
    this.verbs.push(verb);
    this.subjects.push(subject);
    this.targets.push(target);
    this.causes.push(causeId);
    this.details.push(this.level === "full" ? detail : undefined);
    this.onEntry?.(id);
    return id;
  }

  /** The i-th kept entry, from 0. */
  at(i: number): TraceEntry {
    return {
      id: this.ids[i]!,
      atMs: this.times[i]!,
      actor: this.actors[i]!,
      verb: this.verbs[i]!,
      subject: this.subjects[i]!,
      target: this.targets[i]!,
      causeId: this.causes[i]!,
      detail: this.details[i],
    };
  }

  /** The entry of `id`, or undefined if it was not kept. */
  get(id: number): TraceEntry | undefined {
    let [low, high] = [0, this.ids.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ids[middle]! < id) low = middle + 1;
      else high = middle;
    }
    return this.ids[low] === id ? this.at(low) : undefined;
  }

  /** Runs `action` without keeping what it records; ids go on counting. */
  untold(action: () => void): void {
    const { level } = this;
    this.level = "off";
    try {
      action();
    } finally {
      this.level = level;
    }
  }

  *[Symbol.iterator](): IterableIterator<TraceEntry> {
    for (let i = 0; i < this.times.length; i++) yield this.at(i);
  }

  /** The entry and its causes, newest first, down to the reader's command. */
  why(id: number): TraceEntry[] {
    const chain: TraceEntry[] = [];
    let entry = this.get(id);
    while (entry) {
      chain.push(entry);
      entry = entry.causeId < entry.id ? this.get(entry.causeId) : undefined;
    }
    return chain;
  }

  /**
   * FNV-1a 32 over all kept entries: equal runs have equal hashes. Call
   * stacks are left out, since each engine words them in its own way.
   */
  hash(): string {
    let h = 0x811c9dc5;
    const plain = (key: string, value: unknown) =>
      key === "stack" ? undefined : value;
    for (const entry of this) {
      const text = JSON.stringify(entry, plain);
      for (let i = 0; i < text.length; i++) {
        h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
      }
    }
    return (h >>> 0).toString(16).padStart(8, "0");
  }
}
