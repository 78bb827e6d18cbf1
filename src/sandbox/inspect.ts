/** Questions to a finished run, and what a page makes of the answers. */
import type { Frame, Json, Run } from "./runtime/types.ts";

export interface EntryDetail {
  readonly id: number;
  readonly verb: string;
  readonly subject: string;
  /** Of a write. */
  readonly before?: Json;
  readonly after?: Json;
  readonly detail?: Json;
}

export interface Inspector {
  /** Details of entries, in order; those that were not kept are missing. */
  entries(ids: readonly number[]): Promise<readonly EntryDetail[]>;
  /** Where the entry was made, innermost first; empty if in no file. */
  stack(id: number): Promise<readonly Frame[]>;
}

/** Files that carry a call, but are not who made it. */
const PLUMBING = /^(kernel|client)\/|^apiserver\/transport/;

export function inspectorOf(run: () => Run | null): Inspector {
  return {
    async entries(ids) {
      const found: EntryDetail[] = [];
      for (const id of ids) {
        const entry = asRecord(await run()?.ask({ ask: "entry", id }));
        if (entry) found.push(detailOf(id, entry));
      }
      return found;
    },
    async stack(id) {
      const frames = await run()?.ask({ ask: "stack", id });
      if (!Array.isArray(frames)) return [];
      const all = frames.flatMap((frame) => asFrame(frame) ?? []);
      const own = all.filter((frame) => !PLUMBING.test(frame.file));
      return (own.length > 0 ? own : all).slice(0, 4);
    },
  };
}

function detailOf(id: number, entry: Readonly<Record<string, Json>>): EntryDetail {
  const verb = String(entry.verb ?? "");
  const base = { id, verb, subject: String(entry.subject ?? "") };
  const detail = asRecord(entry.detail);
  if (verb === "write" && detail) return { ...base, before: detail.before, after: detail.after };
  return { ...base, detail: entry.detail ?? undefined };
}

function asRecord(value: Json | undefined): Readonly<Record<string, Json>> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return value as Readonly<Record<string, Json>>;
}

function asFrame(value: Json): Frame | undefined {
  const frame = asRecord(value);
  if (!frame || typeof frame.file !== "string" || typeof frame.line !== "number") return undefined;
  return {
    file: frame.file,
    line: frame.line,
    column: Number(frame.column ?? 1),
    name: String(frame.name ?? ""),
  };
}
