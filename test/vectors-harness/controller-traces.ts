/**
 * Replays controller-traces*.json: the inputs of a recorded session, through
 * the simulator's API server, controllers and scheduler, with the recorded
 * stand-in for kubelets. A case is one kind of objects in one scenario.
 */
import type { Result, VectorFile } from "./harness.ts";
import { Tally } from "./harness.ts";
import { belonging, compareKind, kindsOf } from "./traces/compare.ts";
import type { TraceFile } from "./traces/format.ts";
import { playAll } from "./traces/play.ts";

export async function replay({ json }: VectorFile): Promise<Result> {
  const file = json as object as TraceFile;
  const played = await playAll(file);
  const tally = new Tally();
  for (const name of file.order) {
    const scenario = file.scenarios[name]!;
    if (!scenario.rows) continue;
    const recorded = belonging(scenario.rows, scenario);
    const seen = belonging(played.get(name) ?? [], scenario);
    const kinds = new Set([...kindsOf(recorded), ...kindsOf(seen)]);
    for (const kind of kinds) {
      const mismatch = compareKind(kind, recorded, seen);
      if (mismatch) tally.miss(`${name}/${kind}`, mismatch.expected, mismatch.actual);
      else tally.pass();
    }
  }
  return tally.result();
}
