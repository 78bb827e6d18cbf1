import { type TreeFile, type TreeNode, walk } from "./tree.ts";

const ID = /^\s*\/\*\s*([a-z0-9][a-z0-9-]*)\s*\*\/\s*$/;

/**
 * Takes the id of a heading from the comment at its end, so that both languages share it:
 * `## Why a queue {/\* why-a-queue *\/}`. Headings without one are an error in lessons.
 */
export function remarkHeadingIds() {
  return (tree: TreeNode, file: TreeFile): void => {
    walk(tree, (node) => {
      if (node.type !== "heading") return;
      const children = node.children ?? [];
      const last = children.at(-1);
      const id = last?.type === "mdxTextExpression" ? ID.exec(last.value ?? "")?.[1] : undefined;
      if (!id) {
        if (!file.path?.endsWith(".mdx")) return;
        const text = children.map((child) => child.value ?? "").join("");
        file.fail(
          `The heading "${text.trim()}" has no id. Add one at its end: {/*short-english-id*/}`,
        );
      }
      children.pop();
      const before = children.at(-1);
      if (before?.type === "text") before.value = before.value?.trimEnd();
      node.data = { ...node.data, hProperties: { ...node.data?.hProperties, id } };
      return false;
    });
  };
}
