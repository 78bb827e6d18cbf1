/**
 * Bundles the simulator: a core and parts, each a script.
 *
 * The core sets `__sim` (path → what the module exports) and `__late`, by
 * which a function that lies in a part is called. A part's script fills in
 * what it holds: cold functions by number in `__late.f`, modules in `__sim`.
 * Where there are parts, the core itself gives the entry alone by its path and
 * the rest as a list without names; the part `table` names them for the others.
 */
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type BuildOptions, build, type OutputFile, type Plugin } from "esbuild";
import { dependencyOrder, resolveImport } from "../../src/sandbox/runtime/graph.ts";
import type { ManifestModule } from "../../src/sandbox/runtime/manifest.ts";
import { PART_RULES, partOf } from "./parts.ts";
import type { Profile } from "./profile.ts";
import { type SplitModule, splitModule } from "./split.ts";

export interface Script {
  readonly name: string;
  readonly code: string;
  readonly map: string;
  /** Parts that must be there before this one, itself not among them. */
  readonly needs: readonly string[];
  /** Numbers of its cold functions: from, up to. */
  readonly functions: readonly [number, number];
  readonly when: string;
}

export interface BundleInput {
  readonly src: string;
  readonly entry: string;
  readonly sources: ReadonlyMap<string, string>;
  readonly modules: ReadonlyMap<string, ManifestModule>;
  /** Without it all is core. */
  readonly profile: Profile | null;
}

const TABLE = "table";
const LATE = `export const late = (n, args, self) => (late.f[n] ?? late.miss(n)).apply(self, args);
late.f = [];
late.miss = (what) => {
  late.told?.(what);
  throw new Error("a part of the simulator is not loaded");
};
globalThis.__late = late;`;
const LATE_IN_PART = `export const late = globalThis.__late;
export const from = (path, name, part) => (globalThis.__sim[path] ?? late.miss(part))[name];
export const inner = (path, name) => globalThis.__inner[path][name];`;

export async function bundleSim(input: BundleInput): Promise<{ core: Script; parts: Script[] }> {
  const bundled = [...input.modules].filter(([, { bundled }]) => bundled).map(([path]) => path);
  if (!input.profile) {
    return { core: (await coreOf(input, new Map(), bundled)).core, parts: [] };
  }
  const division = new Division(input, bundled);
  await division.divide();
  const { core, table } = await coreOf(input, division.splits, [...division.core]);
  const parts = [table];
  for (const name of division.order()) parts.push(await division.part(name));
  return { core, parts };
}

async function coreOf(
  { src, entry, modules }: BundleInput,
  splits: ReadonlyMap<string, SplitModule>,
  paths: readonly string[],
): Promise<{ core: Script; table: Script }> {
  const divided = splits.size > 0;
  const lines: string[] = [];
  const flat: string[] = [];
  const table: string[] = [];
  const innerTable: string[] = [];
  for (const [i, path] of [...paths].sort().entries()) {
    const split = splits.get(path);
    const cold = new Set(split?.functions.map(({ exported }) => exported));
    const names = modules.get(path)!.exports.filter((name) => !cold.has(name));
    const inner = split?.inner ?? [];
    const all = [...names, ...inner].map((name) => `${name} as m${i}_${name}`);
    const at = flat.length;
    flat.push(...[...names, ...inner].map((name) => `m${i}_${name}`));
    const values = (some: readonly string[], from: number) => {
      const pairs = some.map(
        (name, n) => `${name}: ${divided ? `v[${from + n}]` : flat[from + n]}`,
      );
      return `${JSON.stringify(path)}: { ${pairs.join(", ")} }`;
    };
    if (all.length > 0) lines.push(`import { ${all.join(", ")} } from "./${path}";`);
    table.push(values(names, at));
    if (inner.length > 0) innerTable.push(values(inner, at + names.length));
  }
  const all = `{ ${table.join(", ")} }`;
  if (divided) {
    const start = table[[...paths].sort().indexOf(entry)]!.replace(
      /v\[(\d+)\]/g,
      (_, n) => flat[n]!,
    );
    lines.unshift(`import "sim:late";`);
    lines.push(`globalThis.__sim = { ${start} };`);
    lines.push(`globalThis.__values = [${flat.join(", ")}];`);
  } else lines.push(`globalThis.__sim = ${all};`);
  const names = `(() => { const v = __values; globalThis.__sim = ${all};
globalThis.__inner = { ${innerTable.join(", ")} }; })();`;
  const stdin = { contents: lines.join("\n"), resolveDir: src, loader: "js" } as const;
  const { code, map } = await script(src, { stdin, plugins: [hotHalves(src, splits)] });
  const nothing = { needs: [], functions: [0, 0], when: "" } as const;
  const noMap = JSON.stringify({ version: 3, sources: [], names: [], mappings: "" });
  return {
    core: { name: "core", code, map, ...nothing },
    table: { name: TABLE, code: names.replace(/([:,{}]) /g, "$1"), map: noMap, ...nothing },
  };
}

/** Serves the hot half of each split module under its own path. */
function hotHalves(src: string, splits: ReadonlyMap<string, SplitModule>): Plugin {
  return {
    name: "hot",
    setup(build) {
      build.onResolve({ filter: /^sim:late$/ }, () => ({ path: "late", namespace: "sim" }));
      build.onLoad({ filter: /./, namespace: "sim" }, () => ({ contents: LATE }));
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const split = splits.get(path.slice(src.length + 1).replaceAll("\\", "/"));
        return split && { contents: split.hot, loader: "ts" };
      });
    },
  };
}

const NEVER = { called: [], unreached: [] };

/** Which module and which function lies where. */
class Division {
  readonly splits = new Map<string, SplitModule>();
  readonly core = new Set<string>();
  private readonly input: BundleInput;
  private readonly bundled: readonly string[];
  private readonly ranges = new Map<string, [number, number]>();
  private readonly merged = new Map<string, string>();

  constructor(input: BundleInput, bundled: readonly string[]) {
    this.input = input;
    this.bundled = bundled;
  }

  async divide(): Promise<void> {
    const { src, entry } = this.input;
    this.split(this.bundled);
    const { inputs } = await script(src, {
      entryPoints: [join(src, entry)],
      plugins: [hotHalves(src, this.splits)],
    });
    for (const path of this.bundled) if (inputs.has(path)) this.core.add(path);
    this.split([...this.core]);
    this.mergeCycles();
  }

  /** Numbers count up part by part, so that each part has a range of them. */
  private split(paths: readonly string[]): void {
    const { sources, profile } = this.input;
    this.splits.clear();
    this.ranges.clear();
    let next = 0;
    for (const { name } of PART_RULES) {
      const from = next;
      for (const path of paths) {
        if (partOf(path) !== name) continue;
        const split = splitModule(path, sources.get(path)!, profile![path] ?? NEVER, next);
        next += split.functions.length;
        this.splits.set(path, split);
      }
      this.ranges.set(name, [from, next]);
    }
  }

  /** The part of a late module, or of a module's cold half. */
  private partOf(path: string): string {
    const name = partOf(path);
    return this.merged.get(name) ?? name;
  }

  private isFunction(path: string, name: string): boolean {
    const text = this.input.sources.get(path)!;
    return new RegExp(`^export (async )?function\\*? ${name}\\b`, "m").test(text);
  }

  /** Parts whose values, not functions alone, the part reads when it loads. */
  private needsOf(part: string): Set<string> {
    const needs = new Set<string>();
    for (const path of this.bundled) {
      if (this.partOf(path) !== part) continue;
      const split = this.splits.get(path);
      for (const [target, names] of Object.entries(this.input.modules.get(path)!.takes)) {
        if (this.core.has(target) || this.partOf(target) === part) continue;
        const read = names.filter((name) => !split || split.reads.has(name));
        if (read.some((name) => !this.isFunction(target, name))) needs.add(this.partOf(target));
      }
    }
    return needs;
  }

  private names(): string[] {
    const isHere = (part: string) =>
      this.bundled.some(
        (path) =>
          this.partOf(path) === part && (!this.core.has(path) || this.splits.get(path)?.cold),
      );
    return PART_RULES.map(({ name }) => name).filter(
      (name) => !this.merged.has(name) && isHere(name),
    );
  }

  /** Parts that need each other become one. */
  private mergeCycles(): void {
    for (;;) {
      const edges = this.edges();
      const pair = [...edges.keys()]
        .flatMap((one) => dependencyOrder(edges, one).map((other) => [one, other] as const))
        .find(([one, other]) => one !== other && dependencyOrder(edges, other).includes(one));
      if (!pair) return;
      const [one, other] = pair;
      for (const [from, to] of this.merged) if (to === other) this.merged.set(from, one);
      this.merged.set(other, one);
    }
  }

  private edges(): Map<string, string[]> {
    return new Map(this.names().map((name) => [name, [...this.needsOf(name)]]));
  }

  /** All parts, each after those that it needs. */
  order(): string[] {
    const edges = this.edges();
    return [...new Set([...edges.keys()].flatMap((name) => dependencyOrder(edges, name)))];
  }

  async part(name: string): Promise<Script> {
    const { modules, src } = this.input;
    const lines: string[] = [];
    for (const [i, path] of this.bundled.entries()) {
      if (this.partOf(path) !== name) continue;
      const split = this.splits.get(path);
      const names = split
        ? split.functions.map(({ exported }) => exported).filter((one) => one !== "")
        : modules.get(path)!.exports;
      const taken = names.map((one) => `${one} as m${i}_${one}`);
      const values = names.map((one) => `${one}: m${i}_${one}`).join(", ");
      const at = `globalThis.__sim[${JSON.stringify(path)}]`;
      if (split?.cold) lines.push(`import { ${taken.join(", ")} } from "cold:${path}";`);
      else if (!split) lines.push(`import { ${taken.join(", ")} } from "late:${path}";`);
      if (!split) lines.push(`${at} = { ${values} };`);
      else if (names.length > 0) lines.push(`Object.assign(${at}, { ${values} });`);
    }
    const stdin = { contents: lines.join("\n"), resolveDir: src, loader: "js" } as const;
    const { code, map } = await script(src, { stdin, plugins: [this.plugin(name)] });
    const edges = this.edges();
    const rules = PART_RULES.filter((rule) => (this.merged.get(rule.name) ?? rule.name) === name);
    return {
      name,
      code,
      map,
      needs: [TABLE, ...dependencyOrder(edges, name).filter((one) => one !== name)],
      functions: this.ranges.get(name)!,
      when: rules.flatMap(({ when }) => (when ? [when.source] : [])).join("|"),
    };
  }

  /** Leads a part's imports to its own modules, to the core's, or to other parts'. */
  private plugin(part: string): Plugin {
    return {
      name: "part",
      setup: (build) => {
        build.onResolve({ filter: /^sim:late$/ }, () => ({ path: "late", namespace: "sim" }));
        build.onLoad({ filter: /./, namespace: "sim" }, () => ({ contents: LATE_IN_PART }));
        build.onResolve({ filter: /^(cold|late):/ }, ({ path }) => {
          const [namespace, file] = path.split(":") as [string, string];
          return { path: file, namespace };
        });
        build.onResolve({ filter: /^\./, namespace: "cold" }, (args) => this.resolve(args, part));
        build.onResolve({ filter: /^\./, namespace: "late" }, (args) => this.resolve(args, part));
        build.onLoad({ filter: /./, namespace: "cold" }, ({ path }) => ({
          contents: this.splits.get(path)!.cold,
          loader: "ts",
        }));
        build.onLoad({ filter: /./, namespace: "late" }, ({ path }) => ({
          contents: this.input.sources.get(path)!,
          loader: "ts",
        }));
        build.onLoad({ filter: /./, namespace: "far" }, ({ path }) => ({
          contents: this.stand(path, part),
        }));
      },
    };
  }

  private resolve({ importer, path }: { importer: string; path: string }, part: string) {
    const [file = "", inner] = path.split("#");
    const target = resolveImport(importer, file)!;
    const isNear = !this.core.has(target) && this.partOf(target) === part;
    if (isNear) return { path: target, namespace: "late" };
    return { path: inner ? `${target}#inner` : target, namespace: "far", sideEffects: false };
  }

  /** A module that stands for one that lies elsewhere. */
  private stand(request: string, part: string): string {
    const [path = ""] = request.split("#");
    const split = this.splits.get(path);
    const where = JSON.stringify(path);
    const home = this.partOf(path);
    const lines = [`import { late, from, inner } from "sim:late";`];
    const cold = new Map(split?.functions.map(({ exported, id }) => [exported, id]));
    for (const name of this.input.modules.get(path)!.exports) {
      const id = cold.get(name);
      if (id !== undefined) {
        lines.push(
          home === part
            ? `export { ${name} } from "cold:${path}";`
            : `export const ${name} = (...args) => late(${id}, args);`,
        );
      } else if (!split && this.isFunction(path, name)) {
        const far = `from(${where}, "${name}", "${home}")`;
        lines.push(`export const ${name} = (...args) => ${far}(...args);`);
      } else {
        const call = `from(${where}, "${name}", "${home}")`;
        lines.push(`export const ${name} = /* @__PURE__ */ ${call};`);
      }
    }
    for (const name of split?.inner ?? [])
      lines.push(`export const ${name} = /* @__PURE__ */ inner(${where}, "${name}");`);
    return lines.join("\n");
  }
}

async function script(
  src: string,
  options: BuildOptions,
): Promise<{ code: string; map: string; inputs: Set<string> }> {
  const result = await build({
    ...options,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "iife",
    target: "es2022",
    legalComments: "none",
    charset: "utf8",
    logLevel: "silent",
    sourcemap: "external",
    sourcesContent: false,
    absWorkingDir: src,
    tsconfigRaw: { compilerOptions: {} },
    outfile: join(src, "core.js"), // Not written: the map's paths count from here.
  });
  const textOf = (ending: string) =>
    result.outputFiles!.find(({ path }: OutputFile) => path.endsWith(ending))!.text;
  const map = JSON.parse(textOf(".map")) as { sources: string[] };
  map.sources = map.sources.map((path) => path.replace(/^(cold|late):/, ""));
  const inputs = new Set(Object.keys(result.metafile!.inputs));
  return { code: textOf(".js"), map: JSON.stringify(map), inputs };
}

export function sizeOf(code: string): { min: number; gzip: number } {
  return { min: Buffer.byteLength(code), gzip: gzipSync(code, { level: 9 }).length };
}
