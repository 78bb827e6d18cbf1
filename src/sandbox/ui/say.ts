/** A beat as a sentence of the page's language. */
import type { Beat } from "../../figures/rail/story.ts";
import type { Texts } from "../texts.ts";

export function sayer(t: Texts): (beat: Beat) => string {
  return (beat) =>
    t(`say.${keyOf(beat)}`, {
      from: beat.from,
      to: beat.to,
      subject: beat.subject,
      code: beat.code ?? "",
    });
}

/** A long hash as the list shows it, cut in the middle: a line of the list stays a line. */
export function shorten(text: string): string {
  return text.replace(/\b[0-9a-f]{33,}\b/g, (hash) => `${hash.slice(0, 8)}…${hash.slice(-4)}`);
}

function keyOf(beat: Beat): string {
  switch (beat.kind) {
    case "request":
      return beat.code === undefined ? "request" : "requestAnswered";
    case "store":
      return "store";
    default:
      return beat.verb;
  }
}
