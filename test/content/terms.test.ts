/** The glossary and the list of beliefs are whole; japanese.test.ts reads their prose. */
import { describe, expect, it } from "vitest";
import { articles } from "../../src/curriculum.ts";
import { numbersApart } from "../../src/lib/lesson-text.ts";
import { glossary, misconceptions } from "../../src/lib/terms.ts";

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
  });
});

describe("misconceptions.yaml", () => {
  const { groups, entries } = misconceptions();
  const slugs = new Set(articles.map((entry) => entry.slug));

  it("has at least 48 beliefs, with different ids", () => {
    expect(entries.length).toBeGreaterThanOrEqual(48);
    expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length);
  });

  it.each(entries)("$id is whole", (entry) => {
    expect(groups.map((group) => group.id)).toContain(entry.group);
    expect(slugs.has(entry.article ?? "")).toBe(true);
    for (const text of [entry.belief.ja, entry.truth.ja]) expect(text).toMatch(/。$/);
    for (const text of [entry.belief.en, entry.truth.en]) expect(text).toMatch(/\.$/);
    expect(numbersApart(entry.truth.ja, entry.truth.en)).toEqual([]);
  });
});
