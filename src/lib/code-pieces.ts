export interface Piece {
  readonly text: string;
  readonly isCode: boolean;
}

/** A text in which backticks make code, in pieces. A lone backtick is a character. */
export function codePieces(text: string): Piece[] {
  return text
    .split(/(`[^`]+`)/)
    .filter((piece) => piece !== "")
    .map((piece) =>
      piece.startsWith("`") && piece.length > 2
        ? { text: piece.slice(1, -1), isCode: true }
        : { text: piece, isCode: false },
    );
}
