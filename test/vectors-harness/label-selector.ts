/** Replays label-selector.json: Parse, String, Matches. */
import { parseLabelSelector } from "../../sim/src/api/selector.ts";
import type { Labels } from "../../sim/src/api/types.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, nameOf, Tally } from "./harness.ts";

interface Case {
  in: string;
  canonical?: string;
  empty?: boolean;
  matches?: boolean[];
  error?: string;
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  const labelSets = casesOf<Labels | null>(file, "labelSets");
  for (const [i, c] of casesOf<Case>(file, "selectors").entries()) {
    const { in: text, error, canonical, empty, matches } = c;
    const name = nameOf(c, i);
    if (error)
      tally.throws(
        name,
        () => parseLabelSelector(text),
        (e) => e.message === error,
      );
    else tally.same(name, () => parsed(text, labelSets), { canonical, empty, matches });
  }
  return tally.result();
}

function parsed(text: string, labelSets: readonly (Labels | null)[]) {
  const selector = parseLabelSelector(text);
  return {
    canonical: selector.toString(),
    empty: selector.empty,
    matches: labelSets.map((labels) => selector.matches(labels ?? {})),
  };
}
