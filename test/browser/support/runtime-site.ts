/** Builds and serves the small site of the runtime's tests. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { buildSim } from "../../../scripts/build-sim.ts";
import { miniSimSource } from "./mini-sim.ts";
import { type Served, serveFolder } from "./serve.ts";

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Runtime</title>
<body><script type="module" src="page.js"></script></body></html>`;

/** `sim`: source folder and entry; the small simulator unless told. */
export async function serveRuntimeSite(
  isolated: boolean,
  sim: { src: string; entry: string; divided?: boolean } = {
    src: miniSimSource(),
    entry: "index.ts",
  },
): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), "runtime-site-"));
  await buildSim({ ...sim, out: join(folder, "sim") });
  await build({
    entryPoints: { page: join(import.meta.dirname, "runtime-page.ts") },
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
  });
  writeFileSync(join(folder, "index.html"), PAGE);
  const served = await serveFolder(folder, isolated);
  return {
    ...served,
    close: async () => {
      await served.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
