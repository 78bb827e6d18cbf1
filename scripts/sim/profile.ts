/**
 * node scripts/sim/profile.ts [SRC]: which functions of the simulator the first
 * lesson's labs call. Prints JSON: path → places of functions that ran. The
 * build puts these in the core and leaves the rest to parts; a function that
 * is missed here is only fetched later.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type * as Sim from "@shikumi/sim";
import { inputsOf, type Lab } from "../../src/sandbox/lab.ts";

type Range = readonly [start: number, end: number];

/** What ran of a module, by offsets in its text. */
export interface ModuleProfile {
  /** The functions that were called. */
  readonly called: readonly Range[];
  /** Stretches inside them that were not reached. */
  readonly unreached: readonly Range[];
}

/** By the module's path. */
export type Profile = Readonly<Record<string, ModuleProfile>>;

const root = resolve(import.meta.dirname, "../..");
const src = resolve(process.argv[2] ?? join(root, "sim/src"));
const lesson = join(root, "content/part-3-journey/01-deployment-to-pod/lab.ts");
/** Chance takes another way with another seed. */
const SEEDS = [1, 2, 3, 5, 7, 11, 42];

/**
 * The profile of these modules (path → text), taken in a process of its own.
 * They are written out for it: the offsets must be those of these very texts.
 */
export async function profileOf(sources: ReadonlyMap<string, string>): Promise<Profile> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sim-profile-")));
  try {
    for (const [path, text] of sources) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const args = ["--disable-warning=ExperimentalWarning", import.meta.filename, folder];
    const env = { ...process.env, NODE_OPTIONS: "" };
    const options = { cwd: root, maxBuffer: 1 << 26, env };
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    return JSON.parse(stdout) as Profile;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runLabs(): Promise<void> {
  const { createSession, rowOf } = (await import(
    pathToFileURL(join(src, "index.ts")).href
  )) as typeof Sim;
  const labs = ((await import(lesson)) as { default: readonly Lab[] }).default;
  for (const lab of labs) {
    for (const seed of new Set([lab.seed, ...SEEDS])) {
      const inputs = inputsOf(lab, lab.manifest);
      const options = { seed, scenario: lab.scenario, inputs, onOutput() {} };
      const session = createSession(options);
      await session.run({ maxSteps: 5_000_000, stopWhen: () => false, onYield: async () => {} });
      const { trace } = session.kernel;
      for (const entry of trace) rowOf(entry);
      trace.why(trace.lastId);
      trace.get(trace.lastId);
    }
  }
}

async function profile(): Promise<Profile> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  // Type erasure leaves every offset where it was.
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  await runLabs();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const found: Record<string, ModuleProfile> = {};
  for (const { url, functions } of result) {
    if (!url.startsWith("file:")) continue;
    const path = relative(src, fileURLToPath(url)).replaceAll("\\", "/");
    if (path.startsWith("..")) continue;
    const ran = functions.filter(({ ranges }) => ranges[0]!.count > 0);
    found[path] = {
      called: ran.map(({ ranges: [whole] }) => [whole!.startOffset, whole!.endOffset]),
      unreached: ran
        .flatMap(({ ranges }) => ranges)
        .filter(({ count }) => count === 0)
        .map(({ startOffset, endOffset }) => [startOffset, endOffset]),
    };
  }
  return found;
}

if (import.meta.main) console.log(JSON.stringify(await profile()));
