/** Interface text of the sandbox, in the page's language alone. */
import { createInstance } from "i18next";
import type { Lang } from "../site.ts";

export type Texts = (key: string, params?: Readonly<Record<string, string | number>>) => string;

/** `resource`: the content of i18n/<lang>.json. */
export function createTexts(lang: Lang, resource: { sandbox: object }): Texts {
  const instance = createInstance();
  void instance.init({
    lng: lang,
    fallbackLng: false,
    initAsync: false,
    interpolation: { escapeValue: false },
    resources: { [lang]: { translation: resource } },
  });
  // Keys are made at run time (`say.${verb}`); a test holds that all exist.
  return (key, params) => String(instance.t(`sandbox.${key}` as never, params as never));
}
