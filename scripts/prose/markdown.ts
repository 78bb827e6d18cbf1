/**
 * The prose of a Markdown or MDX page: its text, and the attributes of its
 * components that readers see. Code samples, tags and ids are left out.
 */
import remarkCjkFriendly from "remark-cjk-friendly";
import remarkGfm from "remark-gfm";
import remarkMdx from "remark-mdx";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { isNode, isScalar, parseDocument, visit, type Node as YamlNode } from "yaml";
import { Passage, type PassageKind, type Prose } from "./passage.ts";

interface TreeNode {
  readonly type: string;
  readonly name?: string | null;
  readonly value?: unknown;
  readonly children?: readonly TreeNode[];
  readonly attributes?: readonly TreeNode[];
  readonly position?: { readonly start: Point; readonly end: Point };
}

interface Point {
  readonly offset?: number;
}

/** Attributes that are read, and whether they are whole sentences. */
const ATTRIBUTES: Readonly<Record<string, PassageKind>> = {
  ask: "sentence",
  caption: "sentence",
  belief: "label",
  options: "label",
  names: "label",
};
/** All others that there are; a test keeps the two lists whole. */
const NOT_READ = new Set([
  ...[
    "answer",
    "columns",
    "command",
    "endMs",
    "file",
    "from",
    "fromMs",
    "id",
    "kind",
    "lab",
    "least",
    "members",
  ],
  ...["modes", "moments", "most", "name", "node", "operator", "pod", "region", "run", "slot"],
  ...["service", "slug", "subject"],
  ...["asked", "atMs", "to", "toMs", "wanted", "wide"],
]);
const FRONTMATTER: Readonly<Record<string, PassageKind>> = {
  title: "heading",
  description: "sentence",
  question: "sentence",
};
/** Components whose text is a name or a question, in any form. */
const LABELS = new Set(["Next", "Sources"]);
const FRONT = /^---\n([\s\S]*?)\n---\n/;
const QUOTED = /"([^"]*)"|'([^']*)'/g;

/** Attributes of a page that are in neither list. */
export function unknownAttributes(file: string, source: string): string[] {
  const found: string[] = [];
  const look = ({ attributes = [], children = [] }: TreeNode): void => {
    for (const { name } of attributes)
      if (name && !ATTRIBUTES[name] && !NOT_READ.has(name)) found.push(name);
    for (const child of children) look(child);
  };
  look(treeOf(file, source));
  return found;
}

/** `joint` stands where a line is broken: nothing in Japanese, a space in English. */
export function proseOfPage(file: string, source: string, joint: string): Prose {
  const passages: Passage[] = [];
  frontmatter(source, joint, passages);
  collect(treeOf(file, source), "sentence", { source, joint, passages });
  return { file, source, passages: passages.filter(({ text }) => text.trim() !== "") };
}

function treeOf(file: string, source: string): TreeNode {
  const front = FRONT.exec(source)?.[0] ?? "";
  // Blanks keep every offset where it is.
  const body = front.replace(/[^\n]/g, " ") + source.slice(front.length);
  const processor = unified().use(remarkParse).use(remarkGfm).use(remarkCjkFriendly);
  if (file.endsWith(".mdx")) processor.use(remarkMdx);
  return processor.parse(body) as TreeNode;
}

interface Page {
  readonly source: string;
  readonly joint: string;
  readonly passages: Passage[];
}

function frontmatter(source: string, joint: string, passages: Passage[]): void {
  const text = FRONT.exec(source)?.[1];
  if (!text) return;
  visit(parseDocument(text), {
    Pair(_, { key, value }) {
      const kind = isScalar(key) ? FRONTMATTER[String(key.value)] : undefined;
      if (!kind || !isNode(value)) return;
      const { start, end } = rangeOf(value);
      const passage = new Passage(kind, joint);
      passage.add(text.slice(start, end), start + "---\n".length);
      passages.push(passage);
    },
  });
}

/** Where a scalar's own text stands, without its quotes. */
export function rangeOf(node: YamlNode): { start: number; end: number } {
  const [start = 0, end = 0] = node.range ?? [];
  const quoted = isScalar(node) && /^QUOTE/.test(node.type ?? "");
  return quoted ? { start: start + 1, end: end - 1 } : { start, end };
}

function collect(node: TreeNode, kind: PassageKind, page: Page): void {
  for (const attribute of node.attributes ?? []) attributeOf(attribute, page);
  if (node.type === "heading") return block(node, "heading", page);
  if (node.type === "tableCell") return block(node, "label", page);
  if (node.type === "paragraph") return block(node, isLabel(node) ? "label" : kind, page);
  const inner = LABELS.has(node.name ?? "") || isListOfNames(node, page) ? "label" : kind;
  for (const child of node.children ?? []) collect(child, inner, page);
}

/** A list of names, unless its items end as sentences do. */
function isListOfNames(node: TreeNode, { source }: Page): boolean {
  const { start, end } = span(node);
  return node.type === "list" && !/[。.]$/.test(source.slice(start, end).trimEnd());
}

/** A component on a line of its own is read as a paragraph around it. */
function isLabel({ children = [] }: TreeNode): boolean {
  const [only] = children;
  return children.length === 1 && LABELS.has(only?.name ?? "");
}

function block(node: TreeNode, kind: PassageKind, page: Page): void {
  const passage = new Passage(kind, page.joint);
  leaves(node, passage, page);
  page.passages.push(passage);
}

function leaves(node: TreeNode, passage: Passage, page: Page): void {
  const { start, end } = span(node);
  for (const attribute of node.attributes ?? []) attributeOf(attribute, page);
  if (node.type === "text") passage.add(neutral(page.source.slice(start, end)), start);
  else if (node.type === "inlineCode") passage.add(page.source.slice(start, end), start);
  else if (isQuote(node, page)) quote(page.source.slice(start, end), start, passage);
  else for (const child of node.children ?? []) leaves(child, passage, page);
}

/** What a program says, in italics on a Japanese page. */
function isQuote(node: TreeNode, { source, joint }: Page): boolean {
  const { start, end } = span(node);
  return joint === "" && node.type === "emphasis" && /^[ -~\n]*$/.test(source.slice(start, end));
}

/** As code: no linter of Japanese reads it. */
function quote(raw: string, source: number, passage: Passage): void {
  passage.add(`\`${raw.slice(1, -1).replaceAll("\n", " ")}\``, source);
}

/** Marks of Markdown that are text here must not be read as marks again. */
function neutral(text: string): string {
  return text.replace(/[*_<>[\]]/g, "×");
}

function attributeOf({ name, position }: TreeNode, page: Page): void {
  const kind = ATTRIBUTES[name ?? ""];
  if (!kind || !position) return;
  const { start, end } = span({ type: "attribute", position });
  for (const match of page.source.slice(start, end).matchAll(QUOTED)) {
    const passage = new Passage(kind, page.joint);
    passage.add(match[1] ?? match[2] ?? "", start + match.index + 1);
    page.passages.push(passage);
  }
}

function span({ position }: TreeNode): { start: number; end: number } {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 };
}
