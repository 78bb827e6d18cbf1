/** Links programs with the built simulator's files, fetching what an edit needs. */
import { type LinkedProgram, link } from "./link.ts";
import type { SimAssets } from "./manifest.ts";
import type { Program } from "./types.ts";

/** Throws LinkError with all that is wrong in the reader's files. */
export async function linkWith(assets: SimAssets, program: Program): Promise<LinkedProgram> {
  const { entry } = await assets.manifest();
  return link(
    {
      entry,
      graph: () => assets.graph(),
      modules: () => assets.modules(),
      compiler: async () => (await import("./transpile.ts")).compile,
    },
    program.files,
  );
}

/** Fetches ahead what a run with edits needs: call it when editing begins. */
export async function warmEditing(assets: SimAssets): Promise<void> {
  await Promise.all([assets.graph(), assets.modules(), import("./transpile.ts")]);
}
