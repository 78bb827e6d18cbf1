/** Builds the small simulator of test/fixtures with the real kernel in it. */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { buildSim } from "../../../scripts/build-sim.ts";
import type { SimManifest } from "../../../src/sandbox/runtime/manifest.ts";
import {
  DEFAULT_LIMITS,
  type Program,
  type RunResult,
} from "../../../src/sandbox/runtime/types.ts";

const root = resolve(import.meta.dirname, "../../..");

/** A folder with the source of the small simulator; it goes with this process. */
export function miniSimSource(): string {
  const src = mkdtempSync(join(tmpdir(), "mini-sim-"));
  cpSync(join(root, "test/fixtures/mini-sim"), src, { recursive: true });
  cpSync(join(root, "sim/src/kernel"), join(src, "kernel"), { recursive: true });
  process.once("exit", () => rmSync(src, { recursive: true, force: true }));
  return src;
}

export function buildMiniSim(out: string): Promise<SimManifest> {
  return buildSim({ src: miniSimSource(), entry: "index.ts", out });
}

/** Runs the unedited simulator in `src` in a Node process of its own. */
export async function runInNode(src: string, program: Program): Promise<RunResult> {
  const { scenario, seed, inputs } = program;
  const start = {
    ...{ t: "start", scenario, seed, inputs, limits: DEFAULT_LIMITS, quiet: false, stackAt: 0 },
    ...{ after: { rows: 0, lines: 0, failures: 0 } },
    program: { entry: "index.ts", modules: [], edited: [], parts: [], far: {} },
  };
  const hostUrl = pathToFileURL(join(root, "src/sandbox/runtime/host.ts")).href;
  const entryUrl = pathToFileURL(join(src, "index.ts")).href;
  const script = `
import { ProgramHost } from ${JSON.stringify(hostUrl)};
const host = new ProgramHost({
  post(text) {
    const message = JSON.parse(text);
    if (message.t === "result") console.log(JSON.stringify(message.result));
    if (message.t === "error") throw new Error(message.error.message);
  },
  now: () => performance.now(),
  breathe: () => new Promise((done) => setImmediate(done)),
  load: () => import(${JSON.stringify(entryUrl)}),
  normalise: (stack) => stack,
  heapBytes: () => 0,
});
host.handle(${JSON.stringify(start)});`;
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script];
  // Not the test runner's loaders: the process is to be a plain one.
  const env = { ...process.env, NODE_OPTIONS: "" };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout);
}
