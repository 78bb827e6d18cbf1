/** English prose is spelt right and keeps the house style. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lintEnglish } from "../../scripts/prose/english.ts";
import { allProse } from "../../scripts/prose/files.ts";
import { proseOfPage } from "../../scripts/prose/markdown.ts";
import { format } from "../../scripts/prose/passage.ts";

const files = allProse("en");

it("reads lessons, labs, figures, the glossary, the interface and the READMEs", () => {
  const names = files.map(({ file }) => file).join("\n");
  for (const kind of [/\/en\.mdx$/m, /lab\.ts$/m, /Figure\.astro$/m, /glossary\.yaml$/m]) {
    expect(names).toMatch(kind);
  }
  for (const kind of [/i18n\/en\.json$/m, /^README\.md$/m, /^CONTRIBUTING\.md$/m]) {
    expect(names).toMatch(kind);
  }
});

it.each(files)("$file has nothing to mend", async (prose) => {
  expect((await lintEnglish(prose)).map(format)).toEqual([]);
});

it("every word of words.txt is used", () => {
  const all = files.flatMap(({ passages }) => passages.map(({ text }) => text)).join("\n");
  const words = readFileSync("scripts/prose/words.txt", "utf8").split("\n");
  const unused = words.filter((word) => !word.startsWith("#") && !all.includes(word));
  expect(unused, "Take it out of scripts/prose/words.txt.").toEqual([]);
});

describe("the linter finds", () => {
  const lint = async (text: string) =>
    (await lintEnglish(proseOfPage("page.mdx", text, " "))).map(format);

  it.each([
    ["The controler makes a Pod.", "spelling", "controller"],
    ["A kubernetes cluster has nodes.", "spelling", "Kubernetes"],
    ["The color of a Pod is a color.", "spelling", "colour"],
    ["The the Pod is gone.", "retext-repeated-words", "remove one"],
    ["This is an cluster of its own.", "retext-indefinite-article", "expected `a`"],
    ["It dont work.", "retext-contractions", "don’t"],
    ["We utilize a queue.", "retext-simplify", "use"],
    ["Obviously, it is so.", "retext-equality", "Obviously"],
    ['It says "no" to that.', "quotes", "“"],
    ["A Pod — the smallest unit.", "dash", "comma"],
    [`It is ${"long and ".repeat(25)}longer.`, "long-sentence", "53 words"],
  ])("%s (%s)", async (text, rule, says) => {
    const found = await lint(`One line.\n\n${text}\n`);
    expect(found.join("\n")).toMatch(new RegExp(`^page.mdx:3:\\d+ ${rule}:`, "m"));
    expect(found.join("\n")).toContain(says);
  });

  it("a misspelt option, in its own line", async () => {
    const found = await lint('<Predict\n  ask="How many?"\n  options={["noen"]}\n/>\n');
    expect(found).toEqual([expect.stringMatching(/^page\.mdx:3:14 spelling: “noen”/)]);
  });

  it("nothing in good English, in code or in the names of the trade", async () => {
    const good = "The kubelet's `PodSandbox` gets an `apps/v1` object, “web”, in a ReplicaSet.";
    expect(await lint(good)).toEqual([]);
  });
});
