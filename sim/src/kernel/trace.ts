/**
 * The trace: everything that happened in a run, in order, each entry with its
 * cause. Figures, tables and transcripts are views of it; none is drawn by
 * hand. Kept in pages of columns, since 150,000 Pods make millions of entries;
 * objects are kept by reference, which is safe because objects never change.
 */
import { flat } from "./flat.ts";
import {
  ENTRIES_MAX,
  type TraceEntry,
  TracePage,
  type Wording,
} from "./trace-page.ts";

export type { TraceEntry };

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

/** The entries of a run, by their id. */
export class Trace {
  level: TraceLevel;
  /** Called for every entry kept, as it is recorded. */
  onEntry: ((id: number) => void) | null = null;
  /** When the entry of this id is recorded, `stack` gets the call stack. */
  stackAt = 0;
  stack = "";
  /** By verb: how a subject is worded that was left out, null. */
  readonly wordings = new Map<string, Wording>();
  private nextId = 1;
  /** All full but the last. */
  private readonly pages: TracePage[] = [new TracePage()];
  private page = this.pages[0]!;

  constructor(level: TraceLevel = "full") {
    this.level = level;
  }

  /** Entries kept so far. */
  get length(): number {
    return (this.pages.length - 1) * ENTRIES_MAX + this.page.length;
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
    subject: string | null,
    causeId: number,
    target = "",
    detail?: unknown,
  ): number {
    const id = this.nextId++;
    if (id === this.stackAt) this.stack = new Error().stack ?? "";
    if (!this.wants(verb)) return id;
    if (this.page.length === ENTRIES_MAX) {
      this.page = new TracePage();
      this.pages.push(this.page);
    }
    const full = this.level === "full";
    const text = full ? subject : subject && flat(subject);
    const kept = full ? detail : undefined;
    this.page.add(id, atMs, causeId, actor, verb, text, target, kept);
    this.onEntry?.(id);
    return id;
  }

  /** The i-th kept entry, from 0. */
  at(i: number): TraceEntry {
    const page = this.pages[Math.floor(i / ENTRIES_MAX)]!;
    return page.at(i % ENTRIES_MAX, this.wordings);
  }

  /** The entry of `id`, or undefined if it was not kept. */
  get(id: number): TraceEntry | undefined {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.idAt(middle) < id) low = middle + 1;
      else high = middle;
    }
    if (low === this.length || this.idAt(low) !== id) return undefined;
    return this.at(low);
  }

  private idAt(i: number): number {
    return this.pages[Math.floor(i / ENTRIES_MAX)]!.idAt(i % ENTRIES_MAX);
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
    for (let i = 0; i < this.length; i++) yield this.at(i);
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
