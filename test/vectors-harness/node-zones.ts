/** Replays node-zones.json: zone states and eviction rates. */
import {
  evictionsPerSecond,
  type ZoneCount,
  Zones,
  zoneState,
} from "../../sim/src/controllers/node-lifecycle/zones.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, nameOf, Tally } from "./harness.ts";

interface StateCase extends ZoneCount {
  counted: number;
  state: string;
  evictionsPerSecond: number;
}

type Step = Record<string, ZoneCount & { state: string; evictionsPerSecond: number }>;

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const [i, c] of casesOf<StateCase>(file, "states").entries()) {
    const { ready, notReady, counted } = c;
    const run = () => {
      const state = zoneState({ ready, notReady });
      const rate = evictionsPerSecond(state, ready + notReady);
      return { state, evictionsPerSecond: rate, counted: notReady };
    };
    const expected = { state: c.state, evictionsPerSecond: c.evictionsPerSecond, counted };
    tally.same(`states ${nameOf(c, i)}`, run, expected);
  }
  for (const [i, c] of casesOf<{ steps: Step[] }>(file, "sequences").entries()) {
    tally.same(nameOf(c, i), () => sequence(c.steps), c.steps);
  }
  return tally.result();
}

function sequence(steps: readonly Step[]): Step[] {
  const zones = new Zones();
  const rates = new Map<string, number>();
  return steps.map((step) => {
    const changes = zones.update(new Map(Object.entries(step)));
    for (const [zone, rate] of changes.rates) rates.set(zone, rate);
    const outcome: Step = {};
    for (const [zone, { ready, notReady }] of Object.entries(step)) {
      const state = zones.stateOf(zone);
      outcome[zone] = { ready, notReady, state, evictionsPerSecond: rates.get(zone) ?? -1 };
    }
    return outcome;
  });
}
