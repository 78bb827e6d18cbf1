/**
 * From the click on Run to the first output, in Chromium, with the worker:
 * cold (nothing of the sandbox loaded yet), warm (the next run of the same
 * page), and how soon an endless loop is killed and the page runs again.
 *
 *     npx node test/bench/runtime.ts [--mini]   (--mini: the tests' simulator)
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import type { Program } from "../../src/sandbox/runtime/types.ts";
import { findBrowser } from "../browser/support/browser.ts";
import { miniSimSource } from "../browser/support/mini-sim.ts";
import { serveRuntimeSite } from "../browser/support/runtime-site.ts";
import { atMost, type Measure, median } from "./bench.ts";

const ROUNDS = 7;
/** Between two clicks, in ms. */
const REST_MS = 400;
const EDITED = "controllers/replicaset.ts";
const DEPLOYMENT = `apiVersion: apps/v1
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
const program: Program = {
  files: {},
  scenario: {},
  seed: 1,
  inputs: [{ atMs: 1_000, do: "apply", yaml: DEPLOYMENT }],
};

interface Times {
  readonly cold: number;
  readonly warm: number;
  readonly editColdMs: number;
  readonly editWarmMs: number;
  readonly kill: number;
  readonly pause: number;
}

export async function measure(mini = false): Promise<Measure[]> {
  const src = mini ? miniSimSource() : join(import.meta.dirname, "../../sim/src");
  const source = readFileSync(join(src, EDITED), "utf8");
  // In parts, as the page gets it.
  const site = await serveRuntimeSite(true, { src, entry: "index.ts", divided: !mini });
  const { executablePath, args, env } = await findBrowser();
  const browser = await chromium.launch({ executablePath, args, env });
  try {
    const times: Times[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const context = await browser.newContext(); // Its caches are empty.
      const page = await context.newPage();
      await page.goto(`${site.origin}/index.html`);
      await page.waitForFunction(() => "sandbox" in window);
      await page.waitForTimeout(REST_MS); // The browser has put the last page away.
      times.push(await timesOf(page, source));
      await context.close();
    }
    const of = (name: keyof Times) => median(times.map((one) => one[name]));
    return [
      atMost("run-cold", of("cold"), "ms", 300),
      atMost("run-warm", of("warm"), "ms", 50),
      atMost("run-edited-cold", of("editColdMs"), "ms", 500),
      atMost("run-edited-warm", of("editWarmMs"), "ms", 150),
      atMost("kill-loop", of("kill"), "ms", 1_500),
      atMost("kill-loop-page-pause", of("pause"), "ms", 200),
    ];
  } finally {
    await browser.close();
    await site.close();
  }
}

async function timesOf(page: Page, source: string): Promise<Times> {
  const firstMs = async (files: Record<string, string> = {}) => {
    const { end, firstMs } = await page.evaluate((p) => window.sandbox.run(p), {
      ...program,
      files,
    });
    if (!end.ok) throw new Error(`The run failed: ${end.error.message}`);
    await page.waitForTimeout(REST_MS); // The reader reads; the spare worker starts.
    return firstMs;
  };
  const edited = { [EDITED]: `${source}\n// edited\n` };
  const cold = await firstMs();
  const warm = median([await firstMs(), await firstMs(), await firstMs()]);
  const editColdMs = await firstMs(edited);
  const editWarmMs = median([await firstMs(edited), await firstMs(edited), await firstMs(edited)]);
  const loops = source.replace(
    /^export async function reconcile\([\s\S]*?\{\n/m,
    "$&  for (;;) {}\n",
  );
  if (loops === source) throw new Error(`${EDITED} has no reconcile.`);
  const loop = { ...program, files: { [EDITED]: loops } };
  const { pauseMs, value } = await page.evaluate(
    (p) => window.sandbox.longestPause(() => window.sandbox.run(p)),
    loop,
  );
  if (value.end.ok || value.end.error.kind !== "unresponsive")
    throw new Error("The loop was not killed.");
  return { cold, warm, editColdMs, editWarmMs, kill: value.endMs, pause: pauseMs };
}

if (import.meta.main) {
  for (const { name, value, unit, budget, ok } of await measure(process.argv.includes("--mini"))) {
    console.log(`${ok ? "ok  " : "MISS"} ${name}: ${value} ${unit} (budget ${budget} ${unit})`);
  }
}
