/**
 * `npm run i18n:status`: which pages are originals, fresh, stale or missing in each language.
 * `--stamp SLUG` marks the translation of an article as following its original now
 * (`--from ja` or `--from en` says which one is the original when neither page does yet).
 * `--check` exits 1 if a page is stale or missing.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { articles, folderOf, generated } from "../src/curriculum.ts";
import {
  originOf,
  stamp,
  type TranslationState,
  translationState,
} from "../src/lib/translation.ts";
import { type Lang, languages } from "../src/site-languages.ts";
import { asCommand } from "./as-command.ts";

const content = process.env.SHIKUMI_CONTENT ?? "content";

export interface Status {
  slug: string;
  state: Record<Lang, TranslationState>;
}

const pathOf = (slug: string, lang: Lang) => join(content, folderOf(slug) ?? slug, `${lang}.mdx`);
const otherOf = (lang: Lang): Lang => (lang === "ja" ? "en" : "ja");
const read = (slug: string, lang: Lang): string | undefined => {
  const path = pathOf(slug, lang);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
};

/** State of every article that is written in at least one language. */
export function statuses(): Status[] {
  return articles
    .filter((entry) => !generated.includes(entry.slug))
    .map(({ slug }) => {
      const ja = read(slug, "ja");
      const en = read(slug, "en");
      return { slug, state: { ja: translationState(ja, en), en: translationState(en, ja) } };
    })
    .filter(({ state }) => state.ja !== "missing" || state.en !== "missing");
}

/** Sets `translatedFrom` of the translated page to its original as it is now. */
function stampArticle(slug: string, from: string | undefined): string {
  const pages = languages.map((lang) => ({ lang, page: read(slug, lang) }));
  if (pages.some(({ page }) => page === undefined)) {
    throw new Error(`${slug} needs both languages in ${folderOf(slug) ?? "src/curriculum.ts"}.`);
  }
  const marked = pages.find(({ page }) => originOf(page!))?.lang;
  const translated = from === "ja" || from === "en" ? otherOf(from) : marked;
  if (!translated) throw new Error(`Say which is the original: --stamp ${slug} --from ja`);
  const original = otherOf(translated);
  const page = stamp(read(slug, translated)!, original, read(slug, original)!);
  writeFileSync(pathOf(slug, translated), page);
  return `${pathOf(slug, translated)} now follows ${original}.`;
}

function main(): void {
  const { values } = parseArgs({
    options: {
      stamp: { type: "string" },
      from: { type: "string" },
      check: { type: "boolean", default: false },
    },
  });
  if (values.stamp) {
    console.log(stampArticle(values.stamp, values.from));
    return;
  }
  const all = statuses();
  const width = Math.max(12, ...all.map(({ slug }) => slug.length)) + 2;
  console.log(`${"article".padEnd(width)}${"ja".padEnd(10)}en`);
  for (const { slug, state } of all) {
    console.log(`${slug.padEnd(width)}${state.ja.padEnd(10)}${state.en}`);
  }
  const open = all.filter(({ state }) => Object.values(state).some((s) => /stale|missing/.test(s)));
  const unmarked = all.filter(({ state }) => state.ja === "source" && state.en === "source");
  for (const { slug } of unmarked) {
    console.log(`\n${slug} has two originals. Say which one is: --stamp ${slug} --from ja`);
  }
  console.log(
    open.length === 0
      ? `\n${all.length} articles, written in both languages and up to date.`
      : `\n${open.length} of ${all.length} articles to translate: ${open.map((s) => s.slug).join(", ")}`,
  );
  if (values.check && open.length > 0) process.exitCode = 1;
}

if (import.meta.main) asCommand(main);
