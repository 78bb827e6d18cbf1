/**
 * Which parts of the simulator a run is started with. The core holds what every
 * run calls; all other code lies in parts. What a part holds and when it is
 * loaded changes nothing in a run: one that calls into a part that it was
 * started without begins again with it and comes the same way.
 */
import type { ManifestPart, SimAssets } from "./manifest.ts";
import type { PartScript, StartRequest } from "./protocol.ts";

export class Parts {
  private readonly assets: SimAssets;
  /** Names of those that runs here once missed. */
  private readonly missed = new Set<string>();

  constructor(assets: SimAssets) {
    this.assets = assets;
  }

  /** The scripts to start with, each after those that it needs. */
  async scriptsFor(start: StartRequest): Promise<PartScript[]> {
    const { parts } = await this.assets.manifest();
    const wanted = partsFor(parts, start, this.missed);
    const texts = await Promise.all(wanted.map((part) => this.assets.part(part)));
    return wanted.map(({ name }, i) => ({ name, code: texts[i]! }));
  }

  /** Fetches ahead what a plain run of a scenario with nodes is started with. */
  async warm(): Promise<void> {
    const wanted = firstParts((await this.assets.manifest()).parts);
    await Promise.all(wanted.map((part) => this.assets.part(part)));
  }

  /** Notes what a run missed. False: there is no such part, or it was there. */
  async note(what: number | string, loaded: readonly PartScript[]): Promise<boolean> {
    const { parts } = await this.assets.manifest();
    const part = parts.find(({ name, functions: [from, to] }) =>
      typeof what === "number" ? what >= from && what < to : name === what,
    );
    if (!part || loaded.some(({ name }) => name === part.name)) return false;
    // Who misses twice wants more than one could guess.
    const names = this.missed.size === 0 ? [part] : parts;
    for (const { name } of names) this.missed.add(name);
    return true;
  }
}

/** What of a run says which parts it needs. */
interface Wanting {
  readonly program: { readonly modules: readonly unknown[] };
  readonly scenario: unknown;
  readonly inputs: unknown;
}

/** Parts that any run of a scenario with nodes is started with, once something is applied. */
export function firstParts(parts: readonly ManifestPart[]): ManifestPart[] {
  const plain = { program: { modules: [] }, scenario: {}, inputs: [{ do: "apply" }] };
  return partsFor(parts, plain, new Set());
}

/** Parts that scenario and inputs speak of, and what these need; all of them for an edit. */
export function partsFor(
  parts: readonly ManifestPart[],
  { program, scenario, inputs }: Wanting,
  missed: ReadonlySet<string>,
): ManifestPart[] {
  // Modules made afresh hold all their code and import from anywhere.
  if (program.modules.length > 0) return [...parts];
  const text = JSON.stringify([scenario, inputs]);
  const names = new Set(missed);
  for (const { name, when } of parts) {
    if (when !== "" && new RegExp(when).test(text)) names.add(name);
  }
  for (const { name, needs } of parts) {
    if (names.has(name)) for (const one of needs) names.add(one);
  }
  return parts.filter(({ name }) => names.has(name));
}
