/**
 * Links a program: which modules must be made afresh because the reader
 * edited them, or because they import one that was, in which order, and what
 * is wrong with them. All the others come from the bundle. What is wrong is
 * found here, before anything runs, and so is the same for every back end.
 */
import { dependencyOrder, findCycle, resolveImport, withImporters } from "./graph.ts";
import { hashText } from "./hash.ts";
import type { SimGraph } from "./manifest.ts";
import { placeOf } from "./place.ts";
import type { CompiledModule, ModuleImport } from "./transpile.ts";
import { type RunError, runError } from "./types.ts";

/** An import of a linked module: offsets in its code, path of what it names. */
export interface LinkedImport {
  /** The specifier, without its quotes. */
  readonly start: number;
  readonly end: number;
  /** The whole statement, without its semicolon. */
  readonly from: number;
  readonly to: number;
  readonly id: string;
}

/** One module as the worker makes it. */
export interface LinkedModule {
  readonly id: string;
  readonly code: string;
  readonly imports: readonly LinkedImport[];
}

export interface LinkedProgram {
  /** Each after all that it imports; empty if nothing was edited. */
  readonly modules: readonly LinkedModule[];
  /** Paths of the modules that the reader edited. */
  readonly edited: readonly string[];
  readonly entry: string;
  /** The parts of the simulator that must be there when the modules are made. */
  readonly parts: readonly string[];
  /** By path, what the modules import of parts that need not be there yet. */
  readonly far: Readonly<Record<string, FarModule>>;
}

/** What can be called of a module before its part is there. */
export interface FarModule {
  readonly part: string;
  readonly functions: readonly string[];
  readonly classes: readonly string[];
}

export interface LinkSource {
  /** Module whose namespace a run starts from. */
  readonly entry: string;
  /** Loads the simulator's graph. */
  graph(): Promise<SimGraph>;
  /** Loads the compiled modules of these paths. */
  modules(paths: readonly string[]): Promise<Readonly<Record<string, CompiledModule>>>;
  /** Loads the compiler. */
  compiler(): Promise<(path: string, source: string) => Promise<CompiledModule | RunError[]>>;
}

/** Bounds on what a reader may hand in, in UTF-16 units. */
export const FILE_LENGTH_MAX = 400_000;
export const FILES_LENGTH_MAX = 4_000_000;

export class LinkError extends Error {
  readonly errors: readonly RunError[];

  constructor(errors: readonly RunError[]) {
    super(errors.map((error) => `${error.file}:${error.line}: ${error.message}`).join("\n"));
    this.name = "LinkError";
    this.errors = errors;
  }
}

/** The files that are modules and differ from the simulator's own. */
export function editedModules(
  graph: SimGraph,
  files: Readonly<Record<string, string>>,
): Map<string, string> {
  const edited = new Map<string, string>();
  for (const [name, source] of Object.entries(files)) {
    const path = modulePath(name);
    if (!path.endsWith(".ts")) continue;
    const known = Object.hasOwn(graph, path) ? graph[path] : undefined;
    if (known?.hash !== hashText(source)) edited.set(path, source);
  }
  return edited;
}

/** `sim/src/controllers/replicaset.ts` → `controllers/replicaset.ts`. */
export function modulePath(name: string): string {
  return name.replace(/^(\.?\/)?sim\/src\//, "");
}

/** Links `files`. Throws LinkError with all that is wrong. */
export async function link(
  source: LinkSource,
  files: Readonly<Record<string, string>>,
): Promise<LinkedProgram> {
  const { entry } = source;
  checkSizes(files);
  const unedited = { modules: [], edited: [], entry, parts: [], far: {} };
  if (Object.keys(files).length === 0) return unedited;
  const graph = await source.graph();
  const edited = editedModules(graph, files);
  if (edited.size === 0) return unedited;

  const compiled = await compileAll(source, edited);
  const program = new EditedGraph(graph, compiled);
  program.check();
  const fresh = withImporters(program.edges, edited.keys());
  const order = dependencyOrder(program.edges, entry).filter(
    (path) => fresh.has(path) || graph[path]?.bundled === false,
  );
  const known = order.filter((path) => !compiled.has(path));
  const originals = known.length > 0 ? await source.modules(known) : {};
  const modules = order.map((path) => {
    const module = compiled.get(path) ?? originals[path];
    if (!module) throw new Error(`no compiled text for ${path}`);
    return { path, module };
  });
  return {
    modules: modules.map(({ path, module }) => linked(path, module)),
    edited: [...edited.keys()],
    entry,
    ...farOf(graph, modules, edited),
  };
}

interface Fresh {
  readonly path: string;
  readonly module: CompiledModule;
}

/**
 * What modules made afresh import of parts. Functions, and classes where the
 * simulator itself waits for them, can be found when they are called; all else
 * must be there. Of the reader's own modules nobody knows what they do.
 */
function farOf(graph: SimGraph, modules: readonly Fresh[], edited: ReadonlyMap<string, string>) {
  const fresh = new Set(modules.map(({ path }) => path));
  const parts = new Set<string>();
  const far: Record<string, FarModule> = {};
  for (const { path, module } of modules) {
    for (const { specifier, names } of module.imports) {
      const id = resolveImport(path, specifier)!;
      const { late, exports } = graph[id] ?? {};
      if (!late || !exports || fresh.has(id)) continue;
      const { part, classes, values } = late;
      const now = graph[path]?.late ? [...values, ...classes] : values;
      const isAsked = (name: string) => names.includes(name) || names.includes("*");
      if (edited.has(path) || now.some(isAsked)) parts.add(part);
      const functions = exports.filter((name) => ![...classes, ...values].includes(name));
      far[id] = { part, functions, classes };
    }
  }
  return { parts: [...parts], far };
}

function linked(id: string, module: CompiledModule): LinkedModule {
  const imports = module.imports.map(({ start, end, from, to, specifier }) => {
    return { start, end, from, to, id: resolveImport(id, specifier) ?? specifier };
  });
  return { id, code: module.code, imports };
}

function checkSizes(files: Readonly<Record<string, string>>): void {
  let total = 0;
  for (const [file, text] of Object.entries(files)) {
    total += text.length;
    if (text.length <= FILE_LENGTH_MAX && total <= FILES_LENGTH_MAX) continue;
    if (!file.endsWith(".ts") && total <= FILES_LENGTH_MAX) continue;
    const params = { length: text.length, max: FILE_LENGTH_MAX };
    throw new LinkError([runError("too-large", `${text.length} characters`, { file, params })]);
  }
}

async function compileAll(source: LinkSource, edited: ReadonlyMap<string, string>) {
  const compile = await source.compiler();
  const compiled = new Map<string, CompiledModule>();
  const errors: RunError[] = [];
  for (const [path, text] of edited) {
    const result = await compile(path, text);
    if (Array.isArray(result)) errors.push(...result);
    else compiled.set(path, result as CompiledModule);
  }
  if (errors.length > 0) throw new LinkError(errors);
  return compiled;
}

/** The simulator's graph with the edited modules in place of the originals. */
class EditedGraph {
  readonly edges = new Map<string, readonly string[]>();
  private readonly originals: SimGraph;
  private readonly compiled: ReadonlyMap<string, CompiledModule>;
  private readonly errors: RunError[] = [];

  constructor(originals: SimGraph, compiled: ReadonlyMap<string, CompiledModule>) {
    this.originals = originals;
    this.compiled = compiled;
    for (const [path, module] of Object.entries(originals)) this.edges.set(path, module.imports);
  }

  check(): void {
    for (const [path, module] of this.compiled) this.edges.set(path, this.follow(path, module));
    this.raise();
    const cycle = findCycle(this.edges, this.compiled.keys());
    if (cycle) throw new LinkError([this.cycleError(cycle)]);
    for (const [path, module] of this.compiled) {
      for (const one of module.imports) this.checkNames(path, module, one);
    }
    for (const path of this.compiled.keys()) this.checkImporters(path);
    this.raise();
  }

  private raise(): void {
    if (this.errors.length > 0) throw new LinkError(this.errors);
  }

  private has(path: string): boolean {
    return this.compiled.has(path) || Object.hasOwn(this.originals, path);
  }

  /** Paths that an edited module imports; notes the unknown ones. */
  private follow(path: string, module: CompiledModule): string[] {
    const imports = new Set<string>();
    for (const { specifier, start } of module.imports) {
      const target = resolveImport(path, specifier);
      if (target && this.has(target)) {
        imports.add(target);
        continue;
      }
      const withEnding = target && this.has(`${target}.ts`) ? `${specifier}.ts` : "";
      const params = { specifier, suggestion: withEnding };
      const place = { file: path, ...placeOf(module.code, start) };
      this.errors.push(
        runError("unknown-import", `there is no module ${specifier}`, { params, ...place }),
      );
    }
    return [...imports];
  }

  private cycleError(cycle: string[]): RunError {
    const at = cycle.findIndex((path) => this.compiled.has(path));
    const file = cycle[at]!;
    const next = cycle[at + 1] ?? cycle[1]!;
    const module = this.compiled.get(file)!;
    const statement = module.imports.find((one) => resolveImport(file, one.specifier) === next);
    const place = statement ? placeOf(module.code, statement.start) : {};
    const path = cycle.join(" → ");
    return runError("cycle", path, { params: { path }, file, ...place });
  }

  /** Names that a module gives to those who import it. */
  private exportsOf(path: string): ReadonlySet<string> {
    const module = this.compiled.get(path);
    const original = this.originals[path];
    const names = new Set(module ? module.exports : original?.exports);
    const stars = module
      ? module.stars.map((star) => resolveImport(path, star)!)
      : (original?.stars ?? []);
    for (const star of stars) {
      for (const name of this.exportsOf(star)) if (name !== "default") names.add(name);
    }
    return names;
  }

  private checkNames(path: string, module: CompiledModule, one: ModuleImport): void {
    const from = resolveImport(path, one.specifier)!;
    const exported = this.exportsOf(from);
    for (const name of one.names) {
      if (name === "*" || exported.has(name)) continue;
      const params = { name, from };
      const place = { file: path, ...placeOf(module.code, one.start) };
      this.errors.push(
        runError("missing-export", `${from} exports no value ${name}`, { params, ...place }),
      );
    }
  }

  /** An edited module must still export what unedited modules take from it. */
  private checkImporters(path: string): void {
    const original = this.originals[path];
    if (!original) return;
    const now = this.exportsOf(path);
    const gone = original.exports.filter((name) => !now.has(name));
    if (gone.length === 0) return;
    const importers = Object.entries(this.originals)
      .filter(([importer, { imports }]) => imports.includes(path) && !this.compiled.has(importer))
      .map(([importer]) => importer);
    for (const importer of importers) {
      for (const name of this.originals[importer]!.takes[path] ?? []) {
        if (!gone.includes(name)) continue;
        const params = { name, from: path, importer };
        const text = `${importer} imports ${name} from ${path}, which exports it no more`;
        this.errors.push(
          runError("missing-export", text, { params, file: path, line: 1, column: 1 }),
        );
      }
    }
  }
}
