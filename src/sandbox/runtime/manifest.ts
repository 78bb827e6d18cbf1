/**
 * What scripts/build-sim.ts leaves for the page, and how the page fetches it:
 * the simulator as one bundle, each module's JavaScript and source on demand.
 */
import { SourceMap } from "./source-map.ts";
import { CORE } from "./stack.ts";
import type { CompiledModule } from "./transpile.ts";
import { BootError } from "./types.ts";

export interface ManifestModule {
  /** Paths that it imports at run time. */
  readonly imports: readonly string[];
  /** Names that it takes from each of them; `*` for all. */
  readonly takes: Readonly<Record<string, readonly string[]>>;
  /** Those of them that it re-exports whole (`export * from`). */
  readonly stars: readonly string[];
  /** All names that it exports at run time, those of `export *` included. */
  readonly exports: readonly string[];
  /** It is in the core or a part; the others are made afresh when an edit imports them. */
  readonly bundled: boolean;
  /** Hash of its source; see hash.ts. */
  readonly hash: string;
  /** Set if it lies whole in a part that is not there from the start. */
  readonly late?: LateModule;
}

/** A module that a part holds. */
export interface LateModule {
  readonly part: string;
  /** Of its exports, the classes. */
  readonly classes: readonly string[];
  /** Of its exports, those that are neither functions nor classes. */
  readonly values: readonly string[];
}

/** The simulator's modules by path. */
export type SimGraph = Readonly<Record<string, ManifestModule>>;

export interface SimManifest {
  /** Hash of the whole simulator. */
  readonly hash: string;
  /** Module whose namespace a run starts from. */
  readonly entry: string;
  /** How many modules there are. */
  readonly modules: number;
  /** File names beside the manifest, each with a hash in it. */
  readonly files: {
    /** The simulator: an IIFE that sets `__sim` to what each module exports. */
    readonly core: string;
    /** Its source map. */
    readonly map: string;
    /** What surrounds it in the worker. */
    readonly worker: string;
    /** JSON: a SimGraph. */
    readonly graph: string;
    /** By folder (see folderOf), JSON: path → CompiledModule. */
    readonly modules: Readonly<Record<string, string>>;
    /** By folder, JSON: path → TypeScript source. */
    readonly sources: Readonly<Record<string, string>>;
    /** JavaScript of the WebContainer's runner. */
    readonly runner: string;
    /** JavaScript of the type eraser for a Node without one. */
    readonly eraser: string;
    /** The WebContainer API as one module. */
    readonly webcontainer: string;
  };
  readonly coreBytes: { readonly min: number; readonly gzip: number };
  readonly coreLines: number;
  /** What is not in the core, each part after those that it needs. */
  readonly parts: readonly ManifestPart[];
  /** CSP hash of the frame's boot script: `sha256-…`. */
  readonly bootScript: string;
}

/** The first folder on the path, in whose file a module's texts lie; "" for none. */
export function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.indexOf("/")) : "";
}

/** A file of the build that is one file. */
type Single = Exclude<keyof SimManifest["files"], "modules" | "sources">;

/** Code that a run fetches when it needs it; see parts.ts. */
export interface ManifestPart {
  readonly name: string;
  /** File names beside the manifest: the script, its source map. */
  readonly code: string;
  readonly map: string;
  /** Parts that must be loaded before it. */
  readonly needs: readonly string[];
  /** Numbers of the functions in it: from, up to. */
  readonly functions: readonly [number, number];
  /** A pattern of scenario and inputs, as JSON text, that call for it; may be "". */
  readonly when: string;
  readonly bytes: { readonly min: number; readonly gzip: number };
  readonly lines: number;
}

/** The core or a part, as a worker is given it. */
export interface SimScript {
  readonly name: string;
  /** Not read in the page: the browser leads it from the network to the worker. */
  readonly code: Blob;
  readonly lines: number;
}

/** Fetches the files of one built simulator, each at most once. */
export class SimAssets {
  readonly base: URL;
  private known: Promise<SimManifest> | null;
  private readonly texts = new Map<string, Promise<string>>();
  private readonly blobs = new Map<string, Promise<Blob>>();
  private readonly values = new Map<string, Promise<unknown>>();

  /** `base`: URL of the folder; `manifest`: saves a round trip if given. */
  constructor(base: string | URL, manifest?: SimManifest) {
    this.base = new URL(base, globalThis.location?.href);
    this.known = manifest ? Promise.resolve(manifest) : null;
  }

  manifest(): Promise<SimManifest> {
    this.known ??= this.fetched("manifest.json").then((answer) => answer.json());
    this.known.catch(() => (this.known = null)); // The next call tries again.
    return this.known;
  }

  async text(file: Single): Promise<string> {
    return this.named((await this.manifest()).files[file]);
  }

  async core(): Promise<SimScript> {
    const { files, coreLines } = await this.manifest();
    return { name: CORE, code: await this.blob(files.core), lines: coreLines };
  }

  async part({ name, code, lines }: ManifestPart): Promise<SimScript> {
    return { name, code: await this.blob(code), lines };
  }

  private blob(name: string): Promise<Blob> {
    return this.once(this.blobs, name, async () => (await this.fetched(name)).blob());
  }

  private named(name: string): Promise<string> {
    return this.once(this.texts, name, async () => (await this.fetched(name)).text());
  }

  /** What `make` gives, made once; if it fails, the next call tries again. */
  private once<T>(all: Map<string, Promise<T>>, name: string, make: () => Promise<T>): Promise<T> {
    let value = all.get(name);
    if (!value) {
      value = make();
      all.set(name, value);
      value.catch(() => all.delete(name));
    }
    return value;
  }

  async graph(): Promise<SimGraph> {
    return this.parsed((await this.manifest()).files.graph, JSON.parse);
  }

  /** Compiled modules by path: those of the folders of `paths`. */
  modules(paths: Iterable<string>): Promise<Readonly<Record<string, CompiledModule>>> {
    return this.folders("modules", paths);
  }

  /** Original TypeScript by path: that of the folders of `paths`. */
  sources(paths: Iterable<string>): Promise<Readonly<Record<string, string>>> {
    return this.folders("sources", paths);
  }

  /** Paths of all modules, sorted. */
  async paths(): Promise<string[]> {
    return Object.keys(await this.graph()).sort();
  }

  private async folders<T>(
    kind: "modules" | "sources",
    paths: Iterable<string>,
  ): Promise<Record<string, T>> {
    const names = (await this.manifest()).files[kind];
    const folders = new Set([...paths].map(folderOf));
    const wanted = [...folders].flatMap((folder) => names[folder] ?? []);
    const parse = (text: string): Record<string, T> => JSON.parse(text);
    const read = await Promise.all(wanted.map((name) => this.parsed(name, parse)));
    return Object.assign({}, ...read);
  }

  /** The source map of a script: `core`, or a part's name. */
  async map(script: string): Promise<SourceMap | undefined> {
    const { files, parts } = await this.manifest();
    const name = script === CORE ? files.map : parts.find((one) => one.name === script)?.map;
    return name === undefined ? undefined : this.parsed(name, (text) => new SourceMap(text));
  }

  /** The parsed file, one shared value: do not change it. */
  private parsed<T>(name: string, parse: (text: string) => T): Promise<T> {
    return this.once(this.values as Map<string, Promise<T>>, name, () =>
      this.named(name).then(parse),
    );
  }

  async url(file: Single): Promise<string> {
    return new URL((await this.manifest()).files[file], this.base).href;
  }

  private async fetched(name: string): Promise<Response> {
    const url = new URL(name, this.base);
    const answer = await fetch(url).catch((error) => {
      throw new BootError("load-failed", `${url.pathname}: ${error}`);
    });
    if (!answer.ok) throw new BootError("load-failed", `${url.pathname}: ${answer.status}`);
    return answer;
  }
}
