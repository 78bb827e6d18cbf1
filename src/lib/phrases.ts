import { phrases } from "../markdown/phrases.ts";
import { codePieces } from "./code-pieces.ts";

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ESCAPES[char]!);
}

/** Text as HTML in which a line breaks only between Japanese phrases; `code` in backticks. */
export function phraseHtml(text: string): string {
  return codePieces(text)
    .map((piece) =>
      piece.isCode
        ? `<code>${escapeHtml(piece.text)}</code>`
        : phrases(piece.text).map(escapeHtml).join("<wbr>"),
    )
    .join("");
}
