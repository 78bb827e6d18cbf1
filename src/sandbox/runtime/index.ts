/** The sandbox's runtimes: what the rest of the site imports. */
import { SimAssets } from "./manifest.ts";
import { BootError, type BootOptions, type SimRuntime } from "./types.ts";
import { WorkerRuntime } from "./worker/runtime.ts";

export { editedModules, modulePath } from "./link.ts";
export { warmEditing } from "./load.ts";
export { SimAssets, type SimManifest } from "./manifest.ts";
export { actingFrame } from "./stack.ts";
export * from "./types.ts";
export { WorkerRuntime } from "./worker/runtime.ts";

/** The worker back end over the simulator built at `base` (`…/sim/`). */
export function createWorkerRuntime(assets: SimAssets | string | URL): SimRuntime {
  return new WorkerRuntime(assets instanceof SimAssets ? assets : new SimAssets(assets));
}

/** The WebContainer back end; its code is loaded here and now, not before. */
export async function createWebContainerRuntime(assets: SimAssets): Promise<SimRuntime> {
  const { WebContainerRuntime } = await import("./webcontainer/runtime.ts");
  return new WebContainerRuntime(assets);
}

/** A runtime that runs, and why it is not the one that was asked for. */
export interface Booted {
  readonly runtime: SimRuntime;
  /** Set if the WebContainer did not start; `key` names the sentence. */
  readonly fellBack?: BootError;
}

/** Boots a WebContainer; if it cannot, the worker takes its place. */
export async function bootWebContainerOr(
  worker: SimRuntime,
  assets: SimAssets,
  options: BootOptions,
): Promise<Booted> {
  let container: SimRuntime | null = null;
  try {
    container = await createWebContainerRuntime(assets);
    await container.boot(options);
    return { runtime: container };
  } catch (thrown) {
    await container?.dispose();
    const fellBack =
      thrown instanceof BootError ? thrown : new BootError("load-failed", String(thrown));
    return { runtime: worker, fellBack };
  }
}
