// Small facts and helpers that every page shares.

import { type Lang, languages } from "./site-languages.ts";

export { type Lang, languages };

export const languageNames: Record<Lang, string> = { ja: "日本語", en: "English" };

export function otherLanguage(lang: Lang): Lang {
  return lang === "ja" ? "en" : "ja";
}

export function isLang(text: string): text is Lang {
  return text === "ja" || text === "en";
}

/** The language of a page under `[lang]/`, from its parameter; throws for any other word. */
export function langOf({ lang = "" }: { readonly lang?: string }): Lang {
  if (!isLang(lang)) throw new Error(`No language "${lang}".`);
  return lang;
}

/** Kubernetes version that the site describes. */
export const kubernetesVersion = "1.36";

/** A link inside the site: `href("en", "glossary")` is `/en/glossary/` under the base path. */
export function href(...parts: string[]): string {
  const base = import.meta.env.BASE_URL.replace(/\/$/, "");
  return `${base}/${parts.map((part) => `${part}/`).join("")}`;
}

/** A file of `public/` or of the build, under the base path. */
export function asset(path: string): string {
  return `${import.meta.env.BASE_URL.replace(/\/$/, "")}/${path}`;
}
