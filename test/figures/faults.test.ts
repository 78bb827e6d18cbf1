/** The experiment of the lesson on declarative and imperative; its numbers stand in the text. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { countBoth, SEEDS } from "../../src/figures/faults/count.ts";
import { FAULTS, outcomeOf } from "../../src/figures/faults/world.ts";

const lesson = (lang: string) =>
  readFileSync(`content/part-1-design/02-declarative-vs-imperative/${lang}.mdx`, "utf8");

const { script, loop } = await countBoth();

describe("script and loop over 1,000 seeds", () => {
  const sum = (of: (fault: (typeof FAULTS)[number]) => number) =>
    FAULTS.reduce((total, fault) => total + of(fault), 0);
  const wrong = (fault: (typeof FAULTS)[number]) => script[fault].silent + script[fault].loud;

  it("meets the same faults in both programs", () => {
    for (const fault of FAULTS) {
      const runs = ({ right, silent, loud }: (typeof loop)[typeof fault]) => right + silent + loud;
      expect(runs(script[fault])).toBe(runs(loop[fault]));
    }
  });

  it("ends right in every run of the loop", () => {
    expect(sum((fault) => loop[fault].right)).toBe(SEEDS);
  });

  it.each(["en", "ja"])("has the numbers that the text (%s) tells", (lang) => {
    const text = lesson(lang);
    const told = [sum(wrong), sum((fault) => script[fault].silent), ...FAULTS.map(wrong)];
    for (const number of told) expect(text).toMatch(new RegExp(`(?<!\\d)${number}(?!\\d)`));
  });
});

it("ends wrong if the program does nothing", async () => {
  const { outcome } = await outcomeOf(1, async () => {});
  expect(outcome).toBe("silent");
});
