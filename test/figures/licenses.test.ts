/** The numbers in the text of the lesson on writing a scheduler plugin. */
import { createSession, objectsAt, rowOf } from "@shikumi/sim";
import { expect, it } from "vitest";
import labs from "../../content/part-7-build/02-write-a-scheduler-plugin/lab.ts";
import { inputsOf } from "../../src/sandbox/lab.ts";

it("without a plugin rack a gets three, where two are allowed", async () => {
  const lab = labs.find(({ id }) => id === "seven")!;
  const { seed, scenario, manifest } = lab;
  const session = createSession({ seed, scenario, inputs: inputsOf(lab, manifest) });
  await session.run({ untilMs: 9_000 });
  const rows = [...session.kernel.trace].map(rowOf);
  const nodes = [...objectsAt(rows, rows.at(-1)!.id).values()]
    .filter(({ kind, name }) => kind === "Pod" && name.startsWith("cad-"))
    .map(({ node }) => node);
  const count = (node: string) => nodes.filter((one) => one === node).length;
  expect(["node-1", "node-2", "node-3", "node-4"].map(count)).toEqual([2, 1, 2, 2]);
});
