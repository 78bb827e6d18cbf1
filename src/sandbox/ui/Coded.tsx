import type { JSX } from "preact";
import { codePieces } from "../../lib/code-pieces.ts";

/** A text of the lab or of the interface; what stands in backticks is code. */
export function Coded({ text }: { text: string }): JSX.Element {
  return (
    <>
      {codePieces(text).map((piece, i) =>
        piece.isCode ? <code key={i}>{piece.text}</code> : piece.text,
      )}
    </>
  );
}
