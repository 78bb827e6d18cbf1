/**
 * node scripts/build-sim.ts [--src sim/src] [--entry index.ts] [--out public/sim]
 *
 * Builds the simulator for the page:
 * - core.HASH.js, core.HASH.map: what the first lesson calls, in one minified
 *   script, and from its places back to the sources; NAME.HASH.js and .map for
 *   each part that holds the rest (see sim/bundle.ts);
 * - modules-FOLDER.HASH.json and sources-FOLDER.HASH.json: each module's
 *   JavaScript (types blanked, lines kept) and TypeScript, by folder, fetched
 *   when something there was edited;
 * - graph.HASH.json: who imports what from whom;
 * - worker, runner, eraser, webcontainer: what the back ends need;
 * - manifest.json: the file names, the entry (see manifest.ts).
 * Fails, naming the files, on import cycles (they cannot be linked one by
 * one), on syntax that is more than types and on an exported `let` (a
 * module that stands for one in the bundle could not follow its changes).
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type BuildOptions, build, type OutputFile } from "esbuild";
import { dependencyOrder, findCycle, resolveImport } from "../src/sandbox/runtime/graph.ts";
import { hashText } from "../src/sandbox/runtime/hash.ts";
import {
  folderOf,
  type ManifestModule,
  type SimManifest,
} from "../src/sandbox/runtime/manifest.ts";
import { type CompiledModule, compile } from "../src/sandbox/runtime/transpile.ts";
import { BOOT_SCRIPT } from "../src/sandbox/runtime/worker/frame-page.ts";
import { bundleSim } from "./sim/bundle.ts";
import { profileOf } from "./sim/profile.ts";
import { sizeOf } from "./sim/script.ts";

export interface BuildSimOptions {
  /** Folder of the simulator's source. */
  readonly src: string;
  /** Module that a run starts from, relative to `src`. */
  readonly entry: string;
  readonly out: string;
  /** Whether what the first lesson does not call goes into parts. */
  readonly divided?: boolean;
}

const root = resolve(import.meta.dirname, "..");
const runtime = join(root, "src/sandbox/runtime");

/** Builds and writes everything; returns the manifest. Throws with all errors. */
export async function buildSim(options: BuildSimOptions): Promise<SimManifest> {
  const src = resolve(options.src);
  const sources = readSources(src);
  const compiled = await compileAll(sources);
  const modules = describeModules(sources, compiled, options.entry);

  const profile = options.divided ? await profileOf(sources) : null;
  const { core, parts, late } = await bundleSim({
    src,
    entry: options.entry,
    sources,
    modules,
    profile,
  });
  const [worker, runner, eraser, webcontainer] = await Promise.all([
    script({ entryPoints: [join(runtime, "worker/prelude.ts")], format: "iife" }),
    script({
      entryPoints: [join(runtime, "webcontainer/runner.ts")],
      format: "esm",
      platform: "node",
    }),
    script({ stdin: { contents: ERASER, resolveDir: root }, format: "esm", platform: "browser" }),
    script({ entryPoints: ["@webcontainer/api"], format: "esm", absWorkingDir: root }),
  ]);

  rmSync(options.out, { recursive: true, force: true });
  mkdirSync(options.out, { recursive: true });
  const write = (name: string, ending: string, text: string) => {
    const file = `${name}.${digest(text)}.${ending}`;
    writeFileSync(join(options.out, file), text);
    return file;
  };
  const writeFolders = (name: string, files: ReadonlyMap<string, unknown>) => {
    const folders = Map.groupBy(files, ([path]) => folderOf(path));
    const written = [...folders].map(([folder, inside]) => {
      const text = JSON.stringify(Object.fromEntries(inside));
      return [folder, write(`${name}-${folder || "root"}`, "json", text)] as const;
    });
    return Object.fromEntries(written);
  };
  const graph = [...modules].map(([path, one]) => [path, { ...one, late: late.get(path) }]);
  const manifest: SimManifest = {
    hash: digest(JSON.stringify([...sources])),
    modules: modules.size,
    entry: options.entry,
    files: {
      core: write("core", "js", core.code),
      map: write("core", "map", core.map),
      worker: write("worker", "js", worker),
      graph: write("graph", "json", JSON.stringify(Object.fromEntries(graph))),
      modules: writeFolders("modules", compiled),
      sources: writeFolders("sources", sources),
      runner: write("runner", "js", runner),
      eraser: write("eraser", "js", eraser),
      webcontainer: write("webcontainer", "js", webcontainer),
    },
    coreBytes: sizeOf(core.code),
    coreLines: linesOf(core.code),
    parts: parts.map(({ code, map, ...part }) => ({
      ...part,
      code: write(part.name, "js", code),
      map: write(part.name, "map", map),
      bytes: sizeOf(code),
      lines: linesOf(code),
    })),
    bootScript: `sha256-${createHash("sha256").update(BOOT_SCRIPT).digest("base64")}`,
  };
  writeFileSync(join(options.out, "manifest.json"), JSON.stringify(manifest));
  return manifest;
}

const ERASER = `import { transform } from "sucrase";
export const erase = (source) => transform(source, { transforms: ["typescript"],
  disableESTransforms: true, preserveDynamicImport: true, keepUnusedImports: true }).code;`;

function linesOf(code: string): number {
  return code.split("\n").length;
}

/** Path from `src` → text, sorted by path. */
function readSources(src: string): Map<string, string> {
  const names = readdirSync(src, { recursive: true, encoding: "utf8" });
  const paths = names.map((name) => name.replaceAll("\\", "/"));
  const modules = paths.filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts")).sort();
  return new Map(modules.map((path) => [path, readFileSync(join(src, path), "utf8")]));
}

async function compileAll(
  sources: ReadonlyMap<string, string>,
): Promise<Map<string, CompiledModule>> {
  const compiled = new Map<string, CompiledModule>();
  const errors: string[] = [];
  for (const [path, source] of sources) {
    const result = await compile(path, source);
    if (Array.isArray(result)) {
      for (const error of result) errors.push(`${error.file}:${error.line}: ${error.message}`);
      continue;
    }
    const module = result as CompiledModule;
    if (/^export\s+let\b/m.test(module.code)) errors.push(`${path}: exports a \`let\``);
    compiled.set(path, module);
  }
  if (errors.length > 0) throw new Error(`build-sim:\n${errors.join("\n")}`);
  return compiled;
}

function describeModules(
  sources: ReadonlyMap<string, string>,
  compiled: ReadonlyMap<string, CompiledModule>,
  entry: string,
): Map<string, ManifestModule> {
  const namesOf = (path: string): string[] => {
    const module = compiled.get(path)!;
    const names = new Set(module.exports);
    for (const star of module.stars) {
      for (const name of namesOf(resolveImport(path, star)!))
        if (name !== "default") names.add(name);
    }
    return [...names].sort();
  };
  const modules = new Map<string, ManifestModule>();
  for (const [path, source] of sources) {
    const takes: Record<string, string[]> = {};
    for (const one of compiled.get(path)!.imports) {
      const target = resolveImport(path, one.specifier);
      if (!target || !sources.has(target)) {
        throw new Error(
          `build-sim: ${path} imports ${one.specifier}, which is not in the simulator`,
        );
      }
      takes[target] = [...(takes[target] ?? []), ...one.names];
    }
    const stars = compiled.get(path)!.stars.map((star) => resolveImport(path, star)!);
    modules.set(path, {
      imports: Object.keys(takes),
      takes,
      stars,
      exports: [],
      bundled: false,
      hash: hashText(source),
    });
  }
  const reached = reachedFrom(modules, entry);
  for (const [path, module] of modules) {
    modules.set(path, { ...module, exports: namesOf(path), bundled: reached.has(path) });
  }
  return modules;
}

/** What `entry` imports, near or far. Throws on a cycle anywhere. */
function reachedFrom(modules: ReadonlyMap<string, ManifestModule>, entry: string): Set<string> {
  const edges = new Map([...modules].map(([path, { imports }]) => [path, imports]));
  const cycle = findCycle(edges, edges.keys());
  if (cycle) throw new Error(`build-sim: import cycle ${cycle.join(" → ")}`);
  if (!modules.has(entry)) throw new Error(`build-sim: there is no entry ${entry}`);
  return new Set(dependencyOrder(edges, entry));
}

async function script(options: BuildOptions): Promise<string> {
  return (await bundleOf(options))[0]!.text;
}

async function bundleOf(options: BuildOptions): Promise<OutputFile[]> {
  const result = await build({
    ...options,
    bundle: true,
    minify: true,
    write: false,
    target: "es2022",
    legalComments: "none",
    charset: "utf8",
    logLevel: "silent",
  });
  return result.outputFiles!;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 10);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      src: { type: "string", default: join(root, "sim/src") },
      entry: { type: "string", default: "index.ts" },
      out: { type: "string", default: join(root, "public/sim") },
    },
  });
  const isOwn = resolve(values.src) === join(root, "sim/src");
  const { coreBytes, modules: count, parts } = await buildSim({ ...values, divided: isOwn });
  const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  const total = `sim core: ${count} modules, ${kB(coreBytes.min)}, ${kB(coreBytes.gzip)} gzipped`;
  console.log(`${total} (budget 100 kB)`);
  console.log(parts.map(({ name, bytes }) => `  ${name} ${kB(bytes.gzip)}`).join("\n"));
}
