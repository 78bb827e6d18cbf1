/**
 * Interface text of the sandbox, in the page's language alone. The texts are
 * i18next's resources; here, where every kilobyte is loaded by each reader,
 * values and plurals are filled in by a few lines instead of the library.
 */
import type { Lang } from "../site.ts";

export type Params = Readonly<Record<string, string | number>>;
export type Texts = (key: string, params?: Params) => string;

type Tree = { readonly [key: string]: string | Tree };

/** `resource`: the content of i18n/<lang>.json. A missing key gives itself. */
export function createTexts(lang: Lang, resource: { readonly sandbox: Tree }): Texts {
  const plurals = new Intl.PluralRules(lang);
  return (key, params = {}) => {
    const { count } = params;
    const plural =
      typeof count === "number" && find(resource.sandbox, `${key}_${plurals.select(count)}`);
    const text = plural || find(resource.sandbox, key);
    if (!text) return key;
    return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ""));
  };
}

function find(tree: Tree, key: string): string | undefined {
  let at: string | Tree | undefined = tree;
  for (const part of key.split(".")) at = typeof at === "object" ? at[part] : undefined;
  return typeof at === "string" ? at : undefined;
}
