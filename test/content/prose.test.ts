/** What the linters of both languages read of a file, and where they find it there. */
import { describe, expect, it } from "vitest";
import { proseOfPage, unknownAttributes } from "../../scripts/prose/markdown.ts";
import { type Prose, placeOf } from "../../scripts/prose/passage.ts";
import { proseOfProgram, proseOfTable, proseOfTexts } from "../../scripts/prose/strings.ts";
import { pages } from "../../src/lib/lesson-text.ts";

const readOf = ({ passages }: Prose) => passages.map(({ kind, text }) => `${kind}: ${text}`);

const page = `---
title: 題
description: 説明です。
minutes: 10
---

## 見出し {/*heading*/}

一つ目の行の
<Term id="pod">Pod</Term>です。\`spec\`と**強調**。

\`\`\`sh
kubectl get pods
\`\`\`

<Predict id="p" ask="いくつですか。" options={["一つ", "二つ"]} answer={0}>
  答えです。
</Predict>

| 部品 | 仕事 |
| --- | --- |
| etcd | 保存する |

<Next slug="etcd">次の話。</Next>
`;

describe("a page", () => {
  const prose = proseOfPage("page.mdx", page, "");

  it("gives its text and the attributes that are read, without markup and code", () => {
    expect(readOf(prose)).toEqual([
      "heading: 題",
      "sentence: 説明です。",
      "heading: 見出し ",
      "sentence: 一つ目の行のPodです。`spec`と強調。",
      "sentence: いくつですか。",
      "label: 一つ",
      "label: 二つ",
      "sentence: 答えです。",
      "label: 部品",
      "label: 仕事",
      "label: etcd",
      "label: 保存する",
      "label: 次の話。",
    ]);
  });

  it("knows line and column of each", () => {
    const at = (needle: string) => {
      const passage = prose.passages.find(({ text }) => text.includes(needle))!;
      return placeOf(prose.source, passage.sourceOf(passage.text.indexOf(needle)));
    };
    expect(at("説明")).toEqual({ line: 3, column: 14 });
    expect(at("Podです")).toEqual({ line: 10, column: 16 });
    expect(at("強調")).toEqual({ line: 10, column: 38 });
    expect(at("二つ")).toEqual({ line: 16, column: 48 });
  });

  it("leaves no attribute of the lessons to chance", () => {
    const unknown = pages().flatMap(({ path, raw }) => unknownAttributes(path, raw));
    const remedy = "Put it into ATTRIBUTES or NOT_READ of scripts/prose/markdown.ts.";
    expect(unknown, remedy).toEqual([]);
    expect(unknownAttributes("page.mdx", '<Predict hint="Look." />\n')).toEqual(["hint"]);
  });

  it("joins lines with a space in English", () => {
    expect(readOf(proseOfPage("page.md", "One line\nand another.\n", " "))).toEqual([
      "sentence: One line and another.",
    ]);
  });
});

describe("a program", () => {
  const source = `---
const texts = {
  en: { name: "Name", of: (n: number) => \`\${n} of \${n + 1} s\` },
  ja: { name: "名前" },
};
const lab = { task: { en: "Do it.", ja: "してください。" }, id: "none" };
---
<p>en</p>
`;

  it("gives its texts in the language asked for; blanks stand for what is filled in", () => {
    expect(readOf(proseOfProgram("Figure.astro", source, "en"))).toEqual([
      "label: Name",
      "label: `x` of `x` s",
      "sentence: Do it.",
    ]);
    const ja = proseOfProgram("Figure.astro", source, "ja");
    expect(readOf(ja)).toEqual(["label: 名前", "sentence: してください。"]);
    expect(placeOf(source, ja.passages[1]!.sourceOf(0))).toEqual({ line: 6, column: 42 });
  });
});

describe("tables of texts", () => {
  it("give every text of a JSON file", () => {
    const source = '{ "a": { "b": "{{count}}個です。", "c": "名" } }';
    expect(readOf(proseOfTexts("ja.json", source, "ja"))).toEqual([
      "sentence: `x`個です。",
      "label: 名",
    ]);
  });

  it("give the texts of one language of a YAML file", () => {
    const source = "- id: pod\n  ja: Pod\n  definition:\n    ja: 単位です。\n    en: A unit.\n";
    const prose = proseOfTable("glossary.yaml", source, "ja");
    expect(readOf(prose)).toEqual(["label: Pod", "sentence: 単位です。"]);
    expect(placeOf(source, prose.passages[1]!.sourceOf(0))).toEqual({ line: 4, column: 9 });
  });
});
