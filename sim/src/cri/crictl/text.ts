/**
 * How crictl writes: columns, ages and sizes.
 * Models: cri-tools cmd/crictl/display.go, docker/go-units
 */
const COLUMN_MIN = 20;
const PADDING = 3;
const ID_LENGTH = 13;

/** Rows below each other; the last column is not filled up. */
export function columns(rows: readonly (readonly string[])[]): string {
  const count = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: count - 1 }, (_, i) => {
    const longest = Math.max(...rows.map((row) => (row[i] ?? "").length));
    return Math.max(COLUMN_MIN, longest + PADDING);
  });
  return rows
    .map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(""))
    .join("\n");
}

/** The first 13 digits. */
export function shortId(id: string): string {
  return id.replace(/^sha256:/, "").slice(0, ID_LENGTH);
}

/** `About a minute ago` */
export function ago(ms: number): string {
  return `${humanDuration(ms)} ago`;
}

function humanDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 1) return "Less than a second";
  if (seconds === 1) return "1 second";
  if (seconds < 60) return `${seconds} seconds`;
  const minutes = Math.floor(seconds / 60);
  if (minutes === 1) return "About a minute";
  if (minutes < 60) return `${minutes} minutes`;
  const hours = Math.floor(seconds / 3600 + 0.5);
  if (hours === 1) return "About an hour";
  if (hours < 48) return `${hours} hours`;
  if (hours < 24 * 7 * 2) return `${Math.floor(hours / 24)} days`;
  if (hours < 24 * 30 * 2) return `${Math.floor(hours / 24 / 7)} weeks`;
  if (hours < 24 * 365 * 2) return `${Math.floor(hours / 24 / 30)} months`;
  return `${Math.floor(seconds / 3600 / 24 / 365)} years`;
}

const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];

/** `72MB`, `1.5GB`: three digits, by thousands. */
export function humanSize(bytes: number, digits = 3): string {
  let size = bytes;
  let unit = 0;
  for (; size >= 1000 && unit < UNITS.length - 1; unit++) size /= 1000;
  return `${Number(size.toPrecision(digits))}${UNITS[unit]}`;
}
