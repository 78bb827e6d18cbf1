/** The simulator's core as the page loads it, minified and gzipped. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atMost, type Measure } from "./bench.ts";

export async function measure(): Promise<Measure[]> {
  const manifest = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../public/sim/manifest.json"), "utf8"),
  );
  return [atMost("sim-core-gzip", manifest.coreBytes.gzip / 1000, "kB", 100)];
}
