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
