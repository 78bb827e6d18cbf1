/**
 * kubectl get -w: the table first, then a row for each change.
 * Models:     kubectl/pkg/cmd/get/get.go (watch) @ v1.36
 */
import type { Kind, Obj } from "../api/kinds/definition.ts";
import type { Args } from "./args.ts";
import { CommandError, type Environment } from "./environment.ts";
import {
  type Asked,
  find,
  namespaceOf,
  readAsked,
  selectorsOf,
} from "./find.ts";
import { follow, type Seen } from "./follow.ts";
import { onlyKind, tableOptions } from "./get-options.ts";
import { printText } from "./print/object.ts";
import { tableText } from "./print/table.ts";
import { watchPrinter } from "./print/watch.ts";
import { parseDuration } from "./time.ts";

/** Ends with the run, or after `--request-timeout`. */
export async function watchObjects(
  args: Args,
  env: Environment,
): Promise<number> {
  const asked = readAsked(args, args.words, env, "get");
  const kind = kindOf(asked);
  const named = await namedOf(asked, args, env);
  if (args.get("sort-by"))
    env.err(
      "warning: --watch requested, --sort-by will be ignored for watch events received",
    );
  const print = printerOf(kind, args, env);
  if (named.length > 1) {
    print(named.map((object): Seen => ({ type: "ADDED", object })));
    throw new CommandError(
      "you may only watch a single resource or type of resource at a time",
    );
  }
  const name = named[0]?.metadata.name;
  let first = true;
  const timeout = args.get("request-timeout");
  const select = selectorsOf(args);
  const byName = name ? { fieldSelector: `metadata.name=${name}` } : {};
  await follow(
    env,
    {
      kind,
      namespace: namespaceOf(args, kind),
      select: { ...select, ...byName },
      timeoutMs: timeout
        ? parseDuration(timeout, "request-timeout")
        : undefined,
      listed: (items) => {
        const seen = items.map((object): Seen => ({ type: "ADDED", object }));
        if (first && items.length > 0 && !args.on("watch-only")) print(seen);
        first = false;
        return false;
      },
    },
    (seen) => {
      print([seen]);
      return false;
    },
  );
  return 0;
}

function kindOf({ kinds, named, manifests }: Asked): Kind {
  return onlyKind([
    ...kinds,
    ...named.map((one) => one.kind),
    ...manifests.map((one) => one.kind),
  ]);
}

/** The objects that are watched by name; they have to be there. */
async function namedOf(
  { named, manifests }: Asked,
  args: Args,
  env: Environment,
): Promise<readonly Obj[]> {
  if (named.length + manifests.length === 0) return [];
  const { items, errors } = await find(args, args.words, env, { verb: "get" });
  if (errors.length > 0) throw errors[0];
  return items.map(({ object }) => object);
}

/** Prints what was seen: whole objects as `-o` says, or rows of a table. */
function printerOf(kind: Kind, args: Args, env: Environment) {
  const tells = args.on("output-watch-events");
  const whole = watchPrinter(kind, args, env);
  if (whole) return (seen: readonly Seen[]) => printText(whole(seen), env);
  const remembered: number[] = [];
  let headers = !args.on("no-headers");
  const withNamespace = args.on("all-namespaces") && kind.namespaced;
  const withKind = args.on("show-kind");
  const rows = (objects: readonly Obj[], event: string | undefined) => {
    const options = { ...tableOptions(args, env), withNamespace, withKind };
    const more = { event, remembered, noHeaders: !headers };
    env.out(tableText(kind, objects, { ...options, ...more }));
    headers = false;
  };
  return (seen: readonly Seen[]) => {
    const objects = seen.map(({ object }) => object);
    rows(objects, tells ? seen[0]!.type.padEnd(8) : undefined);
  };
}
