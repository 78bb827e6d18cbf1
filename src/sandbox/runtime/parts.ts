/**
 * Which scripts of the simulator a run is started with: the core, which holds
 * what every run calls, and parts, in which all other code lies. What a part
 * holds and when it is loaded changes nothing in a run: one that calls into a
 * part that it was started without begins again with it and comes the same way.
 */
import type { LinkedProgram } from "./link.ts";
import type { ManifestPart, SimAssets, SimScript } from "./manifest.ts";
import type { StartRequest } from "./protocol.ts";

/** Names all values of the core, for modules that are made afresh. */
const TABLE = "table";

export class Parts {
  private readonly assets: SimAssets;
  /** Names of those that runs here once missed. */
  private readonly missed = new Set<string>();
  /** Names of those of the last run. */
  private last: ReadonlySet<string> = new Set();

  constructor(assets: SimAssets) {
    this.assets = assets;
  }

  /** The scripts to start with, each after those that it needs. */
  async scriptsFor(start: StartRequest): Promise<SimScript[]> {
    const { parts } = await this.assets.manifest();
    const wanted = partsFor(parts, start, this.missed);
    this.last = new Set(wanted.map(({ name }) => name));
    return this.scripts(wanted);
  }

  /**
   * The scripts that a worker can have before there is anything to run: those
   * of a plain run of a scenario with nodes, and those of the last run.
   */
  async ahead(): Promise<SimScript[]> {
    const { parts } = await this.assets.manifest();
    const first = firstParts(parts);
    return this.scripts(parts.filter((one) => first.includes(one) || this.last.has(one.name)));
  }

  private scripts(parts: readonly ManifestPart[]): Promise<SimScript[]> {
    const { assets } = this;
    return Promise.all([assets.core(), ...parts.map((part) => assets.part(part))]);
  }

  /** Notes what a run missed. False: there is no such part, or it was there. */
  async note(what: number | string, loaded: ReadonlySet<string>): Promise<boolean> {
    const { parts } = await this.assets.manifest();
    const part = parts.find(({ name, functions: [from, to] }) =>
      typeof what === "number" ? what >= from && what < to : name === what,
    );
    if (!part || loaded.has(part.name)) return false;
    // Who misses twice wants more than one could guess.
    const names = this.missed.size === 0 ? [part] : parts;
    for (const { name } of names) this.missed.add(name);
    return true;
  }
}

/** What of a run says which parts it needs. */
interface Wanting {
  readonly program: Pick<LinkedProgram, "modules" | "parts">;
  readonly scenario: unknown;
  readonly inputs: unknown;
}

/** Parts that any run of a scenario with nodes is started with, once something is applied. */
export function firstParts(parts: readonly ManifestPart[]): ManifestPart[] {
  const plain = { program: { modules: [], parts: [] }, scenario: {}, inputs: [{ do: "apply" }] };
  return partsFor(parts, plain, new Set());
}

/** Parts that program, scenario and inputs speak of, and what these need. */
export function partsFor(
  parts: readonly ManifestPart[],
  { program, scenario, inputs }: Wanting,
  missed: ReadonlySet<string>,
): ManifestPart[] {
  const text = JSON.stringify([scenario, inputs]);
  const names = new Set([...missed, ...program.parts]);
  if (program.modules.length > 0) names.add(TABLE);
  for (const { name, when } of parts) {
    if (when !== "" && new RegExp(when).test(text)) names.add(name);
  }
  for (const { name, needs } of parts) {
    if (names.has(name)) for (const one of needs) names.add(one);
  }
  return parts.filter(({ name }) => names.has(name));
}
