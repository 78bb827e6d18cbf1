import { loadDefaultJapaneseParser } from "budoux";
import { type TreeFile, type TreeNode, walk } from "./tree.ts";

const parser = loadDefaultJapaneseParser();
const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/;
const BLOCKS = new Set(["h1", "h2", "h3", "h4", "p", "li", "td", "th", "dt", "dd", "figcaption"]);
const VERBATIM = new Set(["code", "pre", "script", "style", "svg"]);

/** Splits Japanese text where a line may break without cutting a phrase. */
export function phrases(text: string): string[] {
  return JAPANESE.test(text) ? parser.parse(text) : [text];
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
