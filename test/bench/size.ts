/**
 * The simulator as the page loads it, minified and gzipped: its core, and all
 * that the first lesson is started with; beside them the whole peer.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { SimManifest } from "../../src/sandbox/runtime/manifest.ts";
import { firstParts } from "../../src/sandbox/runtime/parts.ts";
import { atMost, type Measure } from "./bench.ts";

export async function measure(): Promise<Measure[]> {
  const file = join(import.meta.dirname, "../../public/sim/manifest.json");
  const { coreBytes, parts } = JSON.parse(readFileSync(file, "utf8")) as SimManifest;
  const firstBytes = firstParts(parts).reduce((sum, { bytes }) => sum + bytes.gzip, coreBytes.gzip);
  const peer = await peerBytes();
  return [
    atMost("sim-core-gzip", coreBytes.gzip / 1000, "kB", 100, peer / 1000),
    atMost("first-lesson-gzip", firstBytes / 1000, "kB", 160, peer / 1000),
  ];
}

async function peerBytes(): Promise<number> {
  const contents = `export { BaseImage, Cluster } from "@ngrok/webernetes";`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    logLevel: "error",
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
}
