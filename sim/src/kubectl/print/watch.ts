/**
 * What a watch prints of whole objects, one after the other, and of events if
 * `--output-watch-events` asks for them.
 * Models:     cli-runtime/pkg/printers/{json,yaml,name}.go @ v1.36
 */
import { goSortedJson } from "../../api/go-text.ts";
import type { Kind, Obj } from "../../api/kinds/definition.ts";
import type { Args } from "../args.ts";
import type { Environment } from "../environment.ts";
import type { Seen } from "../follow.ts";
import { typed } from "../objects.ts";
import { printerFor } from "./object.ts";
import { formatOf } from "./template-text.ts";

/** Undefined: a table is meant. */
export function watchPrinter(
  kind: Kind,
  args: Args,
  env: Environment,
): ((seen: readonly Seen[]) => string) | undefined {
  const printer = printerFor(args, env);
  if (!printer) return;
  const format = formatOf(args).name;
  const tells = args.on("output-watch-events") && format !== "name";
  const shown = ({ type, object }: Seen): Obj =>
    tells ? typed<Obj>({ type, object } as never) : object;
  if (/^custom-columns/.test(format))
    return (seen) =>
      printer(
        seen.map((one) => ({ kind, object: shown(one) })),
        false,
      );
  if (tells && format === "json")
    return (seen) => seen.map((one) => `${eventText(one)}\n`).join("");
  let count = 0;
  const one = (seen: Seen): string => {
    const text = printer([{ kind, object: shown(seen) }], true);
    return format === "yaml" && count++ > 0 ? `---\n${text}` : text;
  };
  return (seen) => seen.map(one).join("");
}

/** An event is printed on one line, its object as it came. */
function eventText({ type, object }: Seen): string {
  return `{"type":"${type}","object":${goSortedJson(object)}}`;
}
