/** Replays get-table.json: the rows of `kubectl get -o wide`. */
import { newKinds } from "../../sim/src/api/kinds/index.ts";
import type { KubeObject } from "../../sim/src/api/types.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, nameOf, Tally } from "./harness.ts";

interface Case {
  case: string;
  kind: string;
  object: KubeObject;
  now: string;
  columns: readonly { name: string; type: string; format: string; priority: number }[];
  cells: readonly unknown[];
  rowConditions?: unknown;
}

export function replay(file: VectorFile): Result {
  const kinds = newKinds();
  const tally = new Tally();
  for (const [i, c] of casesOf<Case>(file).entries()) {
    tally.same(nameOf(c, i), () => printed(c), expected(c));
  }
  return tally.result();

  function printed({ object, now }: Case) {
    const kind = kinds.kindOf(object.apiVersion, object.kind);
    if (!kind) throw new Error(`no kind ${object.apiVersion} ${object.kind}`);
    // Typed as the server reads it, but as recorded: without defaults.
    const { object: read } = kinds.codec.decode(kind.struct, object, false);
    const row = kind.row({ ...object, ...read }, Date.parse(now));
    const columns = kind.columns.map(({ description: _, ...column }) => column);
    return { columns, cells: row.cells, rowConditions: row.conditions ?? [] };
  }
}

function expected({ columns, cells, rowConditions }: Case) {
  const named = columns.map(({ name, type, format, priority }) => ({
    name,
    type,
    format,
    priority,
  }));
  return { columns: named, cells, rowConditions: rowConditions ?? [] };
}
