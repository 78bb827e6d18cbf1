/** The head of every lesson is whole, and a mistake in it is told with its remedy. */
import { describe, expect, it } from "vitest";
import { articles } from "../../src/curriculum.ts";
import { lessonSchema } from "../../src/lib/lesson-schema.ts";
import { pages, pairs } from "../../src/lib/lesson-text.ts";
import { glossary } from "../../src/lib/terms.ts";
import { originOf } from "../../src/lib/translation.ts";

const all = [...pages("test/site/fixture"), ...pages()];
const known = new Set(glossary().map((term) => term.id));
const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

describe.each(all)("$path", (page) => {
  it(`${page.path}: has a valid head`, () => {
    const result = lessonSchema.safeParse(page.frontmatter);
    expect(
      result.error?.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`) ?? [],
    ).toEqual([]);
  });

  it(`${page.path}: names terms of the glossary alone`, () => {
    const named = [...list(page.frontmatter.needs), ...list(page.frontmatter.teaches)];
    const used = [...page.body.matchAll(/<Term\s+id="([^"]*)"/g)].map((match) => match[1]!);
    const unknown = [...named, ...used].filter((id) => !known.has(id));
    expect(unknown, "Add the term to content/glossary.yaml or mend its id.").toEqual([]);
  });

  it(`${page.path}: needs only what an earlier article teaches`, () => {
    const order = articles.findIndex((entry) => entry.slug === page.slug);
    const later = list(page.frontmatter.needs).filter((id) => {
      const teachers = all.filter((other) => list(other.frontmatter.teaches).includes(id));
      const places = teachers.map((t) => articles.findIndex((entry) => entry.slug === t.slug));
      return places.length > 0 && places.every((place) => place >= order);
    });
    expect(later, "Teach the term earlier, or take it out of needs.").toEqual([]);
  });

  it(`${page.path}: has three questions to check oneself`, () => {
    expect(page.body.match(/<Question\b/g)?.length, "<SelfCheck> holds three <Question>.").toBe(3);
  });
});

it.each(pairs())("$slug: one language is the original, the other follows it", (ja, en) => {
  const marks = [ja, en].filter((page) => originOf(page.raw)).length;
  expect(marks, `Run npm run i18n:status -- --stamp ${ja.slug} --from ja`).toBe(1);
});

describe("a mistake is told with its remedy", () => {
  const good = {
    title: "A title",
    description: "Twenty characters and a few more.",
    question: "Who does it?",
    minutes: 10,
  };
  const cases: [string, object, RegExp][] = [
    ["no title", { ...good, title: undefined }, /Add a title/],
    ["a short description", { ...good, description: "short" }, /at least 20/],
    ["no question", { ...good, question: undefined }, /Add the question/],
    ["half a minute", { ...good, minutes: 0.5 }, /whole number/],
    ["a term with a space", { ...good, teaches: ["Work Queue"] }, /in lower case/],
    ["a bad mark", { ...good, translatedFrom: "en" }, /--stamp SLUG/],
  ];
  it.each(cases)("%s", (_, head, message) => {
    const messages = lessonSchema.safeParse(head).error?.issues.map((issue) => issue.message);
    expect(messages?.join("\n")).toMatch(message);
  });
});
