/**
 * Lints English prose: spelling with cspell (British; scripts/prose/words.txt
 * holds the words of the trade), and with retext what slips in while editing.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type CSpellUserSettings, spellCheckDocument } from "cspell-lib";
import retextContractions from "retext-contractions";
import retextEnglish from "retext-english";
import retextEquality from "retext-equality";
import retextIndefiniteArticle from "retext-indefinite-article";
import retextRedundantAcronyms from "retext-redundant-acronyms";
import retextRepeatedWords from "retext-repeated-words";
import retextSentenceSpacing from "retext-sentence-spacing";
import retextSimplify from "retext-simplify";
import { unified } from "unified";
import { VFile } from "vfile";
import { type Finding, type Passage, type Prose, placeOf } from "./passage.ts";

const spelling: CSpellUserSettings = {
  language: "en-GB",
  caseSensitive: true,
  words: readFileSync(join(import.meta.dirname, "words.txt"), "utf8").split("\n"),
};

/** Words that mean something else here, or are the plainest there is. */
const PLAIN = [
  ...["address", "capability", "component", "contains", "delete", "effect", "forward", "function"],
  ...["interface", "permit", "previous", "remain", "request", "type", "validate"],
  ...[
    "all of",
    "however",
    "in between",
    "it is",
    "shall",
    "there are",
    "there is",
    "therefore",
    "very",
  ],
];
/**
 * `ADD` is a command of CNI, a host a machine; `just` tells the time; what older
 * texts call a control plane is said once.
 */
const MEANT = ["ADD", "host", "hosts", "hang", "just", "master", "simple", "slave", "special"];

const style = unified()
  .use(retextEnglish)
  .use(retextRepeatedWords)
  .use(retextIndefiniteArticle)
  .use(retextSentenceSpacing)
  .use(retextContractions)
  .use(retextRedundantAcronyms)
  .use(retextSimplify, { ignore: PLAIN })
  .use(retextEquality, { ignore: MEANT });

/** Words in a sentence; what is longer is read twice. */
const WORDS_MAX = 50;

const CODE = /`[^`]*`/g;
/** What the spell checker does not read: code, addresses of repositories, a possessive's end. */
const UNREAD = /`[^`]*`|\b[\w-]+\/[\w./-]+|(?<=\w)['’]s\b/g;

/** What is misspelt or against the house style, with line, column and remedy. */
export async function lintEnglish(prose: Prose): Promise<Finding[]> {
  const { file, source, passages } = prose;
  const finding = (passage: Passage, offset: number, rule: string, says: string): Finding => ({
    file,
    ...placeOf(source, passage.sourceOf(offset)),
    rule,
    says,
  });
  const found = passages.flatMap((passage) =>
    [...styleOf(passage.text), ...marksOf(passage.text)].map(({ at, rule, says }) =>
      finding(passage, at, rule, says),
    ),
  );
  let text = "";
  const starts = passages.map((passage) => {
    const from = text.length;
    text += `${passage.text.replace(UNREAD, (part) => " ".repeat(part.length))}\n\n`;
    return { passage, from };
  });
  const { issues } = await spellCheckDocument(
    { uri: `file:///${file}.txt`, text, languageId: "plaintext", locale: "en-GB" },
    { generateSuggestions: true, noConfigSearch: true },
    spelling,
  );
  for (const { text: word, offset, suggestions = [] } of issues) {
    const { passage, from } = starts.findLast((start) => start.from <= offset)!;
    const maybe = suggestions.length > 0 ? ` Perhaps: ${suggestions.slice(0, 4).join(", ")}.` : "";
    const says = `“${word}” is in no dictionary.${maybe} A right word goes into scripts/prose/words.txt.`;
    found.push(finding(passage, offset - from, "spelling", says));
  }
  return found;
}

interface Slip {
  readonly at: number;
  readonly rule: string;
  readonly says: string;
}

/** Code is read as one word that begins with the same letter. */
function quiet(text: string): string {
  return text.replace(CODE, (code) => `${code[1]}${code.slice(1, -1)}x`.replace(/\W/g, "x"));
}

function styleOf(text: string): Slip[] {
  const file = new VFile(quiet(text));
  style.runSync(style.parse(file), file);
  return file.messages.map(({ place, source, ruleId, reason }) => ({
    at: (place && "start" in place ? place.start.offset : place?.offset) ?? 0,
    rule: source ?? ruleId ?? "style",
    says: reason,
  }));
}

/** What no plugin knows: the marks of this house, and sentences without an end. */
function marksOf(text: string): Slip[] {
  const read = quiet(text);
  const slips: Slip[] = [];
  for (const { index } of read.matchAll(/"/g)) {
    slips.push({ at: index, rule: "quotes", says: "Write “ and ” around what is quoted." });
  }
  for (const { index } of read.matchAll(/\s[—–-]\s/g)) {
    slips.push({ at: index, rule: "dash", says: "Write a comma, a colon or a new sentence." });
  }
  let at = 0;
  for (const sentence of read.split(/(?<=[.?!]["”)]?)\s/)) {
    const count = sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'’.,_/-]*/gu)?.length ?? 0;
    const says = `This sentence has ${count} words. Divide it; ${WORDS_MAX} are read in one breath.`;
    if (count > WORDS_MAX) slips.push({ at, rule: "long-sentence", says });
    at += sentence.length + 1;
  }
  return slips;
}
