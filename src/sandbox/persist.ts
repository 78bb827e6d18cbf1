import type { Command } from "./commands.ts";

/** The reader's edits, kept in local storage by lesson and lab until Reset. */
export interface Kept {
  readonly seed?: number;
  readonly manifest?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly commands?: readonly Command[];
  /** The reader's own edits, while `files` is the lab's solution. */
  readonly own?: Readonly<Record<string, string>>;
}

const key = (lab: string) => `shikumi:lab:${lab}`;

/** Storage may be blocked or full: then edits last as long as the page. */
export function keep(lab: string, state: Kept): void {
  try {
    const empty = Object.values(state).every((value) => value === undefined);
    if (empty) localStorage.removeItem(key(lab));
    else localStorage.setItem(key(lab), JSON.stringify(state));
  } catch {}
}

export function kept(lab: string): Kept {
  try {
    const value = JSON.parse(localStorage.getItem(key(lab)) ?? "{}") as Kept;
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
