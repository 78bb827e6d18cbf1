import { loadDefaultJapaneseParser } from "budoux";
import { type TreeFile, type TreeNode, walk } from "./tree.ts";

const parser = loadDefaultJapaneseParser();
const segmenter = new Intl.Segmenter("ja", { granularity: "word" });
const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/;
const BLOCKS = new Set(["h1", "h2", "h3", "h4", "p", "li", "td", "th", "dt", "dd", "figcaption"]);
const VERBATIM = new Set(["code", "pre", "script", "style", "svg"]);

/**
 * Splits Japanese text where a line may break without cutting a phrase. The phrase model is
 * small and at times cuts a word; a cut counts only where the word segmenter has one, too.
 */
export function phrases(text: string): string[] {
  if (!JAPANESE.test(text)) return [text];
  const words = new Set(Array.from(segmenter.segment(text), (word) => word.index));
  const whole: string[] = [];
  let at = 0;
  for (const phrase of parser.parse(text)) {
    if (words.has(at) && at > 0) whole.push(phrase);
    else whole.push((whole.pop() ?? "") + phrase);
    at += phrase.length;
  }
  return whole;
}

/**
 * Puts `<wbr>` between the phrases of Japanese pages. Chromium finds phrases by itself
 * (`word-break: auto-phrase`); in other browsers the style sheet keeps words whole and
 * these are the only places to break.
 */
export function rehypePhrases() {
  return (tree: TreeNode, file: TreeFile): void => {
    if (!file.path?.endsWith("ja.mdx")) return;
    walk(tree, (node) => {
      if (VERBATIM.has(node.tagName ?? "")) return false;
      if (!BLOCKS.has(node.tagName ?? node.name ?? "")) return;
      breakText(node);
      return false;
    });
  };
}

function breakText(node: TreeNode): void {
  if (VERBATIM.has(node.tagName ?? "")) return;
  node.children = node.children?.flatMap((child) => {
    if (child.type !== "text") {
      breakText(child);
      return [child];
    }
    return phrases(child.value ?? "").flatMap((value, index) => {
      const text: TreeNode = { type: "text", value };
      return index === 0 ? [text] : [wbr(), text];
    });
  });
}

function wbr(): TreeNode {
  return { type: "element", tagName: "wbr", properties: {}, children: [] };
}
