/** `npm run new`: what it lays out passes the checks that every article must pass. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { layOut } from "../../scripts/new.ts";
import { lessonSchema } from "../../src/lib/lesson-schema.ts";
import {
  componentsOf,
  headingsOf,
  numbersApart,
  pages,
  pairs,
  proseOf,
} from "../../src/lib/lesson-text.ts";
import { translationState } from "../../src/lib/translation.ts";

const content = mkdtempSync(join(tmpdir(), "shikumi-new-"));
beforeAll(() => {
  layOut("list-watch", content);
});
afterAll(() => rmSync(content, { recursive: true }));

it("lays out both languages in the folder of the curriculum", () => {
  expect(pages(content).map((page) => page.path)).toEqual([
    join(content, "part-1-design/04-list-watch/ja.mdx"),
    join(content, "part-1-design/04-list-watch/en.mdx"),
  ]);
});

it("gives them valid heads with the titles of the curriculum", () => {
  const heads = pages(content).map((page) => lessonSchema.parse(page.frontmatter));
  expect(heads.map((head) => head.title)).toEqual(["ListとWatch", "List and watch"]);
});

it("gives them the same headings, components and numbers, and a fresh translation", () => {
  const [ja, en] = pairs(content)[0]!;
  expect(headingsOf(ja.body)).toEqual(["2 what-happened", "2 check-yourself"]);
  expect(headingsOf(en.body)).toEqual(headingsOf(ja.body));
  expect(componentsOf(en.body)).toEqual(componentsOf(ja.body));
  expect(numbersApart(proseOf(ja.body, true), proseOf(en.body, true))).toEqual([]);
  expect(translationState(en.raw, ja.raw)).toBe("fresh");
});

it("never overwrites, and names the remedy for an unknown slug", () => {
  expect(() => layOut("list-watch", content)).toThrow(/already there/);
  expect(() => layOut("no-such", content)).toThrow(/Add it there first/);
  expect(() => layOut("glossary", content)).toThrow(/not an article/);
});
