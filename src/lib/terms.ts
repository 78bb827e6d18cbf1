import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Titles } from "../curriculum.ts";

/** One entry of `content/glossary.yaml`. */
export interface Term {
  id: string;
  ja: string;
  /** How the Japanese term is read, in hiragana or katakana; sorts the Japanese list. */
  reading: string;
  en: string;
  definition: Titles;
  /** Article that teaches it. */
  article?: string;
  /** Spellings that must not appear in Japanese prose. */
  avoid?: string[];
}

/** One entry of `content/misconceptions.yaml`. */
export interface Misconception {
  id: string;
  group: string;
  belief: Titles;
  truth: Titles;
  article?: string;
}

export interface MisconceptionFile {
  groups: { id: string; title: Titles }[];
  entries: Misconception[];
}

function load<T>(file: string): T {
  return parse(readFileSync(join(process.cwd(), "content", file), "utf8")) as T;
}

let terms: Term[] | undefined;
let beliefs: MisconceptionFile | undefined;

export function glossary(): Term[] {
  return (terms ??= load<Term[]>("glossary.yaml"));
}

export function misconceptions(): MisconceptionFile {
  return (beliefs ??= load<MisconceptionFile>("misconceptions.yaml"));
}

/** The term of an id; an error that says what to do when there is none. */
export function termOf(id: string): Term {
  const term = glossary().find((entry) => entry.id === id);
  if (!term) throw new Error(`No term "${id}". Add it to content/glossary.yaml or mend the id.`);
  return term;
}

export function misconceptionOf(id: string): Misconception {
  const entry = misconceptions().entries.find((candidate) => candidate.id === id);
  if (!entry) {
    throw new Error(`No belief "${id}". Add it to content/misconceptions.yaml or mend the id.`);
  }
  return entry;
}
