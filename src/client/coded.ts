import { codePieces } from "../lib/code-pieces.ts";

/** Sets the text of an element; what stands in backticks becomes code. */
export function setCoded<T extends HTMLElement>(element: T, text: string): T {
  const nodes = codePieces(text).map((piece) => {
    if (!piece.isCode) return piece.text;
    return Object.assign(document.createElement("code"), { textContent: piece.text });
  });
  element.replaceChildren(...nodes);
  return element;
}
