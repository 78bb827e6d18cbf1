/**
 * Builds the site into `dist`: the simulator's bundle, the pages, the search index.
 * Each stage says in a sentence what it does; a failing stage shows its output and ends the build.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { languages } from "../src/site-languages.ts";
import { asCommand } from "./as-command.ts";

const dist = "dist";

export interface BuildOptions {
  /** Says each stage; silent unless told. */
  say?: (sentence: string) => void;
}

/** Runs the whole build; throws with the output of the stage that failed. */
export function build({ say = () => {} }: BuildOptions = {}): void {
  if (existsSync("scripts/build-sim.ts")) {
    say("Bundling the simulator …");
    run(process.execPath, ["scripts/build-sim.ts"]);
  }
  say("Building the pages …");
  run(process.execPath, [bin("astro", "bin/astro.mjs"), "build"]);
  for (const lang of languages) {
    // Hosts look for the nearest 404.html on the way up; Astro makes a folder of it.
    copyFileSync(join(dist, lang, "404", "index.html"), join(dist, lang, "404.html"));
  }
  say("Making the search index in both languages …");
  run(process.execPath, [bin("pagefind", "lib/runner/bin.cjs"), "--site", dist]);
  say(`Done: ${countPages()} pages in ${dist}/.`);
}

function bin(name: string, path: string): string {
  return join("node_modules", name, path);
}

function run(command: string, args: string[]): void {
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: "1", NO_COLOR: "1" };
  const result = spawnSync(command, args, { encoding: "utf8", env, maxBuffer: 64 * 1024 * 1024 });
  if (result.status === 0) return;
  const output = `${result.stdout ?? ""}${result.stderr ?? ""}`.trim();
  throw new Error(`${args.join(" ")} failed:\n${output || result.error?.message}`);
}

function countPages(): number {
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith("index.html")).length;
}

if (import.meta.main) asCommand(() => build({ say: console.log }));
