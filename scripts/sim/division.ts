/** Which module, and which function, lies in which script. */
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { dependencyOrder } from "../../src/sandbox/runtime/graph.ts";
import type { LateModule, ManifestModule } from "../../src/sandbox/runtime/manifest.ts";
import { FIRST_RULES, firstOf, PART_RULES, partOf } from "./parts.ts";
import type { Profile } from "./profile.ts";
import { type SplitModule, splitModule } from "./split.ts";
import { Stands, TOO_EARLY } from "./stands.ts";

export interface BundleInput {
  readonly src: string;
  readonly entry: string;
  readonly sources: ReadonlyMap<string, string>;
  readonly modules: ReadonlyMap<string, ManifestModule>;
  /** Without it all is core. */
  readonly profile: Profile | null;
}

/** Serves hot halves, and stands for what does not live in `home`. */
type HotHalves = (input: BundleInput, division: Division, home?: string) => Plugin;

export const CORE = "core";
export const FIRST_NAMES: readonly string[] = FIRST_RULES.map(({ name }) => name);
const NEVER = { called: [], unreached: [] };

export class Division {
  readonly splits = new Map<string, SplitModule>();
  /** Modules of the core and of the first parts: what the first lesson executes. */
  readonly hot = new Set<string>();
  /** All modules that the entry reaches, sorted. */
  readonly bundled: readonly string[];
  readonly stands: Stands;
  private readonly input: BundleInput;
  private readonly homes = new Map<string, string>();
  private readonly places = new Map<string, number>();
  private readonly ranges = new Map<string, [number, number]>();
  private readonly merged = new Map<string, string>();
  /** Late part → those whose values it reads when it loads; no cycles. */
  private edges: ReadonlyMap<string, string[]> = new Map();

  constructor(input: BundleInput) {
    this.input = input;
    this.stands = new Stands(input, this);
    const bundled = [...input.modules].filter(([, { bundled }]) => bundled);
    this.bundled = bundled.map(([path]) => path);
  }

  async divide(hotHalves: HotHalves): Promise<void> {
    const { src, entry } = this.input;
    this.split(this.bundled);
    const inputs = await reached(src, join(src, entry), hotHalves(this.input, this));
    for (const path of this.bundled) if (inputs.has(path)) this.hot.add(path);
    this.split([...this.hot]);
    for (const path of this.hot) this.homes.set(path, firstOf(path) ?? CORE);
    this.homes.set(entry, CORE);
    while (await this.bringHome(hotHalves));
    this.mergeCycles();
    // Each part has one range of numbers, the merged ones too.
    this.split([...this.hot]);
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
        if (this.partOf(path) !== name) continue;
        const split = splitModule(path, sources.get(path)!, profile![path] ?? NEVER, next);
        next += split.functions.length;
        this.splits.set(path, split);
      }
      this.ranges.set(name, [from, next]);
    }
  }

  /** Moves into the core what another script needs before it is called. */
  private async bringHome(hotHalves: HotHalves): Promise<boolean> {
    this.number();
    const { src } = this.input;
    let moved = false;
    for (const home of [CORE, ...FIRST_NAMES]) {
      const lines = this.homed(home).map((path, i) => `export * as m${i} from "./${path}";`);
      const result = await build({
        stdin: { contents: lines.join("\n"), resolveDir: src, loader: "js" },
        plugins: [hotHalves(this.input, this, home)],
        bundle: true,
        write: false,
        format: "esm",
        treeShaking: true,
        logLevel: "silent",
        tsconfigRaw: { compilerOptions: {} },
      });
      for (const [, path] of result.outputFiles[0]!.text.matchAll(TOO_EARLY)) {
        this.homes.set(path!, CORE);
        moved = true;
      }
    }
    return moved;
  }

  private number(): void {
    this.places.clear();
    for (const home of [CORE, ...FIRST_NAMES]) {
      let next = 0;
      for (const path of this.homed(home))
        for (const name of this.valuesOf(path)) this.places.set(`${path} ${name}`, next++);
    }
  }

  /** Hot modules of the core or of a first part, sorted. */
  homed(home: string): string[] {
    return [...this.hot].filter((path) => this.homeOf(path) === home).sort();
  }

  /** `core` or the first part that a hot module lies in. */
  homeOf(path: string): string {
    return this.homes.get(path)!;
  }

  /** What a hot module gives to other scripts, the names that it does not export last. */
  valuesOf(path: string): string[] {
    const cold = this.coldOf(path);
    const names = this.input.modules.get(path)!.exports.filter((name) => !cold.has(name));
    return [...names, ...(this.splits.get(path)?.inner ?? [])];
  }

  /** Place in its script's list of values. */
  slotOf(path: string, name: string): number {
    return this.places.get(`${path} ${name}`)!;
  }

  /** Exported functions of a hot module that lie in a late part, with their numbers. */
  coldOf(path: string): ReadonlyMap<string, number> {
    const functions = this.splits.get(path)?.functions ?? [];
    return new Map(functions.map(({ exported, id }) => [exported, id]));
  }

  /** What the core and the other first parts ask of a first part, by module. */
  askedOf(first: string): ReadonlyMap<string, string[]> {
    const asked = new Map<string, string[]>();
    for (const path of this.homed(first)) {
      const names = new Set<string>();
      for (const other of this.hot) {
        if (this.homeOf(other) === first) continue;
        for (const name of this.input.modules.get(other)!.takes[path] ?? []) names.add(name);
      }
      const given = this.valuesOf(path).filter((name) => names.has(name));
      if (given.length > 0) asked.set(path, given);
    }
    return asked;
  }

  /** The part of a late module, or of a module's cold half. */
  partOf(path: string): string {
    const name = partOf(path);
    return this.merged.get(name) ?? name;
  }

  functionsOf(part: string): readonly [number, number] {
    return this.ranges.get(part)!;
  }

  whenOf(part: string): string {
    const rules = [...FIRST_RULES, ...PART_RULES].filter(
      ({ name }) => (this.merged.get(name) ?? name) === part,
    );
    return rules.flatMap(({ when }) => (when ? [when.source] : [])).join("|");
  }

  /** Late parts whose values, not functions alone, the part reads when it loads. */
  private needsOf(part: string): Set<string> {
    const needs = new Set<string>();
    for (const path of this.bundled) {
      if (this.partOf(path) !== part) continue;
      const split = this.splits.get(path);
      for (const [target, names] of Object.entries(this.input.modules.get(path)!.takes)) {
        if (this.hot.has(target) || this.partOf(target) === part) continue;
        const read = names.filter((name) => !split || split.reads.has(name));
        const isValue = (name: string) => this.stands.kindOf(target, name) !== "function";
        if (read.some(isValue)) needs.add(this.partOf(target));
      }
    }
    return needs;
  }

  needs(part: string): string[] {
    return dependencyOrder(this.edges, part).filter((one) => one !== part);
  }

  private names(): string[] {
    const isHere = (part: string) =>
      this.bundled.some(
        (path) =>
          this.partOf(path) === part && (!this.hot.has(path) || this.splits.get(path)?.cold),
      );
    return PART_RULES.map(({ name }) => name).filter(
      (name) => !this.merged.has(name) && isHere(name),
    );
  }

  /** Modules that lie whole in late parts. */
  late(): Map<string, LateModule> {
    const late = new Map<string, LateModule>();
    for (const path of this.bundled) {
      if (this.hot.has(path)) continue;
      const kinds = this.input.modules
        .get(path)!
        .exports.map((name) => [name, this.stands.kindOf(path, name)] as const);
      const of = (kind: string) => kinds.flatMap(([name, one]) => (one === kind ? [name] : []));
      late.set(path, { part: this.partOf(path), classes: of("class"), values: of("value") });
    }
    return late;
  }

  /** Parts that need each other become one. */
  private mergeCycles(): void {
    for (;;) {
      const edges = new Map(this.names().map((name) => [name, [...this.needsOf(name)]]));
      this.edges = edges;
      const pair = [...edges.keys()]
        .flatMap((one) => dependencyOrder(edges, one).map((other) => [one, other] as const))
        .find(([one, other]) => one !== other && dependencyOrder(edges, other).includes(one));
      if (!pair) return;
      const [one, other] = pair;
      for (const [from, to] of this.merged) if (to === other) this.merged.set(from, one);
      this.merged.set(other, one);
    }
  }

  /** All late parts, each after those that it needs. */
  order(): string[] {
    const names = [...this.edges.keys()];
    return [...new Set(names.flatMap((name) => dependencyOrder(this.edges, name)))];
  }
}

/** Modules that `entry` reaches when bundled, by their paths from `src`. */
async function reached(src: string, entry: string, plugin: Plugin): Promise<Set<string>> {
  const { metafile } = await build({
    entryPoints: [entry],
    plugins: [plugin],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    absWorkingDir: src,
    logLevel: "silent",
    tsconfigRaw: { compilerOptions: {} },
  });
  return new Set(Object.keys(metafile.inputs));
}
