import type { TreeNode } from "./tree.ts";

/** Wraps each table in a box that scrolls sideways by itself, by keyboard too. */
export function rehypeTables() {
  return (tree: TreeNode): void => wrap(tree);
}

function wrap(node: TreeNode): void {
  node.children = node.children?.map((child) => {
    if (child.tagName !== "table") {
      wrap(child);
      return child;
    }
    const properties = { className: ["table-box"], tabIndex: 0 };
    return { type: "element", tagName: "div", properties, children: [child] };
  });
}
