/**
 * Bundles the simulator: a core, and parts, each a script.
 *
 * The core is what every run executes: a control plane. It sets `__sim` (path →
 * what the module exports) and `__late`, by which a function that lies in a
 * part is called. A part's script fills in what it holds: cold functions by
 * number in `__late.f`, modules in `__sim`. Where there are parts, the core
 * itself gives the entry alone by its path and the rest as a list without
 * names; the part `table` names them for the others.
 *
 * What the first lesson executes besides (FIRST_RULES: the machines, kubectl)
 * lies in parts that are loaded together with the core and take its values by
 * their places in that list.
 */
import type { Plugin } from "esbuild";
import { resolveImport } from "../../src/sandbox/runtime/graph.ts";
import type { LateModule } from "../../src/sandbox/runtime/manifest.ts";
import { type BundleInput, CORE, Division, FIRST_NAMES } from "./division.ts";
import { buildScript } from "./script.ts";
import { LATE, LATE_IN_PART } from "./stands.ts";

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

const TABLE = "table";
const NOTHING = { needs: [], functions: [0, 0], when: "" } as const;
const NO_MAP = JSON.stringify({ version: 3, sources: [], names: [], mappings: "" });

export interface BundledSim {
  readonly core: Script;
  readonly parts: Script[];
  /** Modules that lie whole in late parts, by path. */
  readonly late: ReadonlyMap<string, LateModule>;
}

export async function bundleSim(input: BundleInput): Promise<BundledSim> {
  const division = new Division(input);
  if (!input.profile) return { core: await wholeOf(input, division), parts: [], late: new Map() };
  await division.divide(hotHalves);
  const bundler = new Bundler(input, division);
  const core = await bundler.core();
  const parts = [];
  for (const name of FIRST_NAMES) parts.push(await bundler.first(name));
  parts.push(bundler.table());
  for (const name of division.order()) parts.push(await bundler.late(name));
  return { core, parts, late: division.late() };
}

/** All of it as one script that names every module. */
async function wholeOf({ src, modules }: BundleInput, division: Division): Promise<Script> {
  const lines: string[] = [];
  const table: string[] = [];
  for (const [i, path] of division.bundled.entries()) {
    const names = modules.get(path)!.exports;
    const taken = names.map((name) => `${name} as m${i}_${name}`);
    if (names.length > 0) lines.push(`import { ${taken.join(", ")} } from "./${path}";`);
    table.push(namespaceText(path, names, (name) => `m${i}_${name}`));
  }
  lines.push(`globalThis.__sim = { ${table.join(", ")} };`);
  const stdin = { contents: lines.join("\n"), resolveDir: src, loader: "js" } as const;
  const { code, map } = await buildScript(src, { stdin });
  return { name: CORE, code, map, ...NOTHING };
}

function namespaceText(
  path: string,
  names: readonly string[],
  asText: (name: string) => string,
): string {
  const pairs = names.map((name) => `${name}: ${asText(name)}`);
  return `${JSON.stringify(path)}: { ${pairs.join(", ")} }`;
}

/** Makes the scripts of a division. */
class Bundler {
  private readonly input: BundleInput;
  private readonly division: Division;

  constructor(input: BundleInput, division: Division) {
    this.input = input;
    this.division = division;
  }

  async core(): Promise<Script> {
    const { entry, modules } = this.input;
    const { lines, local } = this.imports(CORE);
    const names = modules.get(entry)!.exports;
    const start = namespaceText(entry, names, (name) => local(entry, name));
    lines.unshift(`import "sim:late";`);
    lines.push(`globalThis.__sim = { ${start} };`);
    lines.push(`globalThis.__values = [${this.slots(CORE, local)}];`);
    const { code, map } = await this.hotScript(CORE, lines);
    return { name: CORE, code, map, ...NOTHING };
  }

  /** A part that is there from the start. */
  async first(name: string): Promise<Script> {
    const { lines, local } = this.imports(name);
    const asked = this.division.askedOf(name);
    const table = [...asked].map(([path, names]) =>
      namespaceText(path, names, (one) => local(path, one)),
    );
    lines.push(`Object.assign(globalThis.__sim, { ${table.join(", ")} });`);
    lines.push(`globalThis.__values.${name} = [${this.slots(name, local)}];`);
    const { code, map } = await this.hotScript(name, lines);
    return { ...NOTHING, name, code, map, when: this.division.whenOf(name) };
  }

  private imports(home: string): {
    lines: string[];
    local: (path: string, name: string) => string;
  } {
    const paths = this.division.homed(home);
    const local = (path: string, name: string) => `m${paths.indexOf(path)}_${name}`;
    const lines = paths.flatMap((path) => {
      const names = this.division.valuesOf(path);
      const taken = names.map((name) => `${name} as ${local(path, name)}`);
      return names.length > 0 ? [`import { ${taken.join(", ")} } from "./${path}";`] : [];
    });
    return { lines, local };
  }

  private slots(home: string, local: (path: string, name: string) => string): string {
    const paths = this.division.homed(home);
    return paths
      .flatMap((path) => this.division.valuesOf(path).map((name) => local(path, name)))
      .join(", ");
  }

  private hotScript(home: string, lines: readonly string[]) {
    const { src } = this.input;
    const stdin = { contents: lines.join("\n"), resolveDir: src, loader: "js" } as const;
    const plugins = [hotHalves(this.input, this.division, home)];
    return buildScript(src, { stdin, plugins }, 2);
  }

  /**
   * Names, for modules made afresh, all values that lie in the core and in the
   * first parts. What late parts have put in `__sim` stays.
   */
  table(): Script {
    const { division } = this;
    const variables = new Map([CORE, ...FIRST_NAMES].map((home, i) => [home, `v${i}`]));
    const named: string[] = [];
    for (const path of [...division.hot].sort()) {
      const variable = variables.get(division.homeOf(path));
      const cold = division.coldOf(path);
      const asText = (name: string) =>
        cold.has(name)
          ? `(...a) => late(${cold.get(name)}, a)`
          : `${variable}[${division.slotOf(path, name)}]`;
      const names = this.input.modules.get(path)!.exports;
      if (names.length > 0) named.push(namespaceText(path, names, asText));
    }
    const lists = [...variables].map(
      ([home, name]) => `${name} = __values${home === CORE ? "" : `.${home}`}`,
    );
    const code = `(() => { const ${lists.join(", ")}, late = __late, all = { ${named.join(", ")} };
for (const path in all) __sim[path] = Object.assign(all[path], __sim[path]); })();`;
    const small = code.replace(/([:,{}=>]) /g, "$1");
    return { ...NOTHING, name: TABLE, code: small, map: NO_MAP, needs: FIRST_NAMES };
  }

  /** A part that is loaded when a run needs it. */
  async late(name: string): Promise<Script> {
    const { division } = this;
    const { modules, src } = this.input;
    const lines: string[] = [];
    for (const [i, path] of division.bundled.entries()) {
      if (division.partOf(path) !== name) continue;
      const split = division.splits.get(path);
      const names = split
        ? split.functions.map(({ exported }) => exported).filter((one) => one !== "")
        : modules.get(path)!.exports;
      const taken = names.map((one) => `${one} as m${i}_${one}`);
      const values = names.map((one) => `${one}: m${i}_${one}`).join(", ");
      const at = `globalThis.__sim[${JSON.stringify(path)}]`;
      if (split?.cold) lines.push(`import { ${taken.join(", ")} } from "cold:${path}";`);
      else if (!split) lines.push(`import { ${taken.join(", ")} } from "late:${path}";`);
      if (!split) lines.push(`${at} = { ${values} };`);
      else if (names.length > 0) lines.push(`Object.assign(${at} ??= {}, { ${values} });`);
    }
    const stdin = { contents: lines.join("\n"), resolveDir: src, loader: "js" } as const;
    const plugins = [coldHalves(this.input, division, name)];
    const { code, map } = await buildScript(src, { stdin, plugins });
    return {
      name,
      code,
      map,
      needs: [...FIRST_NAMES, ...division.needs(name)],
      functions: division.functionsOf(name),
      when: division.whenOf(name),
    };
  }
}

/**
 * Serves the hot half of each split module under its own path; modules that
 * live elsewhere, if a home is given, as stands.
 */
function hotHalves({ src }: BundleInput, division: Division, home?: string): Plugin {
  const pathOf = (file: string) => file.slice(src.length + 1).replaceAll("\\", "/");
  return {
    name: "hot",
    setup(build) {
      build.onResolve({ filter: /^sim:late$/ }, () => ({ path: "late", namespace: "sim" }));
      const late = home === undefined || home === CORE ? LATE : LATE_IN_PART;
      build.onLoad({ filter: /./, namespace: "sim" }, () => ({ contents: late }));
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const split = division.splits.get(pathOf(path));
        return split && { contents: split.hot, loader: "ts" };
      });
      if (home === undefined) return;
      build.onResolve({ filter: /^\./, namespace: "file" }, ({ importer, path }) => {
        const target = resolveImport(pathOf(importer), path);
        if (!target || !division.hot.has(target) || division.homeOf(target) === home) return;
        return { path: target, namespace: "far", sideEffects: false };
      });
      build.onLoad({ filter: /./, namespace: "far" }, ({ path }) => ({
        contents: division.stands.inFirst(path),
      }));
    },
  };
}

/** Leads a late part's imports to its own modules, to the core's, or to other parts'. */
function coldHalves({ sources }: BundleInput, division: Division, part: string): Plugin {
  const resolve = ({ importer, path }: { importer: string; path: string }) => {
    const [file = "", inner] = path.split("#");
    const target = resolveImport(importer, file)!;
    const isNear = !division.hot.has(target) && division.partOf(target) === part;
    if (isNear) return { path: target, namespace: "late" };
    return { path: inner ? `${target}#inner` : target, namespace: "far", sideEffects: false };
  };
  return {
    name: "part",
    setup(build) {
      build.onResolve({ filter: /^sim:late$/ }, () => ({ path: "late", namespace: "sim" }));
      build.onLoad({ filter: /./, namespace: "sim" }, () => ({ contents: LATE_IN_PART }));
      build.onResolve({ filter: /^(cold|late):/ }, ({ path }) => {
        const [namespace, file] = path.split(":") as [string, string];
        return { path: file, namespace };
      });
      build.onResolve({ filter: /^\./, namespace: "cold" }, resolve);
      build.onResolve({ filter: /^\./, namespace: "late" }, resolve);
      build.onLoad({ filter: /./, namespace: "cold" }, ({ path }) => ({
        contents: division.splits.get(path)!.cold,
        loader: "ts",
      }));
      build.onLoad({ filter: /./, namespace: "late" }, ({ path }) => ({
        contents: sources.get(path)!,
        loader: "ts",
      }));
      build.onLoad({ filter: /./, namespace: "far" }, ({ path }) => ({
        contents: division.stands.inLate(path, part),
      }));
    },
  };
}
