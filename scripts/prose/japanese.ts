/**
 * Lints Japanese prose with textlint, set up as the house style asks: です・ます,
 * half-width letters, digits and brackets without spaces around them, and the
 * words of content/glossary.yaml.
 */
import { TextlintKernel, type TextlintKernelRule } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import type { TextlintRuleModule } from "@textlint/types";
import spacing from "textlint-rule-preset-ja-spacing";
import writing from "textlint-rule-preset-ja-technical-writing";
import prh from "textlint-rule-prh";
import { stringify } from "yaml";
import { glossary } from "../../src/lib/terms.ts";
import { type Finding, type Passage, type Prose, placeOf } from "./passage.ts";

type Options = TextlintKernelRule["options"];

/** Presets' rules that are set otherwise than they come; the reason beside each. */
const SETTINGS: Readonly<Record<string, Options>> = {
  // Small counts are words here (一つ, 二つの道), measured numbers are digits (3台, 15秒);
  // test/content/same.test.ts compares them with the other language.
  "arabic-kanji-numbers": false,
  // Doubt is said where it is a fact: 「壊れたのか、遅れているだけかもしれない」.
  "ja-no-weak-phrase": false,
  // Verbs that follow one another may be listed in one breath: 起動され、読み、働き、出力して、終わります。
  "max-ten": { max: 4 },
  "max-kanji-continuous-len": { max: 6, allow: ["多版同時実行制御", "楽観的並行性制御"] },
  // A long name in Latin letters is read as one word.
  "sentence-length": { max: 100, skipPatterns: ["/[!-~]{12,}/"] },
  "ja-no-successive-word": { allow: ["一つ"] },
  // These close a clause of their own (〜ときに、〜ことが) or stand in pairs (起動も削除も).
  "no-doubled-joshi": { min_interval: 1, allow: ["に", "が", "も", "ても", "や", "か"] },
  // Conditions and options are in the plain form, answers of the interface in です・ます.
  "no-mix-dearu-desumasu": { preferInBody: "ですます", preferInHeader: "", preferInList: "" },
};

/** Words of the house that no glossary entry covers. */
const WORDS: readonly { pattern: string; write: string }[] = [
  { pattern: "/サーバ(?!ー)/", write: "サーバー" },
];

function wordRules(): string {
  const terms = glossary().flatMap((term) =>
    (term.avoid ?? []).map((pattern) => ({ pattern: `/${pattern}/`, write: term.ja })),
  );
  const rules = [...terms, ...WORDS].map(({ pattern, write }) => ({ expected: write, pattern }));
  return stringify({ version: 1, rules });
}

/** Half-width letters, digits and marks, and no space between them and Japanese. */
const halfWidth: TextlintRuleModule = ({ Syntax, RuleError, report, getSource, locator }) => ({
  [Syntax.Str](node) {
    for (const [pattern, write] of MARKS) {
      for (const { 0: found, index } of getSource(node).matchAll(pattern)) {
        const padding = { padding: locator.range([index, index + found.length]) };
        report(node, new RuleError(`「${found}」は「${write(found)}」と書きます。`, padding));
      }
    }
  },
});
const MARKS: readonly [RegExp, (found: string) => string][] = [
  [/[０-９Ａ-Ｚａ-ｚ（）：；！？，．]+/g, (found) => found.normalize("NFKC")],
  [/[ぁ-んァ-ヶ一-龠] +[()]|[()] +[ぁ-んァ-ヶ一-龠]/g, (found) => found.replaceAll(" ", "")],
];

function presetRules({ rules, rulesConfig }: typeof writing): TextlintKernelRule[] {
  return Object.entries(rules).map(([ruleId, rule]) => ({
    ruleId,
    rule,
    options: SETTINGS[ruleId] ?? rulesConfig[ruleId] ?? true,
  }));
}

/** These modules are CommonJS: Node gives their `default` wrapped, other loaders bare. */
function bare<T extends object>(module: T | { default: T }): T {
  return "default" in module ? module.default : module;
}

const kernel = new TextlintKernel();
const rules: TextlintKernelRule[] = [
  ...presetRules(writing),
  ...presetRules(spacing),
  { ruleId: "half-width", rule: halfWidth, options: true },
  { ruleId: "glossary", rule: bare(prh), options: { ruleContents: [wordRules()] } },
];

const PREFIX: Readonly<Record<Passage["kind"], string>> = {
  sentence: "",
  heading: "## ",
  label: "- ",
};
const JAPANESE = /[ぁ-んァ-ヶ一-龠]/;

/** What is against the house style, with line, column and remedy. */
export async function lintJapanese({ file, source, passages }: Prose): Promise<Finding[]> {
  const shown: { passage: Passage; from: number }[] = [];
  let text = "";
  for (const passage of passages) {
    if (!JAPANESE.test(passage.text)) continue;
    text += PREFIX[passage.kind];
    shown.push({ passage, from: text.length });
    text += `${passage.text.trimEnd()}\n\n`;
  }
  const { messages } = await kernel.lintText(text, {
    ext: ".md",
    plugins: [{ pluginId: "markdown", plugin: bare(markdown) }],
    rules,
  });
  return messages.map(({ ruleId, message, range }) => {
    const at = shown.findLast(({ from }) => from <= range[0]) ?? shown[0]!;
    const offset = at.passage.sourceOf(range[0] - at.from);
    return { file, ...placeOf(source, offset), rule: ruleId, says: message };
  });
}
