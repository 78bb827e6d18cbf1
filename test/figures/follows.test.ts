/** What the figure of the lesson on writing a controller draws, and the numbers of its text. */
import { describe, expect, it } from "vitest";
import labs from "../../content/part-7-build/01-write-a-controller/lab.ts";
import { spansOf, stopsOf } from "../../src/figures/follows/follows.ts";
import { labOf, runOf } from "../../src/figures/run.ts";

const entries = await runOf(labOf(labs, "kept"));

describe("an operator", () => {
  const rounded = (object: string) =>
    spansOf(entries, object, 58_000).map(({ fromMs, toMs, replicas }) => [
      replicas,
      ...[fromMs, toMs].map((ms) => Number(ms.toFixed(1))),
    ]);
  const count = (verb: string, subject: RegExp) =>
    entries.filter(
      (entry) =>
        entry.actor === "website-operator" && entry.verb === verb && subject.test(entry.subject),
    ).length;

  it("puts its Deployment right within two milliseconds, or when it is back", () => {
    expect(rounded("Website default/shop")).toEqual([
      [2, 4_002.4, 31_002.4],
      [3, 31_002.4, 50_000.8],
    ]);
    expect(rounded("Deployment default/shop")).toEqual([
      [2, 4_004.5, 14_002.4],
      [5, 14_002.4, 14_003.6],
      [2, 14_003.6, 20_000.8],
      [2, 20_002.6, 32_002.4],
      [1, 32_002.4, 40_002.6],
      [3, 40_002.6, 50_003.5],
    ]);
    expect(stopsOf(entries, "website-operator")).toEqual([{ fromMs: 30_000, toMs: 40_000 }]);
  });

  it("is undone too late for the next controller, which has made three Pods already", () => {
    const made = entries.filter(
      ({ verb, subject, atMs, detail }) =>
        verb === "write" &&
        subject.startsWith("Pod ") &&
        (detail as { type: string }).type === "ADDED" &&
        atMs > 14_000 &&
        atMs < 15_000,
    );
    expect(made).toHaveLength(3);
  });

  it("says all anew each time, and changes little by it", () => {
    expect(count("reconcile", /./)).toBe(35);
    expect(count("request", /^PATCH deployments.apps/)).toBe(34);
    // Made, put right, made anew, put right: each begins a line of the figure.
    const changed = rounded("Deployment default/shop").filter(([replicas]) => replicas! < 4);
    expect(changed).toHaveLength(5);
  });
});
