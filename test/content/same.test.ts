/** Both languages of a lesson show the same things in the same order. */
import { describe, expect, it } from "vitest";
import {
  codeOf,
  componentsOf,
  headingsOf,
  numbersApart,
  type Page,
  pages,
  pairs,
  proseOf,
} from "../../src/lib/lesson-text.ts";

const fixture = "test/site/fixture";
const aspects: { name: string; of: (body: string) => string[]; fix: string }[] = [
  { name: "heading ids", of: headingsOf, fix: "Give both languages the same {/*ids*/} in order." },
  { name: "components", of: componentsOf, fix: "Labs, figures and sources must be the same." },
  { name: "code samples", of: codeOf, fix: "Code is the same; only comments are translated." },
];

function same([ja, en]: [Page, Page], { of, fix }: (typeof aspects)[number]): void {
  expect(of(ja.body), `${ja.path} and ${en.path} differ. ${fix}`).toEqual(of(en.body));
}

describe.each([...pairs(fixture), ...pairs()])("$slug", (ja, en) => {
  it.each(aspects)(`${ja.slug}: has the same $name in both languages`, (aspect) => {
    same([ja, en], aspect);
  });

  it(`${ja.slug}: has the same numbers in both languages`, () => {
    expect(numbersApart(proseOf(ja.body, true), proseOf(en.body, true))).toEqual([]);
  });

  it(`${ja.slug}: names an id for every heading`, () => {
    const bare = [...headingsOf(ja.body), ...headingsOf(en.body)].filter((h) =>
      h.endsWith("undefined"),
    );
    expect(bare, "Add an id at the end of the heading: {/*short-english-id*/}").toEqual([]);
  });
});

it("every article has both languages", () => {
  const all = pages();
  const lonely = all.filter(({ slug }) => all.filter((page) => page.slug === slug).length !== 2);
  expect(lonely.map((page) => page.path)).toEqual([]);
});

describe("the comparison finds", () => {
  const [sample] = pairs(fixture);
  const planted: [string, number, (body: string) => string][] = [
    ["a missing heading", 0, (body) => body.replace(/^## .*$/m, "")],
    ["another figure", 1, (body) => body.replace('<Figure id="rail"', '<Figure id="rails"')],
    ["another right answer", 1, (body) => body.replace("answer={0}", "answer={1}")],
    ["one option less", 1, (body) => body.replace('"One", ', "")],
    ["a changed line of code", 2, (body) => body.replace("replicas: 3", "replicas: 4")],
  ];
  it.each(planted)("%s", (_, aspect, change) => {
    const [ja, en] = sample!;
    const changed = { ...en, body: change(en.body) };
    expect(changed.body).not.toBe(en.body);
    expect(() => same([ja, changed], aspects[aspect]!)).toThrow();
  });

  it("a changed number", () => {
    expect(numbersApart("300秒待ちます。", "It waits 30 s.")).toEqual(["30", "300"]);
    expect(numbersApart("3台のうち2台", "two of three")).toEqual([]);
    expect(numbersApart("四つの部品", "5 parts")).toEqual(["5"]);
    expect(numbersApart("150000個", "150,000 Pods")).toEqual([]);
  });
});
