/** Which files hold prose, and the prose of each. */
import { globSync, readFileSync } from "node:fs";
import type { Lang } from "../../src/site-languages.ts";
import { proseOfPage } from "./markdown.ts";
import type { Prose } from "./passage.ts";
import { proseOfProgram, proseOfTable, proseOfTexts } from "./strings.ts";

const PATTERNS: Readonly<Record<Lang, readonly string[]>> = {
  ja: ["content/*/*/ja.mdx", "scripts/templates/*.ja.mdx", "src/**/i18n/ja.json"],
  en: [
    "content/*/*/en.mdx",
    "scripts/templates/*.en.mdx",
    "src/**/i18n/en.json",
    "README.md",
    "CONTRIBUTING.md",
    "content/README.md",
    "sim/README.md",
  ],
};
/** Both languages inside. */
const SHARED = ["content/*.yaml", "content/*/*/lab.ts", "src/**/*.{ts,tsx,astro}"];

/** The prose of one file, as it is now. */
export function proseOf(file: string, lang: Lang): Prose {
  const source = readFileSync(file, "utf8").replaceAll("\r\n", "\n");
  if (/\.mdx?$/.test(file)) return proseOfPage(file, source, lang === "ja" ? "" : " ");
  if (file.endsWith(".json")) return proseOfTexts(file, source, lang);
  if (file.endsWith(".yaml")) return proseOfTable(file, source, lang);
  return proseOfProgram(file, source, lang);
}

/** Every file that has prose in this language. */
export function allProse(lang: Lang): Prose[] {
  const files = [...PATTERNS[lang], ...SHARED].flatMap((pattern) => globSync(pattern)).sort();
  return files.map((file) => proseOf(file, lang)).filter(({ passages }) => passages.length > 0);
}
