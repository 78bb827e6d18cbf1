/**
 * The prose inside programs and tables: `{ ja: "…", en: "…" }` in TypeScript
 * and Astro, the interface's texts in JSON, the glossary in YAML.
 */
import ts from "typescript";
import { isScalar, parseDocument, visit } from "yaml";
import type { Lang } from "../../src/site-languages.ts";
import { rangeOf } from "./markdown.ts";
import { Passage, type PassageKind, type Prose } from "./passage.ts";

/** What is written as whole sentences; all else is a label. */
const SENTENCES = new Set(["task", "caption", "seen", "about", "definition", "truth"]);
const jointOf = (lang: Lang) => (lang === "ja" ? "" : " ");

/** Texts under `ja` or `en` in a program. In an Astro file: in its front part. */
export function proseOfProgram(file: string, source: string, lang: Lang): Prose {
  const isAstro = file.endsWith(".astro");
  const front = isAstro ? /^---\n([\s\S]*?)\n---/.exec(source)?.[1] : source;
  const from = isAstro ? "---\n".length : 0;
  const passages: Passage[] = [];
  const tree = ts.createSourceFile(`${file}.tsx`, front ?? "", ts.ScriptTarget.Latest, true);
  const find = (node: ts.Node, owner: string): void => {
    // `article(slug, ja, en)` of the curriculum.
    if (ts.isCallExpression(node) && node.expression.getText() === "article") {
      const title = node.arguments[lang === "ja" ? 1 : 2];
      if (title) return strings(title, "label");
    }
    if (!ts.isPropertyAssignment(node)) return ts.forEachChild(node, (child) => find(child, owner));
    const name = nameOf(node);
    if (name !== lang) return find(node.initializer, name === "en" || name === "ja" ? owner : name);
    strings(node.initializer, SENTENCES.has(owner) ? "sentence" : "label");
  };
  const strings = (node: ts.Node, kind: PassageKind): void => {
    const passage = new Passage(kind, jointOf(lang));
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      const start = node.getStart() + 1;
      passage.addString(tree.text.slice(start, node.getEnd() - 1), from + start);
    } else if (ts.isTemplateExpression(node)) template(node, passage, tree.text, from);
    else return ts.forEachChild(node, (child) => strings(child, kind));
    passages.push(passage);
  };
  find(tree, "");
  return { file, source, passages };
}

function nameOf({ name }: ts.PropertyAssignment): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : "";
}

function template(node: ts.TemplateExpression, passage: Passage, text: string, from: number): void {
  const add = (part: ts.Node, marks: number) => {
    const start = part.getStart() + 1;
    passage.addString(text.slice(start, part.getEnd() - marks), from + start);
  };
  add(node.head, 2);
  for (const { expression, literal } of node.templateSpans) {
    passage.blank(from + expression.getStart());
    add(literal, literal.kind === ts.SyntaxKind.TemplateTail ? 1 : 2);
  }
}

/** Every text of a JSON file in one language. */
export function proseOfTexts(file: string, source: string, lang: Lang): Prose {
  return scalars(file, source, lang, () => true, new Set());
}

/** The texts under `ja` or `en` in a YAML file. */
export function proseOfTable(file: string, source: string, lang: Lang): Prose {
  return scalars(file, source, lang, (path) => path.at(-1) === lang, SENTENCES);
}

function scalars(
  file: string,
  source: string,
  lang: Lang,
  isWanted: (path: readonly string[]) => boolean,
  sentences: ReadonlySet<string>,
): Prose {
  const passages: Passage[] = [];
  visit(parseDocument(source), {
    Scalar(key, node, ancestors) {
      const path = ancestors.flatMap((one) =>
        "key" in one && isScalar(one.key) ? [String(one.key.value)] : [],
      );
      if (key === "key" || typeof node.value !== "string" || !isWanted(path)) return;
      const { start, end } = rangeOf(node);
      const owner = path.at(-2) ?? "";
      const isWhole = sentences.has(owner) || (owner !== "belief" && /[。.]$/.test(node.value));
      const passage = new Passage(isWhole ? "sentence" : "label", jointOf(lang));
      passage.addString(source.slice(start, end), start);
      passages.push(passage);
    },
  });
  return { file, source, passages };
}
