/**
 * For figures that are drawn at build time: the run of a lab of the page's own
 * lesson, from its first entry to its last, with all details.
 */
import { createSession, type Input, type Scenario, type TraceEntry } from "@shikumi/sim";
import { inputsOf, type Lab } from "../sandbox/lab.ts";

const files = import.meta.glob<{ default: readonly Lab[] }>("/content/*/*/lab.ts", {
  eager: true,
});

/** What a figure changes about a lab's run; the inputs come in place of the lab's. */
export interface Variant {
  readonly scenario?: Scenario;
  readonly inputs?: readonly Input[];
}

/** Entries of the lab `id` of the lesson at `pathname`, such as `/en/cni/`. */
export async function runOfLab(
  pathname: string,
  id: string,
  variant: Variant = {},
): Promise<readonly TraceEntry[]> {
  const lesson = pathname.split("/").filter(Boolean).at(-1)!;
  const file = Object.keys(files).find(
    (path) => path.split("/").at(-2)?.replace(/^\d+-/, "") === lesson,
  );
  const lab = file && files[file]!.default.find((one) => one.id === id);
  if (!lab) throw new Error(`content/…-${lesson}/lab.ts sets up no lab "${id}".`);
  const { seed, manifest } = lab;
  const scenario = { ...lab.scenario, ...variant.scenario };
  const inputs = inputsOf({ ...lab, ...variant }, manifest);
  const session = createSession({ seed, scenario, inputs });
  await session.run();
  return [...session.kernel.trace];
}
