/**
 * Joints of our drawings: a part is one piece with a dovetail that sits in the rail.
 * Plain geometry, shared by the logo, the landing page and the figures.
 */

export interface Piece {
  /** Left edge and width of the body. */
  x: number;
  width: number;
  /** Edge of the body that is far from the rail, and the near one, where the neck begins. */
  far: number;
  near: number;
  /** Where the tail ends, inside the rail. */
  tail: number;
  /** Centre of the neck; the middle of the body unless told. */
  neckX?: number;
  /** Width of the neck at its narrowest. */
  neck?: number;
  /** How much the tail is wider than the neck, on each side. */
  flare?: number;
  /** Edge of the rail, where the tail begins to widen. */
  rail: number;
}

/** SVG path of a piece: its body, its neck and its dovetail. Works above and below a rail. */
export function piecePath(piece: Piece): string {
  const { x, width, far, near, tail, rail, neck = 26, flare = 6 } = piece;
  const centre = piece.neckX ?? x + width / 2;
  const left = centre - neck / 2;
  const right = centre + neck / 2;
  const points: [number, number][] = [
    [x, far],
    [x + width, far],
    [x + width, near],
    [right, near],
    [right, rail],
    [right + flare, tail],
    [left - flare, tail],
    [left, rail],
    [left, near],
    [x, near],
  ];
  return `M${points.map(([px, py]) => `${px} ${py}`).join("L")}Z`;
}
