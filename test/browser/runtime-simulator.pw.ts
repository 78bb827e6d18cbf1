/** The simulator itself in both back ends: one run is one value, everywhere. */
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import type { Program } from "../../src/sandbox/runtime/types.ts";
import { NGINX } from "../fixtures/nginx-deployment.ts";
import { runInNode } from "./support/mini-sim.ts";
import type { Collected, RunOptions } from "./support/runtime-page.ts";
import { serveRuntimeSite } from "./support/runtime-site.ts";
import type { Served } from "./support/serve.ts";
import { type Peer, startPeer } from "./support/webcontainer-peer.ts";

const program: Program = {
  files: {},
  scenario: { nodes: 2, untilMs: 20_000 },
  seed: 5,
  inputs: [{ atMs: 500, do: "apply", yaml: NGINX }],
};

const root = resolve(import.meta.dirname, "../..");
/** A copy, so that what is built and what runs here are the same. */
const src = mkdtempSync(join(tmpdir(), "simulator-"));
let site: Served;
let peer: Peer;
let page: Page;

test.describe.configure({ timeout: 90_000 }); // Seven hundred modules, on a machine that may be busy.

test.beforeAll(async ({ browser }) => {
  test.setTimeout(120_000); // The division runs the first lesson, too.
  await cp(join(root, "sim/src"), src, { recursive: true });
  [site, peer] = await Promise.all([
    serveRuntimeSite(true, { src, entry: "index.ts", divided: true }),
    startPeer(),
  ]);
  page = await browser.newPage();
  await page.addInitScript(
    `globalThis.WEBCONTAINER_API_IFRAME_URL = ${JSON.stringify(peer.origin)}`,
  );
  await page.goto(`${site.origin}/index.html?loadMs=20000`);
  await page.waitForFunction(() => "sandbox" in window);
});

test.afterAll(async () => {
  await page.evaluate(() => window.sandbox.dispose());
  await page.close();
  await Promise.all([site.close(), peer.close()]);
  rmSync(src, { recursive: true, force: true });
});

const run = (files = {}, options: RunOptions = {}): Promise<Collected> =>
  page.evaluate(([p, o]) => window.sandbox.run(p, o), [{ ...program, files }, options] as const);

const rowsOf = ({ messages }: Collected) =>
  messages.flatMap((message) => (message.type === "rows" ? message.rows : []));

const source = (path: string) => page.evaluate((p) => window.sandbox.source(p), path);

test("a run is the same value in Node, in the worker and in the container's process", async () => {
  const here = await runInNode(src, program);
  expect(here.entries).toBeGreaterThan(100);
  const inWorker = await run();
  expect(inWorker.end).toMatchObject({ ok: true, result: { hash: here.hash, steps: here.steps } });
  expect(rowsOf(inWorker)).toHaveLength(here.entries);
  expect(await page.evaluate(() => window.sandbox.boot("webcontainer"))).toBe("");
  const inContainer = await run();
  expect(inContainer.end).toMatchObject({
    ok: true,
    result: { hash: here.hash, steps: here.steps },
  });
  await page.evaluate(() => window.sandbox.boot("worker"));
});

test("an edit that changes nothing gives the same run, wherever in the graph it is", async () => {
  const plain = await run();
  const all = globSync("**/*.ts", { cwd: src }).sort();
  const some = all.filter((_, i) => i % 211 === 0);
  for (const path of ["controllers/replicaset.ts", "kernel/trace.ts", "index.ts", ...some]) {
    const { end } = await run({ [path]: `${await source(path)}\n// The same.\n` });
    expect(end, path).toMatchObject({
      ok: true,
      result: { hash: plain.end.ok && plain.end.result.hash },
    });
  }
});

test("an edited module finds what lies in parts when it calls it", async () => {
  const yaml = `apiVersion: batch/v1
kind: Job
metadata: { name: pi }
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{ name: pi, image: busybox, command: ["true"] }]
`;
  const inputs = [
    { atMs: 500, do: "apply", yaml },
    { atMs: 9_000, do: "kubectl", line: "describe job pi" },
  ] as const;
  const withJob = { ...program, inputs: [...inputs] };
  const runJob = (files: Record<string, string>) =>
    page.evaluate((p) => window.sandbox.run(p), { ...withJob, files });
  const here = await runInNode(src, withJob);
  for (const path of [
    "controllers/replicaset.ts",
    "controllers/job/job.ts",
    "kubectl/kubectl.ts",
  ]) {
    const { end } = await runJob({ [path]: `${await source(path)}\n// The same.\n` });
    expect(end, path).toMatchObject({ ok: true, result: { hash: here.hash } });
  }
});

test("what imports an edited module makes instances of classes that lie in parts", async () => {
  const rich = { ...program, scenario: { nodes: 2, untilMs: 9_000, storage: true, cloud: "VIP" } };
  const here = await runInNode(src, rich as Program);
  const path = "controllers/replicaset.ts"; // cluster.ts is made afresh, too.
  const files = { [path]: `${await source(path)}\n// The same.\n` };
  const { end } = await page.evaluate((p) => window.sandbox.run(p), { ...rich, files } as Program);
  expect(end).toMatchObject({ ok: true, result: { hash: here.hash } });
});

test("a write leads to its object, its causes and the line that made it", async () => {
  const rows = rowsOf(await run());
  const write = rows.find((row) => row.verb === "write" && row.object?.kind === "ReplicaSet")!;
  const request = rows.find(
    (row) => row.verb === "request" && /^POST replicasets/.test(row.subject),
  )!;
  const { answers } = await run(
    {},
    {
      questions: [
        { ask: "object", subject: write.subject, atId: write.id },
        { ask: "why", id: write.id },
        { ask: "stack", id: request.id },
      ],
    },
  );
  expect(answers[0]).toMatchObject({ kind: "ReplicaSet", spec: { replicas: 3 } });
  const causes = answers[1] as number[];
  expect(causes).toContain(request.id);
  expect(rows.find(({ id }) => id === causes.at(-1))).toMatchObject({
    actor: "you",
    verb: "input",
  });
  const frames = answers[2] as { file: string; line: number }[];
  const frame = frames.find(({ file }) => file.startsWith("controllers/deployment/"))!;
  const line = (await source(frame.file)).split("\n")[frame.line - 1];
  expect(line).toMatch(/create|client|await/);
});
