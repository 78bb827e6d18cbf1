/**
 * `npm run lint:ja` and `npm run lint:en`: what of the prose is against the
 * house style, as `file:line:column rule: remedy`. With paths, only of these.
 */
import { relative } from "node:path";
import type { Lang } from "../src/site-languages.ts";
import { allProse, proseOf } from "./prose/files.ts";
import { type Finding, format, type Prose } from "./prose/passage.ts";

/** The linters are loaded when they are needed: each brings its dictionary. */
async function linterOf(lang: Lang): Promise<(prose: Prose) => Promise<Finding[]>> {
  if (lang === "ja") return (await import("./prose/japanese.ts")).lintJapanese;
  return (await import("./prose/english.ts")).lintEnglish;
}

const [lang, ...files] = process.argv.slice(2);
if (lang !== "ja" && lang !== "en") throw new Error("Usage: npm run lint:ja -- [FILE…]");
const lint = await linterOf(lang);
const prose =
  files.length > 0 ? files.map((file) => proseOf(relative("", file), lang)) : allProse(lang);
let count = 0;
for (const one of prose) {
  const found = await lint(one);
  count += found.length;
  for (const finding of found) console.log(format(finding));
}
console.log(count === 0 ? `${prose.length} files, nothing to mend.` : `${count} to mend.`);
if (count > 0) process.exitCode = 1;
