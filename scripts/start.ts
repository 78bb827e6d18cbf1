/**
 * `npm start`: builds the site when something is newer than the last build, serves it, and says
 * where. Options: `--port P` (first port to try), `--host H`, `--build` (always build).
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build.ts";
import { serve } from "./serve-static.ts";

const PORT_FIRST = 4321;
const PORTS_TRIED = 20;
const stamp = "dist/pagefind/pagefind.js"; // The last file that a build writes.
const sources = [
  "astro.config.mjs",
  "package-lock.json",
  "content",
  "public",
  "scripts",
  "sim",
  "src",
];

function newestIn(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const files = readdirSync(path, { recursive: true, encoding: "utf8" });
  return files.reduce((newest, file) => Math.max(newest, statSync(join(path, file)).mtimeMs), 0);
}

function isFresh(): boolean {
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  return sources.filter((path) => existsSync(path)).every((path) => newestIn(path) <= built);
}

async function serveNear(first: number, host: string): Promise<number> {
  for (let port = first; port < first + PORTS_TRIED; port++) {
    try {
      return (await serve({ dir: "dist", port, host })).port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    }
  }
  return (await serve({ dir: "dist", port: 0, host })).port;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: "string" },
      host: { type: "string", default: "127.0.0.1" },
      build: { type: "boolean", default: false },
    },
  });
  const first = values.port === undefined ? PORT_FIRST : Number(values.port);
  if (!Number.isInteger(first) || first < 0 || first > 65_535) {
    throw new Error(`--port ${values.port}: give a number from 0 to 65535.`);
  }
  if (values.build || !isFresh()) build({ say: console.log });
  const port = await serveNear(first, values.host);
  const name = ["127.0.0.1", "0.0.0.0", "::"].includes(values.host) ? "localhost" : values.host;
  if (first !== 0 && port !== first) console.log(`Port ${first} is taken.`);
  console.log(`\n  Shikumi is at http://${name}:${port}/\n\n  Stop it with Ctrl+C.`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
