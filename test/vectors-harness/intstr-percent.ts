/** Replays intstr-percent.json. */
import { scaledValue } from "../../sim/src/api/intstr.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";

interface Case {
  in: number | string;
  total: number;
  roundUp?: number;
  roundDown?: number;
  error?: string;
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const { in: value, total, roundUp, roundDown, error } of casesOf<Case>(file)) {
    const name = `${JSON.stringify(value)} of ${total}`;
    if (error)
      tally.throws(
        name,
        () => scaledValue(value, total, true),
        (e) => e.message === error,
      );
    else {
      const both = () => ({
        roundUp: scaledValue(value, total, true),
        roundDown: scaledValue(value, total, false),
      });
      tally.same(name, both, { roundUp, roundDown });
    }
  }
  return tally.result();
}
