/**
 * Tables: what `kubectl get` shows. The server makes them; each kind has its
 * columns and its row. Ages count from `now`, the simulated time in ms.
 * Models: pkg/printers/internalversion/printers.go, pkg/printers/tablegenerator.go,
 *         apimachinery/pkg/util/duration/duration.go @ v1.36
 */
import type { KubeObject } from "./types.ts";

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 1: shown with `-o wide` alone. */
  readonly priority: number;
}

export type Columns = readonly Column[];
export type Cell = string | number | boolean;

export interface RowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export interface TableRow {
  readonly cells: readonly Cell[];
  readonly conditions?: readonly RowCondition[];
}

/** One object's row. `now` in ms. */
export type Row = (object: KubeObject & Fields, now: number) => TableRow;
type Fields = { readonly [field: string]: unknown };

/**
 * Columns from one text: names between bars, `+` after what only wide output
 * shows, `#` after an integer, `?` after a boolean. "Name" leads to the object.
 */
export function columns(text: string): Columns {
  return Object.freeze(
    text.split("|").map((part) => {
      const name = part.replace(/[+#?]/g, "");
      return Object.freeze({
        name,
        type: part.includes("#")
          ? "integer"
          : part.includes("?")
            ? "boolean"
            : "string",
        format: name === "Name" ? "name" : "",
        description: "",
        priority: part.includes("+") ? 1 : 0,
      });
    }),
  );
}

/** For kinds without columns of their own. */
export const plainColumns = Object.freeze(
  columns("Name|Created At").map((column) =>
    column.name === "Name"
      ? column
      : Object.freeze({ ...column, type: "date" }),
  ),
);

export function plainRow(object: KubeObject): TableRow {
  return {
    cells: [object.metadata.name, object.metadata.creationTimestamp ?? ""],
  };
}

/** `now` less `time` in words; `<unknown>` if there is no time. */
export function since(time: unknown, now: number): string {
  return typeof time === "string"
    ? humanDuration(now - Date.parse(time))
    : "<unknown>";
}

/** Age of an object. */
export function age(object: KubeObject, now: number): string {
  return since(object.metadata.creationTimestamp, now);
}

/** A length of time as `kubectl get` writes it: 90s, 5m2s, 3h10m, 2d2h, 400d, 2y3d. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return two(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return two(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 192) return two(days, "d", hours % 24, "h");
  if (days < 730) return `${days}d`;
  const years = Math.trunc(days / 365);
  return days < 2920 ? two(years, "y", days % 365, "d") : `${years}y`;
}

function two(
  big: number,
  bigUnit: string,
  small: number,
  smallUnit: string,
): string {
  return small === 0
    ? `${big}${bigUnit}`
    : `${big}${bigUnit}${small}${smallUnit}`;
}

/** Up to `max` items, then ` + 2 more...`. */
export function some(
  list: readonly string[],
  max: number,
  empty: string,
  comma = ",",
): string {
  if (list.length === 0) return empty;
  const shown = list.slice(0, max).join(comma);
  return list.length > max ? `${shown} + ${list.length - max} more...` : shown;
}
