/** The small machines of the site: regions, phrases, heading ids, translations, folders. */
import { describe, expect, it } from "vitest";
import { articles, curriculum, folderOf, slugOf } from "../../src/curriculum.ts";
import { codePieces } from "../../src/lib/code-pieces.ts";
import { piecePath } from "../../src/lib/joinery.ts";
import { phraseHtml } from "../../src/lib/phrases.ts";
import { cut } from "../../src/lib/regions.ts";
import { hashOf, stamp, translationState } from "../../src/lib/translation.ts";
import { remarkHeadingIds } from "../../src/markdown/heading-ids.ts";
import { rehypePhrases } from "../../src/markdown/phrases.ts";
import { rehypeTables } from "../../src/markdown/tables.ts";
import type { TreeNode } from "../../src/markdown/tree.ts";

describe("regions", () => {
  const source = [
    "const a = 1;",
    "  // region: outer",
    "  const b = 2;",
    "  // region: inner",
    "    const c = 3;",
    "  // endregion",
    "  // endregion",
    "",
  ].join("\n");

  it("cuts a region with its line numbers, without marks and common indent", () => {
    expect(cut(source, "f.ts", "outer")).toEqual({
      text: "const b = 2;\n  const c = 3;",
      first: 3,
      last: 6,
    });
  });

  it("gives the whole file without a name", () => {
    expect(cut("a\nb\n", "f.ts")).toEqual({ text: "a\nb", first: 1, last: 2 });
  });

  it("says how to mark a region that is missing or open", () => {
    expect(() => cut(source, "f.ts", "none")).toThrow(/Mark it: \/\/ region: none/);
    expect(() => cut("// region: x\nlet a;", "f.ts", "x")).toThrow(/Close it: \/\/ endregion/);
  });
});

describe("backticks", () => {
  it("make code of what stands between two of them; a lone one stays", () => {
    expect(codePieces("`kubectl get`と`spec`。")).toEqual([
      { text: "kubectl get", isCode: true },
      { text: "と", isCode: false },
      { text: "spec", isCode: true },
      { text: "。", isCode: false },
    ]);
    expect(codePieces("a ` b")).toEqual([{ text: "a ` b", isCode: false }]);
    expect(codePieces("``")).toEqual([{ text: "``", isCode: false }]);
  });
});

describe("phrases", () => {
  it("breaks Japanese between phrases and keeps code and English whole", () => {
    expect(phraseHtml("今日は天気です。")).toBe("今日は<wbr>天気です。");
    expect(phraseHtml("一つの実行の中でたどります。")).toBe(
      "一つの<wbr>実行の<wbr>中で<wbr>たどります。",
    );
    expect(phraseHtml("two words")).toBe("two words");
    expect(phraseHtml("`a < b`を見る")).toMatch(/^<code>a &lt; b<\/code>/);
  });

  it("marks Japanese pages alone, and no code", () => {
    const tree = (): TreeNode => ({
      type: "root",
      children: [
        { type: "element", tagName: "p", children: [{ type: "text", value: "今日は天気です。" }] },
        {
          type: "element",
          tagName: "pre",
          children: [{ type: "text", value: "今日は天気です。" }],
        },
      ],
    });
    const file = (path: string) => ({ path, fail: (): never => expect.unreachable() });
    const [ja, en] = [tree(), tree()];
    rehypePhrases()(ja, file("a/ja.mdx"));
    rehypePhrases()(en, file("a/en.mdx"));
    expect(ja.children?.map((child) => child.children?.length)).toEqual([3, 1]);
    expect(en).toEqual(tree());
  });
});

describe("headings", () => {
  const heading = (...children: TreeNode[]): TreeNode => ({ type: "heading", depth: 2, children });
  const run = (node: TreeNode) =>
    remarkHeadingIds()(
      { type: "root", children: [node] },
      {
        path: "a/en.mdx",
        fail(reason): never {
          throw new Error(reason);
        },
      },
    );

  it("take their id from the comment at their end", () => {
    const node = heading(
      { type: "text", value: "Why a queue " },
      { type: "mdxTextExpression", value: "/*why-a-queue*/" },
    );
    run(node);
    expect(node.data?.hProperties?.id).toBe("why-a-queue");
    expect(node.children).toEqual([{ type: "text", value: "Why a queue" }]);
  });

  it("without one say how to add it", () => {
    expect(() => run(heading({ type: "text", value: "Why" }))).toThrow(/"Why" has no id. Add one/);
  });
});

it("tables get a box that scrolls", () => {
  const tree: TreeNode = { type: "root", children: [{ type: "element", tagName: "table" }] };
  rehypeTables()(tree);
  expect(tree.children?.[0]?.properties).toEqual({ className: ["table-box"], tabIndex: 0 });
});

describe("translations", () => {
  const en = "---\ntitle: A\n---\nText.\n";

  it("are fresh while the original stays, stale once it changes", () => {
    const ja = stamp("---\ntitle: あ\n---\n文。\n", "en", en);
    expect(ja).toContain(`translatedFrom: en@${hashOf(en)}`);
    expect(translationState(ja, en)).toBe("fresh");
    expect(translationState(ja, en.replace("Text", "Other text"))).toBe("stale");
    expect(translationState(ja, en.replaceAll("\n", "\r\n"))).toBe("fresh");
    expect(translationState(undefined, en)).toBe("missing");
    expect(translationState(en, ja)).toBe("source");
  });

  it("are stamped again in place", () => {
    const once = stamp("---\ntitle: あ\n---\n", "en", en);
    const twice = stamp(once, "en", `${en}More.\n`);
    expect(twice.match(/translatedFrom/g)).toHaveLength(1);
    expect(twice).not.toBe(once);
  });
});

describe("curriculum", () => {
  it("names each article once, with a folder that leads back to it", () => {
    const slugs = articles.map((entry) => entry.slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    for (const slug of slugs) expect(slugOf(folderOf(slug)!)).toBe(slug);
    expect(folderOf("deployment-to-pod")).toBe("part-3-journey/01-deployment-to-pod");
    expect(slugOf("part-3-journey/02-deployment-to-pod")).toBeUndefined();
  });

  it("has titles in both languages", () => {
    for (const entry of [...articles, ...curriculum]) {
      expect(entry.title.ja && entry.title.en).toBeTruthy();
    }
  });
});

it("a piece is one closed outline that ends in the rail, above it and below it", () => {
  const above = piecePath({ x: 0, width: 100, far: 0, near: 40, rail: 50, tail: 60 });
  expect(above).toBe("M0 0L100 0L100 40L63 40L63 50L69 60L31 60L37 50L37 40L0 40Z");
  const below = piecePath({ x: 0, width: 100, far: 120, near: 80, rail: 70, tail: 60, neckX: 20 });
  expect(below).toMatch(/^M0 120L100 120L100 80L33 80L33 70L39 60.*Z$/);
});
