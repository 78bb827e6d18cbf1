/** Replays toleration.json: does a toleration cover a taint? */
import { toleratesTaint } from "../../sim/src/api/helpers/tolerations.ts";
import type { Taint } from "../../sim/src/api/kinds/node.ts";
import type { Toleration } from "../../sim/src/api/kinds/pod.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";

interface Case {
  case?: string;
  toleration: Toleration;
  taint: Taint;
  tolerates: boolean;
  toleratesWithComparisonOperatorsGate?: boolean;
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const c of casesOf<Case>(file)) {
    const { toleration, taint, tolerates, toleratesWithComparisonOperatorsGate: gated } = c;
    const name = c.case ?? JSON.stringify({ toleration, taint });
    const answers = () => [
      toleratesTaint(toleration, taint),
      gated === undefined ? undefined : toleratesTaint(toleration, taint, true),
    ];
    tally.same(name, answers, [tolerates, gated]);
  }
  return tally.result();
}
