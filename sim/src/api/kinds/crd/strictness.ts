/** How strict a definition is looked at: flaws that stood may stay. */

/** Which rules hold, given what was wrong already. */
export interface Strictness {
  readonly structural: boolean;
  readonly types: boolean;
  readonly prunedDefaults: boolean;
  readonly atomicSets: boolean;
  readonly mapKeys: boolean;
}

export const STRICT: Strictness = Object.freeze({
  structural: true,
  types: true,
  prunedDefaults: true,
  atomicSets: true,
  mapKeys: true,
});
