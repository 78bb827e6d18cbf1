import { phrases } from "../markdown/phrases.ts";

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ESCAPES[char]!);
}

/** Text as HTML in which a line breaks only between Japanese phrases; `code` in backticks. */
export function phraseHtml(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((piece) =>
      piece.startsWith("`") && piece.length > 2
        ? `<code>${escapeHtml(piece.slice(1, -1))}</code>`
        : phrases(piece).map(escapeHtml).join("<wbr>"),
    )
    .join("");
}
