/**
 * Finds TypeScript that is more than types: `enum`, `namespace`, parameter
 * properties, `import x =`, `export =`. Erasing types cannot run them, and
 * Node refuses them too, so both back ends say the same. Reads the editor's
 * own syntax tree, since sucrase accepts the first and third and silently
 * drops the second.
 */
import { parser } from "@lezer/javascript";

export type Construct =
  | "enum"
  | "namespace"
  | "parameter-property"
  | "import-equals"
  | "export-equals";

export interface NonErasable {
  readonly construct: Construct;
  /** Offset in the source. */
  readonly offset: number;
}

const typescript = parser.configure({ dialect: "ts" });

const BY_NODE: Readonly<Record<string, Construct>> = {
  EnumDeclaration: "enum",
  NamespaceDeclaration: "namespace",
};

/** Every such place in `source`, in order. */
export function findNonErasable(source: string): NonErasable[] {
  const found: NonErasable[] = [];
  let paramLists = 0;
  typescript.parse(source).iterate({
    enter(node) {
      if (node.name === "AmbientDeclaration") return false;
      if (node.name === "ParamList") paramLists++;
      const construct = BY_NODE[node.name] ?? inContext(source, node, paramLists);
      if (construct) found.push({ construct, offset: node.from });
      return undefined;
    },
    leave(node) {
      if (node.name === "ParamList") paramLists--;
    },
  });
  return found;
}

interface Place {
  readonly name: string;
  readonly from: number;
  readonly node: { readonly parent: { readonly name: string } | null };
}

function inContext(source: string, node: Place, paramLists: number): Construct | null {
  const parent = node.node.parent?.name;
  const modifier = node.name === "Privacy" || node.name === "readonly" || node.name === "override";
  if (modifier && paramLists > 0 && parent === "ParamList") return "parameter-property";
  if (node.name === "ImportDeclaration" || node.name === "ExportDeclaration") {
    const text = source.slice(node.from, node.from + 200);
    if (/^import\s+[\w$]+\s*=/.test(text)) return "import-equals";
    if (/^export\s*=/.test(text)) return "export-equals";
  }
  return null;
}
