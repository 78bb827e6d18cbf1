/**
 * `npm run new -- article SLUG`: lays out a lesson that passes the checks, in both languages.
 * The slug must stand in src/curriculum.ts, which gives the folder and the titles.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { articles, folderOf, generated } from "../src/curriculum.ts";
import { hashOf } from "../src/lib/translation.ts";
import { languages } from "../src/site-languages.ts";
import { asCommand } from "./as-command.ts";

const templates = join(import.meta.dirname, "templates");

/** Writes the folder of an article below `content`; returns the paths. Never overwrites. */
export function layOut(slug: string, content = "content"): string[] {
  const entry = articles.find((article) => article.slug === slug);
  const folder = folderOf(slug);
  if (!entry || !folder || generated.includes(slug)) {
    throw new Error(
      `"${slug}" is not an article of src/curriculum.ts. Add it there first, with a title in both languages.`,
    );
  }
  const target = join(content, folder);
  if (existsSync(target)) throw new Error(`${target} is already there.`);
  mkdirSync(target, { recursive: true });
  const fill = (lang: "ja" | "en") =>
    readFileSync(join(templates, `article.${lang}.mdx`), "utf8").replace(
      "{title}",
      entry.title[lang],
    );
  const original = fill("ja");
  const pages = {
    ja: original,
    en: fill("en").replace("---\n", `---\ntranslatedFrom: ja@${hashOf(original)}\n`),
  };
  return languages.map((lang) => {
    const path = join(target, `${lang}.mdx`);
    writeFileSync(path, pages[lang]);
    return path;
  });
}

function main(): void {
  const [what, slug] = process.argv.slice(2);
  if (what !== "article" || !slug) {
    throw new Error("Usage: npm run new -- article SLUG, e.g. npm run new -- article list-watch");
  }
  console.log(`Laid out:\n  ${layOut(slug).join("\n  ")}\n
Next: write the original, then the translation, and mark it with
  npm run i18n:status -- --stamp ${slug}
Write the other way round if you like: --stamp ${slug} --from en.`);
}

if (import.meta.main) asCommand(main);
