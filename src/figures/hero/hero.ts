/**
 * The landing page's cluster: what the visitor did so far, as inputs of one
 * run. Each new deed runs the whole again with one input more and plays on
 * from there; the simulator is fast enough that nobody notices.
 */
import type { Input, Row, Scenario } from "@shikumi/sim";
import type { Run, SimRuntime } from "../../sandbox/runtime/types.ts";

/** Time that the cluster gets to settle before the next deed, in ms. */
const SETTLE_MS = 10_000;
/** A stopped node is noticed after 50 s, its Pods go after 300 s more. */
const LOOK_AHEAD_MS = 400_000;

/** Seed of every live cluster: its Pods are called the same on each visit. */
export const SEED = 7;

export const SCENARIO: Scenario = { name: "hero", nodes: 3, quietMs: 310_000 };

export const MANIFEST = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
        - name: nginx
          image: nginx:1.27
`;

export const FIRST: readonly Input[] = [{ atMs: 1_000, do: "apply", yaml: MANIFEST }];

/** A deed without its moment. */
export type Deed = { do: "kubectl"; line: string } | { do: "stop" | "start"; actor: string };

/** The inputs with one deed more, after the last one has settled. */
export function withDeed(inputs: readonly Input[], deed: Deed, afterMs: number): Input[] {
  const atMs = Math.ceil(afterMs / 1000) * 1000 + SETTLE_MS;
  return [...inputs, { ...deed, atMs }];
}

/** The scenario with time enough for what the last deed sets off. */
export function withTime(scenario: Scenario, inputs: readonly Input[]): Scenario {
  return { ...scenario, untilMs: inputs.at(-1)!.atMs + LOOK_AHEAD_MS };
}

/** Runs all inputs and gives the rows; rejects if the run failed. */
export async function rowsOf(
  runtime: SimRuntime,
  scenario: Scenario,
  inputs: readonly Input[],
): Promise<readonly Row[]> {
  const whole = withTime(scenario, inputs);
  const run: Run = runtime.run({ files: {}, scenario: whole, seed: SEED, inputs });
  const rows: Row[] = [];
  for await (const message of run) if (message.type === "rows") rows.push(...message.rows);
  const end = await run.end;
  run.dispose();
  if (!end.ok) throw new Error(end.error.message);
  return rows;
}
