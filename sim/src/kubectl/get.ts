/**
 * kubectl get: objects as tables or in full, once or for as long as they
 * change.
 * Models:     kubectl/pkg/cmd/get/get.go @ v1.36
 * Leaves out: --chunk-size, --subresource.
 */
import type { Kind, Obj } from "../api/kinds/definition.ts";
import { isNotFound } from "../api/status.ts";
import { type Args, flags, parseArgs, SELECT } from "./args.ts";
import {
  type Command,
  CommandError,
  type Environment,
  PlainError,
  throwAll,
} from "./environment.ts";
import { type Finding, type Found, find, namespaceOf } from "./find.ts";
import { bare, tableOptions } from "./get-options.ts";
import { getRaw } from "./get-raw.ts";
import { watchObjects } from "./get-watch.ts";
import { printerFor, printText } from "./print/object.ts";
import { sortObjects } from "./print/sort.ts";
import { tableText } from "./print/table.ts";

const FLAGS = flags(
  "output:value,o template:value show-managed-fields watch,w watch-only " +
    "output-watch-events show-labels show-kind no-headers sort-by:value " +
    "label-columns:value,L ignore-not-found chunk-size:value raw:value server-print:value",
  SELECT,
);

export const get: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  if (args.get("raw")) return getRaw(args, env);
  if (args.words.length === 0 && args.all("filename").length === 0) {
    throw new PlainError(NO_TYPE);
  }
  args.int("chunk-size"); // Only read: lists come whole here.
  if (args.on("output-watch-events") && !isWatch(args))
    throw new CommandError(
      "--output-watch-events option can only be used with --watch or --watch-only",
    );
  const printer = printerFor(args);
  if (isWatch(args)) {
    return watchObjects(args, env);
  }
  const finding = await find(args, args.words, env, {
    verb: "get",
    lists: true,
  });
  const ignore = args.on("ignore-not-found");
  const errors = finding.errors.filter((one) => !(ignore && isNotFound(one)));
  const sortBy = args.get("sort-by");
  const items = sorted(finding.items, sortBy, printer !== undefined);
  if (printer) {
    const { named, manifests } = finding.asked;
    const one = named.length + manifests.length === 1;
    if (items.length > 0 || !one) printText(printer(items, one), env);
  } else printTables({ ...finding, items, errors }, args, env);
  throwAll(errors);
  return 0;
};

function isWatch(args: Args): boolean {
  return args.on("watch") || args.on("watch-only");
}

/** Rows that have no such field at all are no rows, upstream finds. */
function sorted(
  items: readonly Found[],
  sortBy: string | undefined,
  strict: boolean,
): readonly Found[] {
  if (!sortBy) return items;
  try {
    return sortObjects(items, sortBy);
  } catch (error) {
    if (strict || !(error instanceof CommandError)) throw error;
    return [];
  }
}

const NO_TYPE =
  'You must specify the type of resource to get. Use "kubectl api-resources" ' +
  "for a complete list of supported resources.\n\n" +
  "error: Required resource not specified.\n" +
  'Use "kubectl explain <resource>" for a detailed description of that ' +
  "resource (e.g. kubectl explain pods).\n" +
  "See 'kubectl get -h' for help and examples";

function printTables(finding: Finding, args: Args, env: Environment): void {
  const { items, errors, asked } = finding;
  if (items.length === 0) {
    if (errors.length > 0 || args.on("ignore-not-found")) return;
    return env.err(nothingFound(asked.kinds, args));
  }
  const groups = inGroups(items);
  const several = groups.length > 1 || new Set(asked.kinds).size > 1;
  const options = tableOptions(args, env);
  const texts = groups.map(({ kind, objects }) =>
    tableText(
      args.get("server-print") === "false" ? bare(kind) : kind,
      objects,
      {
        ...options,
        withNamespace: args.on("all-namespaces") && kind.namespaced,
        withKind: args.on("show-kind") || several,
      },
    ),
  );
  env.out(texts.join("\n\n"));
}

function nothingFound(kinds: readonly Kind[], args: Args): string {
  const [kind] = kinds;
  const namespace = kind ? namespaceOf(args, kind) : "";
  return namespace && kinds.some((one) => one.namespaced)
    ? `No resources found in ${namespace} namespace.`
    : "No resources found";
}

/** Runs of one kind: each is a table of its own. */
function inGroups(items: readonly Found[]): { kind: Kind; objects: Obj[] }[] {
  const groups: { kind: Kind; objects: Obj[] }[] = [];
  for (const { kind, object } of items) {
    const last = groups.at(-1);
    if (last?.kind === kind) last.objects.push(object);
    else groups.push({ kind, objects: [object] });
  }
  return groups;
}
