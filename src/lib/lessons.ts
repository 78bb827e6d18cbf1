import { type CollectionEntry, getCollection } from "astro:content";
import { readFileSync } from "node:fs";
import { articles, generated } from "../curriculum.ts";
import { isLang, type Lang, otherLanguage } from "../site.ts";
import { originOf, type TranslationState, translationState } from "./translation.ts";

export type Lesson = CollectionEntry<"lessons">;

let all: Promise<Lesson[]> | undefined;

function lessons(): Promise<Lesson[]> {
  if (import.meta.env.DEV) return getCollection("lessons");
  return (all ??= getCollection("lessons"));
}

/** The lesson of a slug in a language, if it is written. */
export async function lessonOf(lang: Lang, slug: string): Promise<Lesson | undefined> {
  return (await lessons()).find((entry) => entry.id === `${lang}/${slug}`);
}

/** Slugs that have a page in a language, the generated reference pages among them. */
export async function writtenSlugs(lang: Lang): Promise<Set<string>> {
  const ids = (await lessons()).map((entry) => entry.id.split("/"));
  return new Set([...generated, ...ids.filter(([l]) => l === lang).map(([, slug]) => slug!)]);
}

/** Every written lesson as a static path. */
export async function lessonPaths() {
  return (await lessons()).flatMap((lesson) => {
    const [lang, slug] = lesson.id.split("/");
    return lang && slug && isLang(lang) ? [{ params: { lang, slug }, props: { lesson } }] : [];
  });
}

/** The written neighbours of a slug, in reading order. */
export async function neighbours(lang: Lang, slug: string) {
  const written = await writtenSlugs(lang);
  const reading = articles.filter((entry) => written.has(entry.slug) || entry.slug === slug);
  const at = reading.findIndex((entry) => entry.slug === slug);
  return { previous: reading[at - 1], next: reading[at + 1] };
}

/** Whether a page still follows its original, and in which language that is. */
export async function translationOf(
  lang: Lang,
  slug: string,
): Promise<{ state: TranslationState; from: Lang }> {
  const [here, there] = await Promise.all([
    lessonOf(lang, slug),
    lessonOf(otherLanguage(lang), slug),
  ]);
  const page = here?.filePath ? readFileSync(here.filePath, "utf8") : undefined;
  const other = there?.filePath ? readFileSync(there.filePath, "utf8") : undefined;
  const origin = page ? originOf(page)?.lang : undefined;
  return {
    state: translationState(page, other),
    from: origin && isLang(origin) ? origin : otherLanguage(lang),
  };
}
