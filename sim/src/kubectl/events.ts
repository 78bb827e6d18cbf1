/**
 * kubectl events: what happened, oldest first.
 * Models:     kubectl/pkg/cmd/events @ v1.36
 */
import { at, num, obj, str } from "../api/kinds/access.ts";
import type { Obj } from "../api/kinds/definition.ts";
import { Event } from "../api/kinds/event.ts";
import { flags, parseArgs } from "./args.ts";
import { type Command, CommandError, type Environment } from "./environment.ts";
import { kindNamed } from "./find.ts";
import { itemsOf } from "./objects.ts";
import { listInGoOrder } from "./print/go-order.ts";
import { objectPrinterFor, printText } from "./print/object.ts";
import { align, tableTabs } from "./print/tabs.ts";
import { ago } from "./time.ts";

const FLAGS = flags(
  "output:value,o all-namespaces,A for:value types:value no-headers watch,w",
);

export const events: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  const printer = objectPrinterFor(args, env);
  const everywhere = args.on("all-namespaces");
  const namespace = everywhere ? "" : (args.get("namespace") ?? "default");
  const fieldSelector = selectorFor(args.get("for"), env);
  const options = fieldSelector ? { fieldSelector } : {};
  const list = await env.client.list(Event, namespace, options);
  const types = args.list("types").map((type) => type.toLowerCase());
  const items = itemsOf(list)
    .filter(({ type }) => {
      return types.length === 0 || types.includes(str(type).toLowerCase());
    })
    .toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1));
  if (items.length === 0) {
    env.err(
      everywhere
        ? "No events found."
        : `No events found in ${namespace} namespace.`,
    );
    return 0;
  }
  if (printer) {
    const kind = env.kinds.kindOf("v1", "Event")!;
    const object = listInGoOrder(kind, {}, items, env);
    printText(printer([{ kind, object }], true, true), env);
    return 0;
  }
  const rows = items.map((event) => {
    const { kind, name } = obj(event.involvedObject);
    const where = everywhere ? [event.metadata.namespace ?? ""] : [];
    return [
      ...where,
      intervalOf(event, env),
      str(event.type),
      str(event.reason),
      `${kind}/${name}`,
      str(event.message).trim(),
    ];
  });
  const head = ["LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"];
  if (!args.on("no-headers"))
    rows.unshift([...(everywhere ? ["NAMESPACE"] : []), ...head]);
  env.out(align(rows.map((row) => row.join("\t")).join("\n"), tableTabs()));
  return 0;
};

/** `--for pod/web` */
function selectorFor(text: string | undefined, env: Environment): string {
  if (text === undefined) return "";
  const [type = "", name = ""] = text.split("/");
  if (!name) {
    throw new CommandError("--for must be in resource/name form");
  }
  const { kind } = kindNamed(type, env);
  return `involvedObject.kind=${kind},involvedObject.name=${name}`;
}

function timeOf(event: Obj): string {
  const { series, lastTimestamp, eventTime } = event;
  return str(
    at(series as never, "lastObservedTime") ?? lastTimestamp ?? eventTime,
  );
}

/** `2s`, or `2s (x3 over 1m)` */
function intervalOf(event: Obj, env: Environment): string {
  const { series, count, firstTimestamp, eventTime } = event;
  const times = series ? num(at(series as never, "count")) : num(count);
  const last = ago(timeOf(event), env);
  if (times <= 1) return last;
  return `${last} (x${times} over ${ago(firstTimestamp ?? eventTime, env)})`;
}
