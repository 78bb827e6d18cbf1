/** Builds the small simulator of test/fixtures with the real kernel in it. */
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { buildSim } from "../../../scripts/build-sim.ts";
import { ProgramHost } from "../../../src/sandbox/runtime/host.ts";
import type { SimManifest } from "../../../src/sandbox/runtime/manifest.ts";
import {
  DEFAULT_LIMITS,
  type Program,
  type RunResult,
} from "../../../src/sandbox/runtime/types.ts";

const root = resolve(import.meta.dirname, "../../..");

/** A folder with the source of the small simulator, ready to be built. */
export function miniSimSource(): string {
  const src = mkdtempSync(join(tmpdir(), "mini-sim-"));
  cpSync(join(root, "test/fixtures/mini-sim"), src, { recursive: true });
  cpSync(join(root, "sim/src/kernel"), join(src, "kernel"), { recursive: true });
  return src;
}

export function buildMiniSim(out: string): Promise<SimManifest> {
  return buildSim({ src: miniSimSource(), entry: "index.ts", out });
}

/** Runs the unedited small simulator here, in this process. */
export function runInProcess(src: string, { scenario, seed, inputs }: Program): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const host = new ProgramHost({
      post: (text) => {
        const message = JSON.parse(text);
        if (message.t === "result") resolve(message.result);
        if (message.t === "error") reject(new Error(message.error.message));
      },
      now: () => performance.now(),
      breathe: () => new Promise((done) => setImmediate(done)),
      load: () => import(pathToFileURL(join(src, "index.ts")).href),
      normalise: (stack) => stack,
      heapBytes: () => 0,
    });
    const program = { entry: "index.ts", modules: [], edited: [] };
    const rest = { limits: DEFAULT_LIMITS, quiet: false, stackAt: 0 };
    host.handle({ t: "start", program, scenario, seed, inputs, ...rest });
  });
}
