/**
 * kubectl get -w: the table first, then a row for each change.
 * Models:     kubectl/pkg/cmd/get/get.go (watch) @ v1.36
 */
import type { Obj } from "../api/kinds/definition.ts";
import type { Args } from "./args.ts";
import type { Environment } from "./environment.ts";
import { namespaceOf, readAsked, selectorsOf } from "./find.ts";
import { follow } from "./follow.ts";
import { onlyKind, tableOptions } from "./get-options.ts";
import { printerFor, printText } from "./print/object.ts";
import { tableText } from "./print/table.ts";
import { parseDuration } from "./time.ts";

/** Ends with the run, or after `--request-timeout`. */
export async function watchObjects(
  args: Args,
  env: Environment,
): Promise<number> {
  const asked = readAsked(args, args.words, env, "get");
  const { named, manifests } = asked;
  const kind = onlyKind([
    ...asked.kinds,
    ...named.map((one) => one.kind),
    ...manifests.map((one) => one.kind),
  ]);
  const name = named[0]?.name ?? manifests[0]?.object.metadata.name;
  const printer = printerFor(args);
  const remembered: number[] = [];
  let headers = !args.on("no-headers");
  const print = (objects: readonly Obj[]) => {
    if (printer) {
      const items = objects.map((object) => ({ kind, object }));
      for (const item of items) printText(printer([item], true), env);
      return;
    }
    const withNamespace = args.on("all-namespaces") && kind.namespaced;
    const options = { ...tableOptions(args, env), withNamespace, remembered };
    env.out(tableText(kind, objects, { ...options, noHeaders: !headers }));
    headers = false;
  };
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
        if (first && items.length > 0 && !args.on("watch-only")) print(items);
        first = false;
        return false;
      },
    },
    ({ object }) => {
      print([object]);
      return false;
    },
  );
  return 0;
}
