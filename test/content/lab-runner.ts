/**
 * Runs a lab of `LAB_TS` in a process of its own, with the files of a folder
 * in place of the simulator's: `node lab-runner.ts '{"file": …}'`, prints a
 * Report as JSON. The folder's `manifest.yaml` replaces the lab's manifest.
 */
import { existsSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Lab } from "../../src/sandbox/lab.ts";
import { runsOf } from "./lab-runs.ts";

export interface Asked {
  readonly file: string;
  readonly lab: string;
  readonly overlay: string;
  readonly seeds: number;
  readonly untilFailure: boolean;
}

const { file, lab: id, overlay, ...more } = JSON.parse(process.argv[2]!) as Asked;
const source = pathToFileURL(join(import.meta.dirname, "../../sim/src/")).href;

/** Where the folder has the module at this URL, or would have it. */
function replacementOf(url: string): URL | undefined {
  if (!url.startsWith(source)) return undefined;
  const path = join(overlay, decodeURIComponent(url.slice(source.length)));
  return existsSync(path) ? pathToFileURL(path) : undefined;
}

// The module keeps its address, so that what it imports is found from there.
registerHooks({
  resolve(specifier, context, next) {
    if (/^\.{1,2}\//.test(specifier)) {
      const url = new URL(specifier, context.parentURL).href;
      if (replacementOf(url)) return { url, shortCircuit: true };
    }
    return next(specifier, context);
  },
  load(url, context, next) {
    return next(replacementOf(url)?.href ?? url, context);
  },
});

const sim: typeof import("@shikumi/sim") = await import(`${source}index.ts`);
const labs = (await import(pathToFileURL(file).href)) as { default: readonly Lab[] };
const lab = labs.default.find((one) => one.id === id)!;
const edited = join(overlay, "manifest.yaml");
const manifest = existsSync(edited) ? readFileSync(edited, "utf8") : undefined;
console.log(JSON.stringify(await runsOf({ sim, lab, manifest, ...more })));
