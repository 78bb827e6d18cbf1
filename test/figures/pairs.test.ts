/** What the figure of the lesson on writing a CNI plugin draws, and the numbers of its text. */
import { expect, it } from "vitest";
import labs from "../../content/part-7-build/03-write-a-cni-plugin/lab.ts";
import { walkOf } from "../../src/figures/hops/hops.ts";
import { labOf, runOf } from "../../src/figures/run.ts";

const entries = await runOf(labOf(labs, "pairs"));

it("a packet to the world meets one interface before the node's own, which replaces its source", () => {
  const { there, back } = walkOf(entries, "pod default/a", "203.0.113.10:80");
  const machines = there.map(({ place, stops }) => [place, stops.map(({ src }) => src)]);
  expect(machines).toEqual([
    ["pod default/a", ["10.90.0.12:35468"]],
    ["node node-1", ["10.90.0.12:35468", "172.18.0.2:15656"]],
    ["router", ["172.18.0.2:15656", "203.0.113.1:28402"]],
    ["outside", ["203.0.113.1:28402"]],
  ]);
  expect(back.at(-1)!.stops.at(-1)!.dst).toBe("10.90.0.12:35468");
});

it("the fourth Pod is tried for at 6, at 17.6 and at 31.9 s", () => {
  const adds = entries
    .filter(({ verb, subject, atMs }) => verb === "cni" && subject === "ADD ptp" && atMs > 2_000)
    .map(({ atMs }) => Number((atMs / 1_000).toFixed(1)));
  expect(adds).toEqual([6.1, 17.6, 31.9]);
  const deletions = entries.filter(
    ({ verb, subject, atMs }) => verb === "cni" && subject === "DEL ptp" && atMs < 19_000,
  );
  expect(deletions).toHaveLength(2);
});
