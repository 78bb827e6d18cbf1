/** What every back end must do: one suite, run on each in a real browser. */
import { expect, type Page, test } from "@playwright/test";
import type { Program, RunError } from "../../../src/sandbox/runtime/types.ts";
import { ask, CONTROLLER, decide } from "./edits.ts";
import { miniSimSource, runInNode } from "./mini-sim.ts";
import type { Collected, RunOptions } from "./runtime-page.ts";
import { serveRuntimeSite } from "./runtime-site.ts";
import type { Served } from "./serve.ts";
import { type Peer, startPeer } from "./webcontainer-peer.ts";

const base: Program = { files: {}, scenario: {}, seed: 7, inputs: ask(3) };

export function runtimeContract(kind: "worker" | "webcontainer"): void {
  test.describe(`the ${kind} runtime`, () => {
    let site: Served;
    let peer: Peer;
    let page: Page;

    test.beforeAll(async ({ browser }) => {
      [site, peer] = await Promise.all([serveRuntimeSite(kind === "webcontainer"), startPeer()]);
      page = await browser.newPage();
      await page.addInitScript(
        `globalThis.WEBCONTAINER_API_IFRAME_URL = ${JSON.stringify(peer.origin)}`,
      );
      await page.goto(`${site.origin}/index.html`);
      expect(await page.evaluate((k) => window.sandbox.boot(k), kind)).toBe("");
    });

    test.afterAll(async () => {
      await page.evaluate(() => window.sandbox.dispose());
      await page.close();
      await Promise.all([site.close(), peer.close()]);
    });

    const run = (program: Partial<Program>, options: RunOptions = {}): Promise<Collected> =>
      page.evaluate(([p, o]) => window.sandbox.run(p, o), [
        { ...base, ...program },
        options,
      ] as const);

    const failure = async (program: Partial<Program>): Promise<RunError> => {
      const { end } = await run(program);
      if (end.ok) throw new Error(`the run ended well: ${JSON.stringify(end.result)}`);
      expect(end.error.key).toBe(`sandbox.error.${end.error.kind}`);
      return end.error;
    };

    const podsOf = ({ messages }: Collected) =>
      messages
        .flatMap((message) => (message.type === "rows" ? message.rows : []))
        .filter((row) => row.verb === "write" && row.object?.kind === "Pod");

    test("runs a program and streams its rows, its console and its result", async () => {
      const collected = await run({});
      expect(podsOf(collected)).toHaveLength(3);
      const types = new Set(collected.messages.map((message) => message.type));
      expect([...types].sort()).toEqual(["console", "result", "rows"]);
      expect(collected.end).toMatchObject({ ok: true, result: { reason: "idle", steps: 9 } });
      const line = collected.messages.find((message) => message.type === "console");
      expect(line).toMatchObject({
        line: { from: "kubectl", text: "replicaset.apps/web created" },
      });
    });

    test("gives the same run for the same seed and another for another", async () => {
      const hashes = [];
      for (const seed of [7, 7, 8]) {
        const { end } = await run({ seed });
        hashes.push(end.ok && end.result.hash);
      }
      const here = await runInNode(miniSimSource(), base);
      expect(hashes[0]).toBe(here.hash); // The same on every back end, and here.
      expect(hashes[1]).toBe(hashes[0]);
      expect(hashes[2]).not.toBe(hashes[0]);
    });

    test("an edit changes what the cluster does, and leaving it out undoes that", async () => {
      expect(podsOf(await run({ files: decide("return wanted * 2 - pods.length;") }))).toHaveLength(
        6,
      );
      expect(podsOf(await run({}))).toHaveLength(3);
    });

    test("an edit may add a module of its own", async () => {
      const files: Record<string, string> = {
        ...decide("return doubled(wanted) - pods.length;"),
        "controllers/double.ts": "export const doubled = (n: number): number => n * 2;\n",
      };
      files[CONTROLLER] = files[CONTROLLER]!.replace(
        'from "./names.ts";',
        'from "./names.ts";import { doubled } from "./double.ts";',
      );
      expect(podsOf(await run({ files }))).toHaveLength(6);
    });

    test("an edited module and an unedited one share their classes", async () => {
      const source = await page.evaluate(() => window.sandbox.source("session.ts"));
      const files = {
        "session.ts": source.replace(
          "const store = new Store(kernel);",
          'const store = new Store(kernel); if (!(kernel instanceof Kernel)) throw new Error("two kernels");',
        ),
      };
      expect(podsOf(await run({ files }))).toHaveLength(3);
    });

    test("what the reader's code prints is on the console", async () => {
      const { messages } = await run({
        files: decide('console.warn("wanted", wanted, [1]); return 0;'),
      });
      const lines = messages.flatMap((message) =>
        message.type === "console" ? [message.line] : [],
      );
      const line = lines.find(({ from }) => from === "code");
      expect(line).toMatchObject({ level: "warn", atMs: 11 });
      expect(line?.text).toMatch(/^wanted 3 \[\s?1\s?\]$/);
    });

    test("answers questions about a finished run", async () => {
      const first = await run({});
      const [pod] = podsOf(first);
      const { answers } = await run(
        {},
        {
          questions: [
            { ask: "entry", id: 1 },
            { ask: "why", id: pod!.id },
            { ask: "object", subject: pod!.subject, atId: 999 },
            { ask: "object", subject: pod!.subject, atId: 1 },
          ],
        },
      );
      expect(answers[0]).toMatchObject({ verb: "input", detail: { do: "apply" } });
      expect(answers[1]).toEqual([4, 3, 2, 1]);
      expect(answers[2]).toMatchObject({ kind: "Pod", namespace: "default" });
      expect(answers[3]).toBeNull();
    });

    test("tells which line of which file recorded an entry", async () => {
      const { answers } = await run({}, { questions: [{ ask: "stack", id: 4 }] });
      const files = (answers[0] as { file: string; line: number }[]).map(
        ({ file, line }) => `${file}:${line}`,
      );
      expect(files).toContain("controllers/replicaset.ts:15");
      expect(files.indexOf("store.ts:35")).toBeLessThan(
        files.indexOf("controllers/replicaset.ts:15"),
      );
    });

    test("kills an endless loop and runs again", async () => {
      const { value: error, pauseMs } = await page.evaluate(
        (program) =>
          window.sandbox.longestPause(async () => (await window.sandbox.run(program)).end),
        { ...base, files: decide("for (;;) {}") },
      );
      expect(error).toMatchObject({ ok: false, error: { kind: "unresponsive" } });
      expect(pauseMs).toBeLessThan(500);
      expect(podsOf(await run({}))).toHaveLength(3);
    });

    test("kills an endless loop at the top of a module", async () => {
      const files = decide("return 0;");
      files[CONTROLLER] += "\nfor (;;) {}\n";
      expect(await failure({ files })).toMatchObject({ kind: "unresponsive" });
    });

    test("survives a memory bomb", async () => {
      const files = decide(
        "const all: number[][] = []; for (;;) all.push(new Array(1e6).fill(all.length));",
      );
      const error = await failure({ files });
      expect(["unresponsive", "memory", "crashed"]).toContain(error.kind);
      expect(podsOf(await run({}))).toHaveLength(3);
    });

    test("bounds a flood of console lines", async () => {
      const files = decide('for (let i = 0; i < 50_000; i++) console.log("again", i); return 0;');
      const { messages, end } = await run({ files });
      expect(end.ok).toBe(true);
      const lines = messages.filter((message) => message.type === "console");
      expect(lines.length).toBeLessThanOrEqual(1_000);
      expect(lines.length).toBeGreaterThan(900);
    });

    test("says where a syntax error is", async () => {
      const files = decide("return wanted -;");
      expect(await failure({ files })).toMatchObject({ kind: "syntax", file: CONTROLLER, line: 7 });
    });

    test("says where an error is that only the engine sees", async () => {
      const files = decide("const twice = 1;\n  const twice = 2;\n  return twice;");
      expect(await failure({ files })).toMatchObject({ kind: "syntax", file: CONTROLLER, line: 8 });
    });

    test("names an import cycle", async () => {
      const files = {
        "controllers/names.ts": `import { podsMissing } from "./replicaset.ts";\nexport const podName = () => String(podsMissing(1, []));\n`,
      };
      expect(await failure({ files })).toMatchObject({
        kind: "cycle",
        file: "controllers/names.ts",
        line: 1,
        params: { path: "controllers/names.ts → controllers/replicaset.ts → controllers/names.ts" },
      });
    });

    test("names an unknown import and a missing export", async () => {
      const missing = {
        "controllers/names.ts": `import { x } from "./nothing.ts";\nexport const podName = x;\n`,
      };
      expect(await failure({ files: missing })).toMatchObject({
        kind: "unknown-import",
        line: 1,
        params: { specifier: "./nothing.ts" },
      });
      const gone = { "controllers/names.ts": "export const podname = () => 'x';\n" };
      expect(await failure({ files: gone })).toMatchObject({
        kind: "missing-export",
        params: { name: "podName", importer: CONTROLLER },
      });
    });

    test("refuses syntax that is more than types", async () => {
      const files = {
        "controllers/names.ts": "\nenum Color { Red }\nexport const podName = () => Color.Red;\n",
      };
      expect(await failure({ files })).toMatchObject({
        kind: "non-erasable",
        file: "controllers/names.ts",
        line: 2,
        params: { construct: "enum" },
      });
    });

    test("a throw in reconcile is told with its line, and the run goes on", async () => {
      const { messages, end } = await run({ files: decide('throw new Error("no idea");') });
      expect(end.ok).toBe(true);
      const errors = messages.flatMap((message) =>
        message.type === "error" ? [message.error] : [],
      );
      expect(errors).toHaveLength(1);
      expect(errors[0]).toMatchObject({
        kind: "throw",
        fatal: false,
        message: "no idea",
        file: CONTROLLER,
        line: 7,
        params: { actor: "replicaset-controller" },
      });
    });

    test("a throw at the top of a module ends the run with its line", async () => {
      const files = decide("return 0;");
      files[CONTROLLER] += "throw new TypeError('at once');\n";
      const error = await failure({ files });
      expect(error).toMatchObject({
        kind: "throw",
        file: CONTROLLER,
        line: 32,
        message: "at once",
      });
    });

    test("an error in an unedited file leads to the edited line that called it", async () => {
      const files = decide("return 1;");
      const bad = "kernel.after(-1, () => {}); await kernel.sleep(2)";
      files[CONTROLLER] = files[CONTROLLER]!.replace("await kernel.sleep(2)", bad)
        .replace("try {", "{")
        .replace(/catch \(error\) \{[\s\S]*?\n {6}\}/, "");
      const error = await failure({ files });
      expect(error).toMatchObject({
        kind: "throw",
        message: "delay -1 ms",
        file: CONTROLLER,
        line: 13,
      });
      expect(error.frames?.[0]?.file).toBe("kernel/kernel.ts");
    });

    test("an await of what is not the kernel's is told", async () => {
      const files = decide("return 1;");
      files[CONTROLLER] = files[CONTROLLER]!.replace(
        "await kernel.sleep(2)",
        "await new Promise(() => {})",
      );
      expect(await failure({ files })).toMatchObject({
        kind: "stuck",
        params: { actor: "replicaset-controller" },
      });
    });

    test("stops in the middle and keeps what happened until then", async () => {
      const program = { inputs: ask(1_000_000), scenario: { untilMs: 10_000_000 } };
      const { end, messages } = await run(program, { stopAt: "progress" });
      expect(end).toMatchObject({ ok: true, result: { reason: "stopped" } });
      const last = messages.at(-1);
      expect(last?.type).toBe("result");
      const rows = messages.flatMap((message) => (message.type === "rows" ? message.rows : []));
      expect(rows).toHaveLength(end.ok ? end.result.entries : -1);
    });

    test("ends a run at its limits", async () => {
      const inputs = ask(100_000);
      const scenario = { untilMs: 1_000_000 };
      const steps = await run({ inputs, scenario, limits: { steps: 500 } });
      expect(steps.end).toMatchObject({ ok: true, result: { reason: "steps", steps: 500 } });
      const entries = await run({ inputs, scenario, limits: { entries: 1_000 } });
      expect(entries.end).toMatchObject({ ok: true, result: { reason: "entries" } });
    });
  });
}
