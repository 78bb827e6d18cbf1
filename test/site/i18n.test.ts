/** Interface text: the same keys in both languages, each used, each filled the same way. */
import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import en from "../../src/i18n/en.json" with { type: "json" };
import { translator } from "../../src/i18n/index.ts";
import ja from "../../src/i18n/ja.json" with { type: "json" };

type Tree = { [key: string]: string | Tree };

function flat(tree: Tree, path = ""): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === "string" ? [[`${path}${key}`, value]] : flat(value, `${path}${key}.`),
  );
}

const base = (key: string) => key.replace(/_(?:one|other)$/, "");
const texts = { en: flat(en), ja: flat(ja) };

it("has the same keys in both languages", () => {
  const keys = (list: [string, string][]) => [...new Set(list.map(([key]) => base(key)))].sort();
  expect(keys(texts.ja)).toEqual(keys(texts.en));
});

it("has no key that nothing uses", () => {
  const files = globSync("src/**/*.{astro,ts,tsx}").filter((file) => !file.startsWith("src/i18n/"));
  const source = files.map((file) => readFileSync(file, "utf8")).join("\n");
  const unused = texts.en.map(([key]) => base(key)).filter((key) => !source.includes(`"${key}"`));
  expect(unused, "Use the key or take it out of both files.").toEqual([]);
});

it("fills the same places in both languages", () => {
  const places = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).sort();
  const english = new Map(texts.en.map(([key, text]) => [key, text]));
  for (const [key, text] of texts.ja) expect(places(text), key).toEqual(places(english.get(key)!));
});

it("counts in each language's way", () => {
  expect(translator("en")("search.found", { count: 1 })).toBe("1 page found");
  expect(translator("en")("search.found", { count: 2 })).toBe("2 pages found");
  expect(translator("ja")("search.found", { count: 1 })).toBe("1ページ見つかりました");
});
