/**
 * Reads lessons as text, for the checks and the scripts: what of a page must be the same
 * in both languages, and what of it is prose.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { articles, folderOf, generated } from "../curriculum.ts";
import { type Lang, languages } from "../site-languages.ts";

export interface Page {
  slug: string;
  lang: Lang;
  /** Path from the root of the repository. */
  path: string;
  raw: string;
  frontmatter: Record<string, unknown>;
  body: string;
}

const FRONTMATTER = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/;
const FENCE = /^(```+|~~~+)([^\n]*)\n([\s\S]*?)^\1[ \t]*$/gm;
const HEADING = /^(#{1,6})\s+(.*?)\s*(?:\{\/\*\s*([a-z0-9-]+)\s*\*\/\})?\s*$/gm;
const ATTRIBUTE = String.raw`[\w:-]+(?:=(?:"[^"]*"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\}))?`;
const COMPONENT = new RegExp(String.raw`<([A-Z]\w*)((?:\s+${ATTRIBUTE})*)\s*/?>`, "g");
const ATTRIBUTES = new RegExp(ATTRIBUTE, "g");
/** Attributes whose value is not prose; they are the same in both languages. */
const EXACT = /^(?:id|lesson|file|region|name|slug|answer|kind|run|wide|seed|scenario|href)(?:=|$)/;

export function pageOf(slug: string, lang: Lang, path: string): Page | undefined {
  if (!existsSync(path)) return undefined;
  const raw = readFileSync(path, "utf8").replaceAll("\r\n", "\n");
  const match = FRONTMATTER.exec(raw);
  const data: unknown = match ? parse(match[1]!) : {};
  const frontmatter = typeof data === "object" && data !== null ? { ...data } : {};
  return { slug, lang, path, raw, frontmatter, body: raw.slice(match?.[0].length ?? 0) };
}

/** Every page that is written below `content`, in reading order. */
export function pages(content = "content"): Page[] {
  return articles
    .filter((entry) => !generated.includes(entry.slug))
    .flatMap(({ slug }) =>
      languages.flatMap(
        (lang) => pageOf(slug, lang, join(content, folderOf(slug) ?? slug, `${lang}.mdx`)) ?? [],
      ),
    );
}

/** Lessons that have a page in each language: `[ja, en]`. */
export function pairs(content = "content"): [Page, Page][] {
  const all = pages(content);
  return all.flatMap((page): [Page, Page][] => {
    const other = all.find((candidate) => candidate.slug === page.slug && candidate.lang === "en");
    return page.lang === "ja" && other ? [[page, other]] : [];
  });
}

/** `## Why a queue {/*why-a-queue*\/}` as `2 why-a-queue`. */
export function headingsOf(body: string): string[] {
  return [...withoutCode(body).matchAll(HEADING)].map(
    ([, marks, , id]) => `${marks!.length} ${id}`,
  );
}

/** Components in order, with what is not prose of their attributes: `Source file="…" region="…"`. */
export function componentsOf(body: string): string[] {
  return [...withoutCode(body).matchAll(COMPONENT)].flatMap(([, name, attributes = ""]) => {
    if (name === "Term" || name === "Fragment") return []; // Terms fall where the sentence puts them.
    const exact = attributesOf(attributes).filter((attribute) => EXACT.test(attribute));
    const options = /options=\{\[([\s\S]*)\]\}/.exec(attributes)?.[1];
    const count = options === undefined ? [] : [`options=${countItems(options)}`];
    return [[name, ...exact.sort(), ...count].join(" ")];
  });
}

function attributesOf(text: string): string[] {
  return text.match(ATTRIBUTES) ?? [];
}

function countItems(list: string): number {
  return list.match(/"[^"]*"|'[^']*'|[\w.]+/g)?.length ?? 0;
}

/** Code samples, without what their comments say, which may be translated. */
export function codeOf(body: string): string[] {
  return [...body.matchAll(FENCE)].map(([, , info, code]) => {
    const lines = code!.split("\n").map((line) => line.replace(/\s*(?:#|\/\/)\s.*$/, "").trimEnd());
    return [info!.trim(), ...lines].join("\n");
  });
}

/** Code samples as they stand, with their language. */
export function samplesOf(body: string): { language: string; code: string }[] {
  return [...body.matchAll(FENCE)].map(([, , info, code]) => ({
    language: info!.trim().split(/\s/)[0]!,
    code: code!,
  }));
}

/** Small numbers as words; a language may write these instead of digits. `a` for one is free. */
const WORDS: Record<string, RegExp> = {
  "0": /\b(?:zero|no|none|nothing)\b|ゼロ|零|ない|なし|ません/i,
  "1": /\b(?:one|once|single|only|an?|each|either|first)\b|一|唯/i,
  "2": /\b(?:two|twice|both|pair|second|half)\b|二|両|半/i,
  "3": /\b(?:three|third)\b|三/i,
  "4": /\b(?:four|fourth|quarter)\b|四/i,
  "5": /\b(?:five|fifth)\b|五/i,
  "6": /\b(?:six|sixth)\b|六/i,
  "7": /\b(?:seven|seventh)\b|七/i,
  "8": /\b(?:eight|eighth)\b|八/i,
  "9": /\b(?:nine|ninth)\b|九/i,
  "10": /\b(?:ten|tenth)\b|十/i,
  "11": /\b(?:eleven|eleventh)\b|十一/i,
  "12": /\b(?:twelve|twelfth)\b|十二/i,
  "100": /\b(?:hundred)\b|百/i,
  "1000": /\b(?:thousand)\b|千/i,
};

function digitsOf(text: string): Set<string> {
  return new Set(text.replace(/(\d),(?=\d{3}\b)/g, "$1").match(/\d+(?:\.\d+)*/g));
}

/** Numbers that one text has in digits and the other has neither in digits nor as a word. */
export function numbersApart(one: string, other: string): string[] {
  const missing = (from: string, to: string) => {
    const there = digitsOf(to);
    return [...digitsOf(from)].filter((n) => !there.has(n) && !WORDS[n]?.test(to));
  };
  return [...missing(one, other), ...missing(other, one)].sort();
}

function withoutCode(body: string): string {
  return body.replace(FENCE, "").replace(/\{\/\*(?!\s*[a-z0-9-]+\s*\*\/)[\s\S]*?\*\/\}/g, "");
}

/** The page's words: no code samples, markup, addresses or (unless wanted) inline code. */
export function proseOf(body: string, keepInlineCode = false): string {
  const words = withoutCode(body)
    .replace(/\{\/\*[\s\S]*?\*\/\}/g, "")
    .replace(/^(?:import|export)\s.*$/gm, "")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/https?:\/\/\S+/g, "")
    .replace(COMPONENT, (_, __, attributes: string) => proseAttributes(attributes))
    .replace(/<\/?[A-Za-z][^>]*>/g, "");
  return keepInlineCode ? words.replaceAll("`", " ") : words.replace(/`[^`\n]*`/g, "");
}

function proseAttributes(text: string): string {
  const shown = attributesOf(text)
    .filter((attribute) => !EXACT.test(attribute))
    .flatMap((attribute) => attribute.match(/"[^"]*"|'[^']*'|(?<=[[,\s])\d+(?=[\],\s])/g) ?? []);
  return ` ${shown.map((part) => part.replace(/^["']|["']$/g, "")).join("\n")} `;
}
