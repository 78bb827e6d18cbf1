/** What `kubectl get` and its watch read from their flags alike. */
import type { Kind } from "../api/kinds/definition.ts";
import { age } from "../api/table.ts";
import type { Args } from "./args.ts";
import { CommandError, type Environment } from "./environment.ts";
import type { TableOptions } from "./print/table.ts";
import { nowOf } from "./time.ts";

export function tableOptions(args: Args, env: Environment): TableOptions {
  return {
    now: nowOf(env),
    wide: args.get("output") === "wide",
    noHeaders: args.on("no-headers"),
    showLabels: args.on("show-labels"),
    labelColumns: args.list("label-columns").filter(Boolean),
  };
}

/** Without the server's tables: only names and ages are known. */
export function bare(kind: Kind): Kind {
  const [name] = kind.columns;
  const own = kind.columns.find((column) => column.name === "Age");
  return {
    ...kind,
    columns: [name!, own ?? { ...name!, name: "Age", format: "" }],
    row: (object, now) => ({
      cells: [object.metadata.name, age(object, now)],
    }),
  };
}

/** A watch is of one kind. */
export function onlyKind(kinds: readonly Kind[]): Kind {
  const [kind, ...more] = new Set(kinds);
  if (kind && more.length === 0) return kind;
  throw new CommandError(
    kind
      ? "you may only specify a single resource type"
      : "you must specify the type of resource",
  );
}
