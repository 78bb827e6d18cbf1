// The few fields of a Markdown or HTML syntax tree that our plugins touch.

export interface TreeNode {
  type: string;
  tagName?: string;
  name?: string | null;
  value?: string;
  depth?: number;
  children?: TreeNode[];
  properties?: Record<string, unknown>;
  data?: { hProperties?: Record<string, unknown> };
}

/** What a plugin learns about the file being built. */
export interface TreeFile {
  path?: string;
  fail(reason: string): never;
}

/** Calls `visit` for every node below `node`, parents first; `false` skips the children. */
export function walk(node: TreeNode, visit: (node: TreeNode) => boolean | undefined): void {
  if (visit(node) === false) return;
  for (const child of node.children ?? []) walk(child, visit);
}
