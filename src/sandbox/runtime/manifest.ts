/**
 * What scripts/build-sim.ts leaves for the page, and how the page fetches it:
 * the simulator as one bundle, each module's JavaScript and source on demand.
 */
import { SourceMap } from "./source-map.ts";
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
    /** JSON: path → CompiledModule. */
    readonly modules: string;
    /** JSON: path → TypeScript source. */
    readonly sources: string;
    /** JavaScript of the WebContainer's runner. */
    readonly runner: string;
    /** JavaScript of the type eraser for a Node without one. */
    readonly eraser: string;
    /** The WebContainer API as one module. */
    readonly webcontainer: string;
  };
  readonly coreBytes: { readonly min: number; readonly gzip: number };
  /** What is not in the core, each part after those that it needs. */
  readonly parts: readonly ManifestPart[];
  /** CSP hash of the frame's boot script: `sha256-…`. */
  readonly bootScript: string;
}

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
}

/** Fetches the files of one built simulator, each at most once. */
export class SimAssets {
  readonly base: URL;
  private known: Promise<SimManifest> | null;
  private readonly texts = new Map<string, Promise<string>>();
  private readonly values = new Map<string, Promise<unknown>>();

  /** `base`: URL of the folder; `manifest`: saves a round trip if given. */
  constructor(base: string | URL, manifest?: SimManifest) {
    this.base = new URL(base, globalThis.location?.href);
    this.known = manifest ? Promise.resolve(manifest) : null;
  }

  manifest(): Promise<SimManifest> {
    this.known ??= this.fetchText("manifest.json").then((text) => JSON.parse(text) as SimManifest);
    this.known.catch(() => (this.known = null)); // The next call tries again.
    return this.known;
  }

  async text(file: keyof SimManifest["files"]): Promise<string> {
    return this.named((await this.manifest()).files[file]);
  }

  /** A part's script. */
  async part(part: ManifestPart): Promise<string> {
    return this.named(part.code);
  }

  private async named(name: string): Promise<string> {
    let text = this.texts.get(name);
    if (!text) {
      text = this.fetchText(name);
      this.texts.set(name, text);
      text.catch(() => this.texts.delete(name));
    }
    return text;
  }

  graph(): Promise<SimGraph> {
    return this.json("graph");
  }

  modules(): Promise<Readonly<Record<string, CompiledModule>>> {
    return this.json("modules");
  }

  /** Original TypeScript by path. */
  sources(): Promise<Readonly<Record<string, string>>> {
    return this.json("sources");
  }

  /** The source map of a script: `core`, or a part's name. */
  async map(script: string): Promise<SourceMap | undefined> {
    const { files, parts } = await this.manifest();
    const name = script === "core" ? files.map : parts.find((one) => one.name === script)?.map;
    return name === undefined ? undefined : this.parsed(name, (text) => new SourceMap(text));
  }

  private async json<T>(file: keyof SimManifest["files"]): Promise<T> {
    return this.parsed((await this.manifest()).files[file], JSON.parse);
  }

  /** The parsed file, one shared value: do not change it. */
  private parsed<T>(name: string, parse: (text: string) => T): Promise<T> {
    let value = this.values.get(name);
    if (!value) {
      value = this.named(name).then(parse);
      this.values.set(name, value);
      value.catch(() => this.values.delete(name));
    }
    return value as Promise<T>;
  }

  async url(file: keyof SimManifest["files"]): Promise<string> {
    return new URL((await this.manifest()).files[file], this.base).href;
  }

  private async fetchText(name: string): Promise<string> {
    const url = new URL(name, this.base);
    const answer = await fetch(url).catch((error) => {
      throw new BootError("load-failed", `${url.pathname}: ${error}`);
    });
    if (!answer.ok) throw new BootError("load-failed", `${url.pathname}: ${answer.status}`);
    return answer.text();
  }
}
