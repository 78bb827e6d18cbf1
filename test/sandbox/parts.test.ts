import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import * as sim from "@shikumi/sim";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import labs from "../../content/part-3-journey/01-deployment-to-pod/lab.ts";
import { buildSim } from "../../scripts/build-sim.ts";
import { inputsOf, type Lab } from "../../src/sandbox/lab.ts";
import type {
  ManifestPart,
  SimAssets,
  SimManifest,
  SimScript,
} from "../../src/sandbox/runtime/manifest.ts";
import { Parts } from "../../src/sandbox/runtime/parts.ts";
import {
  CAPS,
  type HostRequest,
  type LoadRequest,
  type StartRequest,
} from "../../src/sandbox/runtime/protocol.ts";
import { type ConnectionEvents, ProgramRun } from "../../src/sandbox/runtime/run.ts";
import { CORE } from "../../src/sandbox/runtime/stack.ts";
import type { Program, Row } from "../../src/sandbox/runtime/types.ts";
import { WorkerConnection } from "../../src/sandbox/runtime/worker/connection.ts";
import { SpawnedWorker } from "../../src/sandbox/runtime/worker/frame.ts";

const out = mkdtempSync(join(tmpdir(), "parts-"));
let manifest: SimManifest;
const read = (name: string) => readFileSync(join(out, name), "utf8");

beforeAll(async () => {
  const src = resolve(import.meta.dirname, "../../sim/src");
  manifest = await buildSim({ src, entry: "index.ts", out, divided: true });
}, 300_000);
afterAll(() => rmSync(out, { recursive: true, force: true }));

function coreScript(): SimScript {
  const { files, coreLines } = manifest;
  return { name: CORE, code: new Blob([read(files.core)]), lines: coreLines };
}

function partScript({ name, code, lines }: ManifestPart): SimScript {
  return { name, code: new Blob([read(code)]), lines };
}

/** A worker of the page, in a thread. `started` is told the parts of each start. */
function spawnThread(started: (parts: string[]) => void): SpawnedWorker {
  const thread = new Worker(new URL("support/worker-here.ts", import.meta.url), {
    execArgv: [],
    env: {},
  });
  const port = {
    onmessage: null as ((event: { data: unknown }) => void) | null,
    addEventListener() {},
    postMessage(request: HostRequest | LoadRequest) {
      if (request.t === "start") started([...worker.loaded].filter((name) => name !== CORE));
      thread.postMessage(request);
    },
  };
  const kill = () => {
    port.onmessage = null;
    void thread.terminate();
  };
  thread.on("message", (data) => port.onmessage?.({ data }));
  thread.on("error", kill);
  const worker = new SpawnedWorker(port as unknown as MessagePort, kill);
  return worker;
}

interface Seen {
  readonly hash: string;
  readonly rows: readonly Row[];
  readonly lines: readonly string[];
  /** Names of the parts of each start. */
  readonly starts: readonly string[][];
}

/** Runs the program as the page does, in workers that are given `ahead` before it. */
async function runInParts(program: Program, ahead: readonly SimScript[] = []): Promise<Seen> {
  const assets = {
    manifest: async () => manifest,
    core: async () => coreScript(),
    part: async (part: ManifestPart) => partScript(part),
  } as SimAssets;
  const parts = new Parts(assets);
  const starts: string[][] = [];
  const spawn = async () => {
    const worker = spawnThread((names) => starts.push(names));
    worker.load(ahead, "index.ts");
    return worker;
  };
  const run = new ProgramRun(
    {
      patience: 1,
      startMs: 9_000,
      loadMs: 9_000,
      link: async () => ({ modules: [], edited: [], entry: "index.ts", parts: [], far: {} }),
      frames: async () => [],
      connect: async (start: StartRequest, _: Program, events: ConnectionEvents) => {
        const connection = new WorkerConnection(events, parts, spawn);
        await connection.open(start);
        return connection;
      },
    },
    program,
  );
  const rows: Row[] = [];
  const lines: string[] = [];
  for await (const message of run) {
    if (message.type === "rows") rows.push(...message.rows);
    if (message.type === "console") lines.push(message.line.text);
  }
  const end = await run.end;
  run.dispose();
  if (!end.ok) throw new Error(end.error.message);
  return { hash: end.result.hash, rows, lines, starts };
}

/** Runs the program on the source itself, in which nothing is missing. */
async function runWhole({ scenario, seed, inputs }: Program) {
  const lines: string[] = [];
  const onOutput = ({ text }: { text: string }) => lines.push(text);
  const asTaken = (text: string) =>
    text.length > CAPS.text ? `${text.slice(0, CAPS.text)}…` : text;
  const asSent = (row: Row): Row =>
    JSON.parse(JSON.stringify({ ...row, subject: asTaken(row.subject) }));
  const session = sim.createSession({ scenario, seed, inputs, onOutput });
  await session.run({ maxSteps: 5_000_000 });
  return { rows: [...session.kernel.trace].map((entry) => asSent(sim.rowOf(entry))), lines };
}

const template = `template:
    metadata: { labels: { app: a } }
    spec:
      containers: [{ name: a, image: "nginx:1.27" }]`;
const RUNS: Readonly<Record<string, string>> = {
  Job: `apiVersion: batch/v1
kind: Job
metadata: { name: a }
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{ name: a, image: busybox, command: ["true"] }]`,
  StatefulSet: `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: a }
spec:
  replicas: 2
  serviceName: a
  selector: { matchLabels: { app: a } }
  ${template}`,
  "two documents": `apiVersion: v1
kind: Service
metadata: { name: a }
spec: { selector: { app: a }, ports: [{ port: 80 }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: a }
spec:
  selector: { matchLabels: { app: a } }
  ${template}`,
  "a mistake": "apiVersion: apps/v1\nkind: Deploymnt\nmetadata: { name: a }\n",
  "no YAML": "a: [1, 2\n\tb: 3",
};

const root = resolve(import.meta.dirname, "../..");
const lessons = globSync("content/*/*/lab.ts", { cwd: root }).sort();

/** Parts that a plain run starts with. */
const FIRST = ["machines", "commands"];

describe("a run in core and parts", () => {
  it("begins once with a manifest whose maps stand in one line", async () => {
    const yaml = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: "nginx:1.29" }]
`;
    const inputs = [{ atMs: 1_000, do: "apply", yaml }] as const;
    const { starts } = await runInParts({ files: {}, scenario: {}, seed: 1, inputs: [...inputs] });
    expect(starts).toHaveLength(1);
  });

  it("runs a control plane with the core alone", async () => {
    const program = { files: {}, scenario: { nodes: 0, untilMs: 20_000 }, seed: 5, inputs: [] };
    const { starts, rows } = await runInParts(program);
    expect(starts).toEqual([[]]);
    expect(rows).toEqual((await runWhole(program)).rows);
    const { coreBytes } = manifest;
    expect(coreBytes.gzip).toBeLessThanOrEqual(100_000);
  });

  for (const lab of labs) {
    it(`loads the core, the machines and kubectl alone for the lab ${lab.id}`, async () => {
      for (const seed of [lab.seed, 100, 101]) {
        const inputs = inputsOf(lab, lab.manifest);
        const program = { files: {}, scenario: lab.scenario, seed, inputs };
        const { starts, rows } = await runInParts(program);
        expect(starts[0]).toEqual(FIRST);
        if (seed === lab.seed) expect(starts).toEqual([FIRST]);
        expect(rows).toEqual((await runWhole(program)).rows);
      }
    });
  }

  for (const [name, yaml] of Object.entries(RUNS)) {
    it(`comes the same way as the whole: ${name}`, async () => {
      const inputs = [
        { atMs: 1_000, do: "apply", yaml },
        { atMs: 9_000, do: "kubectl", line: "apply --server-side -f -", stdin: yaml },
        { atMs: 12_000, do: "stop", actor: "node/node-1" },
      ] as const;
      const program = { files: {}, scenario: { nodes: 2, untilMs: 90_000 }, seed: 3, inputs };
      const inParts = await runInParts(program);
      const whole = await runWhole(program);
      expect(inParts.rows).toEqual(whole.rows);
      expect(inParts.lines).toEqual(whole.lines.filter((line) => line !== ""));
      expect(inParts.starts.length).toBeLessThanOrEqual(3);
    });
  }

  it("comes the same way in a worker that has all parts, in whatever order they came", async () => {
    const { parts } = manifest;
    const scripts = [coreScript(), ...parts.map(partScript)];
    const tableLast = [
      ...scripts.filter(({ name }) => name !== "table"),
      ...scripts.filter(({ name }) => name === "table"),
    ];
    const [lab] = labs;
    const program = {
      files: {},
      scenario: lab!.scenario,
      seed: 7,
      inputs: inputsOf(lab!, lab!.manifest),
    };
    const plain = await runInParts(program);
    for (const ahead of [scripts, tableLast]) {
      const all = await runInParts(program, ahead);
      expect(all.starts[0]).toHaveLength(parts.length);
      expect(all.hash).toBe(plain.hash);
    }
  });

  // One lab of each lesson, not always the first.
  for (const [i, file] of lessons.entries()) {
    it(`comes the same way as the whole: ${file.split("/")[2]}`, async () => {
      const all = ((await import(join(root, file))) as { default: readonly Lab[] }).default;
      const lab = all[i % all.length]!;
      const inputs = inputsOf(lab, lab.manifest);
      const program = { files: {}, scenario: lab.scenario, seed: lab.seed, inputs };
      const inParts = await runInParts(program);
      expect(inParts.rows).toEqual((await runWhole(program)).rows);
      expect(inParts.starts.length).toBeLessThanOrEqual(3);
    });
  }

  it("has a core that is the smaller part of the whole, and parts in the order of their needs", () => {
    const { coreBytes, parts } = manifest;
    const rest = parts.reduce((sum, { bytes }) => sum + bytes.gzip, 0);
    expect(coreBytes.gzip).toBeLessThan(rest);
    const names = parts.map(({ name }) => name);
    for (const { name, needs } of parts) {
      for (const one of needs) expect(names.indexOf(one)).toBeLessThan(names.indexOf(name));
    }
  });
});
