import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Titles } from "../curriculum.ts";

/** One part of `content/fidelity.yaml`. */
export interface FidelityPart {
  id: string;
  title: Titles;
  /** Folders below `sim/src`. */
  folders: string[];
  /** Tests that hold it, from the root of the repository. */
  tests: string[];
  /** Behaviours of `test/vectors`. */
  recordings?: string[];
  modelled: Titles[];
  simplified?: Titles[];
  leftOut: Titles[];
}

/** Recorded cases of one behaviour, and how many the simulator answers alike. */
export interface Recording {
  behaviour: string;
  passed: number;
  total: number;
}

export interface LeftOut {
  /** From the root of the repository: sim/src/etcd/lease.ts */
  file: string;
  text: string;
}

export function fidelityParts(): FidelityPart[] {
  const source = readFileSync(join(process.cwd(), "content/fidelity.yaml"), "utf8");
  return parse(source) as FidelityPart[];
}

/** What the headers of a folder's files say after `Leaves out:`, unless it is nothing. */
export function leftOutOf(folder: string): LeftOut[] {
  return globSync(`sim/src/${folder}/**/*.ts`)
    .sort()
    .flatMap((file) => {
      const text = leavesOut(readFileSync(join(process.cwd(), file), "utf8"));
      return text ? [{ file, text }] : [];
    });
}

/** The text after `Leaves out:` in a file's header; undefined where nothing is left out. */
export function leavesOut(source: string): string | undefined {
  const header = /^\/\*\*([\s\S]*?)\*\//.exec(source)?.[1] ?? "";
  const entry = /Leaves out:([\s\S]*?)(?=\n \* [A-Z][a-z]+(?: [a-z]+)?:|Longer because:|$)/.exec(
    header,
  );
  const text = entry?.[1]?.replace(/\n \*/g, " ").replace(/\s+/g, " ").trim();
  return text && !/^nothing\b/.test(text) ? text : undefined;
}

let replayed: Recording[] | undefined;

/** Replays every recording, which takes some seconds; once a build. */
export function recordings(): Recording[] {
  return (replayed ??= replay());
}

function replay(): Recording[] {
  const args = ["scripts/vectors.ts", "--json"];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  if (!stdout) throw new Error(`The recordings could not be replayed:\n${stderr}`);
  const sums = new Map<string, Recording>();
  for (const { behaviour, passed, total } of JSON.parse(stdout) as Recording[]) {
    const sum = sums.get(behaviour) ?? { behaviour, passed: 0, total: 0 };
    sums.set(behaviour, { behaviour, passed: sum.passed + passed, total: sum.total + total });
  }
  return [...sums.values()].sort((a, b) => (a.behaviour < b.behaviour ? -1 : 1));
}
