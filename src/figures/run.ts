/** A lab run to its end, at build time and in tests: from its first entry to its last, with all details. */
import {
  createSession,
  type Input,
  type OutputLine,
  type Scenario,
  type TraceEntry,
} from "@shikumi/sim";
import { inputsOf, type Lab } from "../sandbox/lab.ts";

/** What is changed about a lab's run; inputs and manifest come in place of the lab's. */
export interface Variant {
  readonly scenario?: Scenario;
  readonly inputs?: readonly Input[];
  readonly manifest?: string;
}

export async function runOf(
  lab: Lab,
  { scenario, inputs = lab.inputs, manifest = lab.manifest }: Variant = {},
  onOutput?: (line: OutputLine) => void,
): Promise<readonly TraceEntry[]> {
  const session = createSession({
    seed: lab.seed,
    scenario: { ...lab.scenario, ...scenario },
    inputs: inputsOf({ ...lab, inputs }, manifest),
    onOutput,
  });
  await session.run();
  return [...session.kernel.trace];
}

/** Throws if there is no lab of that name. */
export function labOf(labs: readonly Lab[], id: string): Lab {
  const lab = labs.find((one) => one.id === id);
  if (!lab) throw new Error(`There is no lab "${id}".`);
  return lab;
}
