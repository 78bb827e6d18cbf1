/**
 * Tables: each kind's columns and rows, as the server would send them, put
 * in order for reading.
 * Models:     cli-runtime/pkg/printers/tableprinter.go @ v1.36
 */
import { labelsText } from "../../api/kinds/cells.ts";
import type { Kind, Obj } from "../../api/kinds/definition.ts";
import { align, tableTabs } from "./tabs.ts";

export interface TableOptions {
  /** Simulated moment in ms since 1970. */
  readonly now: number;
  readonly wide?: boolean;
  readonly noHeaders?: boolean;
  readonly showLabels?: boolean;
  /** A column more for each of these labels. */
  readonly labelColumns?: readonly string[];
  readonly withNamespace?: boolean;
  /** `deployment.apps/web` instead of `web`. */
  readonly withKind?: boolean;
  /** `ADDED`: what happened to each of them, of a watch that tells it. */
  readonly event?: string;
  /** Column widths of the rows before, for a watch. */
  readonly remembered?: number[];
}

export function tableText(
  kind: Kind,
  objects: readonly Obj[],
  options: TableOptions,
): string {
  const lines = objects.map((object) => rowOf(kind, object, options));
  if (!options.noHeaders) lines.unshift(headerOf(kind, options));
  const text = lines.map((cells) => cells.join("\t")).join("\n");
  return align(text, tableTabs(options.remembered));
}

function headerOf(kind: Kind, options: TableOptions): string[] {
  const { event, withNamespace, labelColumns = [], showLabels } = options;
  return [
    ...(event ? ["EVENT"] : []),
    ...(withNamespace ? ["NAMESPACE"] : []),
    ...shown(kind, options).map(({ name }) => name.toUpperCase()),
    ...labelColumns.map((label) => label.split("/").at(-1)!.toUpperCase()),
    ...(showLabels ? ["LABELS"] : []),
  ];
}

/** Columns that are shown, with their place in the row. */
function shown({ columns }: Kind, { wide }: TableOptions) {
  return columns
    .map(({ name, priority }, index) => ({ name, priority, index }))
    .filter(({ priority }) => wide || priority === 0);
}

function rowOf(kind: Kind, object: Obj, options: TableOptions): string[] {
  const { cells } = kind.row(object, options.now);
  const { labels = {}, namespace } = object.metadata;
  const { event, withNamespace, withKind } = options;
  const { labelColumns = [], showLabels } = options;
  const prefix = withKind ? `${kindPrefix(kind)}/` : "";
  return [
    ...(event ? [event] : []),
    ...(withNamespace ? [namespace ?? "<none>"] : []),
    ...shown(kind, options).map(({ index }, i) => {
      return `${i === 0 ? prefix : ""}${oneLine(cells[index])}`;
    }),
    ...labelColumns.map((label) => labels[label] ?? ""),
    ...(showLabels ? [labelsText(labels)] : []),
  ];
}

/** `deployment.apps` */
export function kindPrefix(kind: Kind): string {
  return groupKind(kind).toLowerCase();
}

/** `Deployment.apps` */
export function groupKind({ kind, group }: Kind): string {
  return group ? `${kind}.${group}` : kind;
}

function oneLine(cell: unknown): string {
  const text = String(cell ?? "");
  const end = text.search(/[\n\f\r]/);
  return end < 0 ? text : `${text.slice(0, end)}...`;
}
