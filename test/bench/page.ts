/**
 * The built article as a reader gets it: JavaScript before any interaction,
 * Lighthouse's four scores, layout shift, and what the editor costs.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { chromium } from "playwright-core";
import { serve } from "../../scripts/serve-static.ts";
import { findBrowser } from "../browser/support/browser.ts";
import { atLeast, atMost, type Measure } from "./bench.ts";

const DIST = join(import.meta.dirname, "../../dist");
const PATHS = ["/ja/deployment-to-pod/", "/en/deployment-to-pod/"];

export async function measure(): Promise<Measure[]> {
  const { server, port } = await serve({ dir: DIST, port: 0 });
  const origin = `http://127.0.0.1:${port}`;
  try {
    const kilobytes: number[] = [];
    for (const path of PATHS) kilobytes.push(await scriptKilobytes(`${origin}${path}`));
    return [
      atMost("article-js-gzip", Math.max(...kilobytes), "kB", 40),
      atMost("editor-gzip", editorKilobytes(), "kB", 150),
      ...(await scores(`${origin}${PATHS[0]}`)),
    ];
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** All scripts that the page has fetched when it is idle, gzipped. */
async function scriptKilobytes(url: string): Promise<number> {
  const browser = await chromium.launch(await findBrowser());
  try {
    const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
    const sizes: Promise<number>[] = [];
    page.on("response", (response) => {
      if (response.request().resourceType() !== "script") return;
      sizes.push(response.body().then((body) => gzipSync(body).length));
    });
    await page.goto(url, { waitUntil: "networkidle" });
    const inline = await page.evaluate(() =>
      [...document.scripts]
        .filter((script) => !script.src && script.type !== "application/json")
        .map((script) => script.text),
    );
    const fetched = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    return (fetched + gzipSync(inline.join("\n")).length) / 1000;
  } finally {
    await browser.close();
  }
}

/** What the first focus of an editor loads: its chunk and all it imports. */
function editorKilobytes(): number {
  const folder = join(DIST, "_astro");
  const start = readdirSync(folder).filter((name) => /^codemirror\..*\.js$/.test(name));
  if (start.length === 0) throw new Error("dist holds no editor: run npm run build first.");
  const seen = new Set<string>();
  let bytes = 0;
  for (const todo = [...start]; todo.length > 0; ) {
    const name = todo.pop()!;
    if (seen.has(name)) continue;
    seen.add(name);
    const code = readFileSync(join(folder, name));
    bytes += gzipSync(code).length;
    for (const [, file] of code.toString().matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g))
      todo.push(file!);
  }
  return bytes / 1000;
}

async function scores(url: string): Promise<Measure[]> {
  const { executablePath, args, env } = await findBrowser();
  const chrome = await launch({
    chromePath: executablePath,
    chromeFlags: ["--headless", ...args],
    envVars: env,
  });
  try {
    const result = await lighthouse(url, { port: chrome.port, output: "json", logLevel: "error" });
    const { categories, audits } = result!.lhr;
    const names = ["performance", "accessibility", "best-practices", "seo"];
    return [
      ...names.map((name) =>
        atLeast(`lighthouse-${name}`, (categories[name]?.score ?? 0) * 100, "points", 98),
      ),
      atMost("layout-shift", audits["cumulative-layout-shift"]?.numericValue ?? 1, "", 0.01),
    ];
  } finally {
    chrome.kill();
  }
}
