/** What the figures of the lesson on a packet's walk draw, from a run of its lab. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import labs from "../../content/part-5-cni/05-packet-walk/lab.ts";
import { type Machine, walkOf } from "../../src/figures/hops/hops.ts";
import { labOf, runOf } from "../../src/figures/run.ts";

const trace = await runOf(labOf(labs, "walks"));

const CLIENT = "pod default/client";
const stops = (machines: readonly Machine[]) => machines.flatMap((machine) => machine.stops);
/** Where headers were rewritten: the machine, and what. */
const changes = (machines: readonly Machine[]) =>
  machines.flatMap(({ place, stops }) =>
    stops
      .filter(({ srcChanged, dstChanged }) => srcChanged || dstChanged)
      .map(({ srcChanged, dstChanged }) => {
        return `${place}:${srcChanged ? " source" : ""}${dstChanged ? " destination" : ""}`;
      }),
  );

it.each([
  [CLIENT, "pod default/near:80", [], []],
  [CLIENT, "pod default/web:80", [], []],
  [CLIENT, "10.96.7.7:80", ["node node-1: destination"], ["node node-1: source"]],
  [CLIENT, "web:80", ["node node-1: destination"], ["node node-1: source"]],
  [
    "pod default/web",
    "10.96.7.7:80",
    ["node node-2: source destination"],
    ["node node-2: source destination"],
  ],
  [
    "outside",
    "node node-1:30080",
    ["node node-1: source destination"],
    ["node node-1: source destination"],
  ],
  [
    CLIENT,
    "203.0.113.10:80",
    ["node node-1: source", "router: source"],
    ["router: destination", "node node-1: destination"],
  ],
] as const)("what a node changed from %s to %s, it puts back", (from, to, there, back) => {
  const walk = walkOf(trace, from, to);
  expect(changes(walk.there)).toEqual(there);
  expect(changes(walk.back)).toEqual(back);
});

it("four interfaces on a node and ten across see a packet between Pods", () => {
  expect(stops(walkOf(trace, CLIENT, "pod default/near:80").there)).toHaveLength(4);
  expect(stops(walkOf(trace, CLIENT, "pod default/web:80").there)).toHaveLength(10);
});

it.each(["en", "ja"])("the transcripts tell the headers of the run: %s", (lang) => {
  const folder = join(import.meta.dirname, "../../content/part-5-cni/05-packet-walk");
  const text = readFileSync(join(folder, `${lang}.mdx`), "utf8");
  const walks = [
    walkOf(trace, "outside", "node node-1:30080"),
    walkOf(trace, "pod default/web", "10.96.7.7:80"),
  ];
  for (const { there, back } of walks) {
    for (const { src, dst } of stops([...there, ...back])) {
      expect(text).toContain(src);
      expect(text).toContain(dst);
    }
  }
});
