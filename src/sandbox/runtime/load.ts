/** Links programs with the built simulator's files, fetching what an edit needs. */
import { withImporters } from "./graph.ts";
import { type LinkedProgram, link } from "./link.ts";
import type { SimAssets } from "./manifest.ts";
import { framesOf, scriptsIn } from "./stack.ts";
import type { Frame, Program } from "./types.ts";

/** Throws LinkError with all that is wrong in the reader's files. */
export async function linkWith(assets: SimAssets, program: Program): Promise<LinkedProgram> {
  const { entry } = await assets.manifest();
  return link(
    {
      entry,
      graph: () => assets.graph(),
      modules: (paths) => assets.modules(paths),
      compiler: async () => (await import("./transpile.ts")).compile,
    },
    program.files,
  );
}

/** The frames of a call stack, those in the bundle's scripts included. */
export async function framesWith(assets: SimAssets, stack: string): Promise<Frame[]> {
  const names = scriptsIn(stack);
  const maps = await Promise.all(names.map((name) => assets.map(name)));
  return framesOf(stack, (script) => maps[names.indexOf(script)]);
}

/** Fetches ahead what a run with an edit of `path` needs: call it when editing begins. */
export async function warmEditing(assets: SimAssets, path: string): Promise<void> {
  const [graph] = await Promise.all([assets.graph(), import("./transpile.ts")]);
  const edges = new Map(Object.entries(graph).map(([one, { imports }]) => [one, imports]));
  await assets.modules(withImporters(edges, [path]));
}
