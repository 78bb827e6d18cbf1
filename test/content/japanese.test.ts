/** Japanese prose keeps the house style and the words of the glossary. */
import { describe, expect, it } from "vitest";
import { allProse } from "../../scripts/prose/files.ts";
import { lintJapanese } from "../../scripts/prose/japanese.ts";
import { proseOfPage } from "../../scripts/prose/markdown.ts";
import { format } from "../../scripts/prose/passage.ts";

const files = allProse("ja");

it("reads lessons, labs, figures, the glossary and the interface", () => {
  const names = files.map(({ file }) => file).join("\n");
  for (const kind of [/\/ja\.mdx$/m, /lab\.ts$/m, /Figure\.astro$/m, /glossary\.yaml$/m]) {
    expect(names).toMatch(kind);
  }
  expect(names).toMatch(/i18n\/ja\.json$/m);
});

it.each(files)("$file has nothing to mend", async (prose) => {
  expect((await lintJapanese(prose)).map(format)).toEqual([]);
});

describe("the linter finds", () => {
  const lint = async (text: string) =>
    (await lintJapanese(proseOfPage("page.mdx", text, ""))).map(format);

  it.each([
    ["ポッドを作ります。", "glossary", "Pod"],
    ["コントローラは動きます。", "glossary", "コントローラー"],
    ["スケジューラが選びます。", "glossary", "スケジューラー"],
    ["サーバを起動します。", "glossary", "サーバー"],
    ["望ましい状態です。", "glossary", "目的の状態"],
    ["3個のPodsがあります。", "glossary", "Pod"],
    ["Ｐodを作ります。", "half-width", "P"],
    ["強調（丸括弧）です。", "half-width", "("],
    ["強調 (丸括弧)です。", "half-width", "調("],
    ["Pod を作ります。", "ja-space-between-half-and-full-width", "スペース"],
    ["Podを `spec`から作ります。", "ja-space-around-code", "スペース"],
    ["Podを作る。これは一つである。", "no-mix-dearu-desumasu", "ですます"],
    ["Podを作ります", "ja-no-mixed-period", "。"],
    ["Podが見れます。", "no-dropping-the-ra", "ら抜き"],
    ["Podを削除することができます。", "ja-no-redundant-expression", "冗長"],
  ])("%s (%s)", async (text, rule, says) => {
    const found = await lint(`最初の行です。\n\n${text}\n`);
    expect(found.join("\n")).toMatch(new RegExp(`^page.mdx:3:\\d+ ${rule}:`, "m"));
    expect(found.join("\n")).toContain(says);
  });

  it("a wrong word in an attribute, in its own line", async () => {
    const found = await lint(
      '<Predict\n  ask="ポッドはいくつですか。"\n  options={["一つ"]}\n/>\n',
    );
    expect(found).toEqual([expect.stringMatching(/^page\.mdx:2:8 glossary: .*Pod/)]);
  });

  it("nothing in good Japanese", async () => {
    expect(
      await lint("コントローラーは、APIサーバー(kube-apiserver)を通してPodを2個作ります。"),
    ).toEqual([]);
  });
});
