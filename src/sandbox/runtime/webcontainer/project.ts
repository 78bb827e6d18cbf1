/**
 * The project that is mounted in a WebContainer: the simulator's own files, a
 * runner and a package.json whose `npm test` has nothing to install.
 */
import type { FileSystemTree } from "@webcontainer/api";

const PACKAGE = `{
  "name": "shikumi-sim",
  "private": true,
  "type": "module",
  "scripts": {
    "test": "node --disable-warning=ExperimentalWarning --import ./ts.mjs --test"
  }
}
`;

/** Node 22.18 and later erase types by themselves; an older one gets a hook. */
const TS = `import { register } from "node:module";
if (!process.features.typescript) register("./ts-hook.mjs", import.meta.url);
`;

const TS_HOOK = `import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { erase } from "./eraser.mjs";

export async function load(url, context, next) {
  if (!url.endsWith(".ts")) return next(url, context);
  const source = erase(await readFile(fileURLToPath(url), "utf8"));
  return { format: "module", source, shortCircuit: true };
}
`;

const test = (entry: string) => `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createSession } from "../src/${entry}";

const program = JSON.parse(readFileSync(new URL("../program.json", import.meta.url), "utf8"));

/** Runs the sandbox's program; returns its trace entries. */
async function run(seed) {
  const session = createSession({ ...program, seed, onOutput() {} });
  await session.run({ maxSteps: 5_000_000, stopWhen: () => false, onYield: async () => {} });
  return [...session.kernel.trace];
}

const line = ({ id, atMs, actor, verb, subject, causeId }) => [id, atMs, actor, verb, subject, causeId].join(" ");

test("no component fails", async () => {
  for (const { verb, actor, detail } of await run(program.seed)) {
    if (verb !== "error" || !detail?.stack || /^(Status|Connection)Error/.test(detail.stack)) continue;
    assert.fail(\`\${actor}: \${detail.stack}\`);
  }
});

test("the same seed gives the same run", async () => {
  const first = (await run(program.seed)).map(line);
  assert.deepEqual((await run(program.seed)).map(line), first);
});

test("the run begins with what was asked and causes go back to it", async () => {
  const entries = await run(program.seed + 1);
  for (const { id, causeId } of entries) assert.ok(causeId < id, \`entry \${id} is caused by \${causeId}\`);
});
`;

export interface ProjectParts {
  readonly entry: string;
  /** Paths under `src/`. */
  readonly sources: Readonly<Record<string, string>>;
  readonly runner: string;
  readonly eraser: string;
}

/** All files of the project by path. */
export function projectFiles({
  entry,
  sources,
  runner,
  eraser,
}: ProjectParts): Record<string, string> {
  const files: Record<string, string> = {
    "package.json": PACKAGE,
    "ts.mjs": TS,
    "ts-hook.mjs": TS_HOOK,
    "eraser.mjs": eraser,
    "runner.mjs": runner,
    "test/sim.test.mjs": test(entry),
  };
  for (const [path, source] of Object.entries(sources)) files[`src/${path}`] = source;
  return files;
}

/** Files by path as the tree that `mount` takes. */
export function treeOf(files: Readonly<Record<string, string>>): FileSystemTree {
  const tree: FileSystemTree = {};
  for (const [path, contents] of Object.entries(files)) {
    const parts = path.split("/");
    const name = parts.pop()!;
    let at = tree;
    for (const part of parts) {
      const next = at[part];
      if (next && "directory" in next) at = next.directory;
      else at = (at[part] = { directory: {} }).directory;
    }
    at[name] = { file: { contents } };
  }
  return tree;
}
