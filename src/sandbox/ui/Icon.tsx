import type { JSX } from "preact";

const PATHS = {
  run: "M5 3.5v13l11-6.5z",
  stop: "M5 5h10v10H5z",
  play: "M6 4v12l9-6z",
  pause: "M5.5 4h3v12h-3zM11.5 4h3v12h-3z",
  back: "M14 4v12L6.5 10zM4 4h2v12H4z",
  step: "M6 4v12l7.5-6zM14 4h2v12h-2z",
  reset: "M10 4a6 6 0 1 1-5.7 4.1l1.9.6A4 4 0 1 0 10 6v3L5.5 5.2 10 1.5z",
  share: "M11 3h6v6h-2V6.4l-6.3 6.3-1.4-1.4L13.6 5H11zM3 6h5v2H5v7h7v-3h2v5H3z",
  changes: "M6 2h2v3h3v2H8v3H6V7H3V5h3zM3 15h14v2H3zM10 11h7v2h-7z",
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }): JSX.Element {
  return (
    <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" class="glyph">
      <path d={PATHS[name]} fill="currentColor" />
    </svg>
  );
}
