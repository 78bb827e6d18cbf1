import { createHash } from "node:crypto";

/** How one language's page stands to the other: `source` has no `translatedFrom`. */
export type TranslationState = "source" | "fresh" | "stale" | "missing";

const MARK = /^translatedFrom:.*\r?\n/m;
const HASH_LENGTH = 8;

/** Hash of a page as a translation source; line ends and its own mark do not count. */
export function hashOf(page: string): string {
  const text = page.replace(MARK, "").replaceAll("\r\n", "\n").trim();
  return createHash("sha256").update(text).digest("hex").slice(0, HASH_LENGTH);
}

/** `{ lang, hash }` of a page's `translatedFrom: en@3f9c1e2a`, or undefined for an original. */
export function originOf(page: string): { lang: string; hash: string } | undefined {
  const match = /^translatedFrom:\s*["']?(ja|en)@([0-9a-f]{6,64})/m.exec(page);
  return match ? { lang: match[1]!, hash: match[2]! } : undefined;
}

/** State of `page` given the text of the same page in the other language. */
export function translationState(
  page: string | undefined,
  other: string | undefined,
): TranslationState {
  if (page === undefined) return "missing";
  const origin = originOf(page);
  if (!origin || other === undefined) return "source";
  return hashOf(other).startsWith(origin.hash) ? "fresh" : "stale";
}

/** The page with its mark set to `lang` at the present state of `other`. */
export function stamp(page: string, lang: string, other: string): string {
  const mark = `translatedFrom: ${lang}@${hashOf(other)}\n`;
  if (MARK.test(page)) return page.replace(MARK, mark);
  return page.replace(/^---\r?\n/, `---\n${mark}`);
}
