/** Japanese articles write terms as the glossary has them, and half-width marks. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { articles } from "../../src/curriculum.ts";
import { numbersApart, pages, proseOf } from "../../src/lib/lesson-text.ts";
import { glossary, misconceptions } from "../../src/lib/terms.ts";

const avoided = glossary().flatMap((term) =>
  (term.avoid ?? []).map((spelling) => ({ term, pattern: new RegExp(spelling, "g") })),
);

interface Slip {
  found: string;
  write: string;
}

/** What a Japanese text has against the house style. */
function slipsOf(text: string): Slip[] {
  const terms = avoided.flatMap(({ term, pattern }) =>
    (text.match(pattern) ?? []).map((found) => ({ found, write: term.ja })),
  );
  const wide = (text.match(/[０-９Ａ-Ｚａ-ｚ（）：；！？，．]/g) ?? []).map((found) => ({
    found,
    write: found.normalize("NFKC"),
  }));
  const spaced = (
    text.match(/[ぁ-んァ-ヶ一-龠] [A-Za-z0-9]|[A-Za-z0-9] [ぁ-んァ-ヶ一-龠]/g) ?? []
  ).map((found) => ({ found, write: found.replace(" ", "") }));
  return [...terms, ...wide, ...spaced];
}

const japanese = [...pages("test/site/fixture"), ...pages()].filter((page) => page.lang === "ja");

it.each(japanese)("$path follows the glossary and the house style", (page) => {
  expect(slipsOf(proseOf(page.body))).toEqual([]);
});

it("interface text in Japanese follows them too", () => {
  expect(slipsOf(readFileSync("src/i18n/ja.json", "utf8"))).toEqual([]);
});

it("titles of the curriculum follow them too", () => {
  expect(articles.flatMap((entry) => slipsOf(entry.title.ja))).toEqual([]);
});

describe("the check finds", () => {
  it.each([
    ["ポッドを作る", "Pod"],
    ["コントローラは動く", "コントローラー"],
    ["スケジューラが選ぶ", "スケジューラー"],
    ["望ましい状態", "目的の状態"],
    ["3個のPodsがある", "Pod"],
    ["APIサーバ、", "APIサーバー"],
    ["Ｐod", "P"],
    ["強調（丸括弧）", "("],
    ["Pod を作る", "dを"],
  ])("%s", (text, write) => {
    expect(slipsOf(text).map((slip) => slip.write)).toContain(write);
  });

  it("nothing in good Japanese", () => {
    expect(
      slipsOf("コントローラーは、APIサーバー(kube-apiserver)を通してPodを2個作ります。"),
    ).toEqual([]);
  });
});

describe("glossary.yaml", () => {
  const slugs = new Set(articles.map((entry) => entry.slug));
  const terms = glossary();

  it("has at least 60 terms with different ids", () => {
    const ids = terms.map((term) => term.id);
    expect(ids.length).toBeGreaterThanOrEqual(60);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(terms)("$id is whole", (term) => {
    expect(term.id).toMatch(/^[a-z0-9-]+$/);
    expect(term.reading, "Write the reading in hiragana.").toMatch(/^[ぁ-んー]+$/);
    expect(term.ja && term.en).toBeTruthy();
    expect(term.definition.ja).toMatch(/。$/);
    expect(term.definition.en).toMatch(/\.$/);
    expect(slugs.has(term.article ?? ""), "Name the article that teaches it.").toBe(true);
    expect(slipsOf(term.definition.ja)).toEqual([]);
  });
});

describe("misconceptions.yaml", () => {
  const { groups, entries } = misconceptions();
  const slugs = new Set(articles.map((entry) => entry.slug));

  it("has the 46 beliefs, with different ids", () => {
    expect(entries.length).toBe(46);
    expect(new Set(entries.map((entry) => entry.id)).size).toBe(46);
  });

  it.each(entries)("$id is whole", (entry) => {
    expect(groups.map((group) => group.id)).toContain(entry.group);
    expect(slugs.has(entry.article ?? "")).toBe(true);
    for (const text of [entry.belief.ja, entry.truth.ja]) {
      expect(text).toMatch(/。$/);
      expect(slipsOf(text)).toEqual([]);
    }
    for (const text of [entry.belief.en, entry.truth.en]) expect(text).toMatch(/\.$/);
    expect(numbersApart(entry.truth.ja, entry.truth.en)).toEqual([]);
  });
});
