/** The experiment: both programs over 1,000 seeds, counted by fault and outcome. */
import { loop } from "./loop.ts";
import { script } from "./script.ts";
import { FAULTS, type Fault, type Outcome, outcomeOf, type Program } from "./world.ts";

export const SEEDS = 1_000;

export type Counts = Readonly<Record<Fault, Readonly<Record<Outcome, number>>>>;

export async function countOutcomes(program: Program, seeds = SEEDS): Promise<Counts> {
  const none = () => ({ right: 0, silent: 0, loud: 0 });
  const counts = Object.fromEntries(FAULTS.map((fault) => [fault, none()])) as Record<
    Fault,
    Record<Outcome, number>
  >;
  for (let seed = 1; seed <= seeds; seed++) {
    const { fault, outcome } = await outcomeOf(seed, program);
    counts[fault][outcome]++;
  }
  return counts;
}

export const countBoth = async () => ({
  script: await countOutcomes(script),
  loop: await countOutcomes(loop),
});
