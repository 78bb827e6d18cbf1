/**
 * Interface text in both languages. A key that is missing in `en.json` does not compile,
 * a key that is missing in `ja.json` fails `sameKeys` below, an unused one fails a test.
 */
import { createInstance, type TFunction } from "i18next";
import type { Lang } from "../site.ts";
import en from "./en.json" with { type: "json" };
import ja from "./ja.json" with { type: "json" };

/** A tree of texts without the plural forms, which differ by language. */
type Shape<T> = {
  [K in keyof T as K extends `${string}_one` ? never : K]: T[K] extends string
    ? string
    : Shape<T[K]>;
};

/** Compiles only while both files hold the same keys. */
const sameKeys: [Shape<typeof en>, Shape<typeof ja>] = [ja, en];
void sameKeys;

const instances = new Map<Lang, TFunction>();

/** The `t` of a language; works at build time and in the page. */
export function translator(lang: Lang): TFunction {
  const known = instances.get(lang);
  if (known) return known;
  const instance = createInstance();
  void instance.init({
    lng: lang,
    fallbackLng: false,
    initAsync: false,
    interpolation: { escapeValue: false },
    resources: { en: { translation: en }, ja: { translation: ja } },
  });
  instances.set(lang, instance.t);
  return instance.t;
}

export type { TFunction };
