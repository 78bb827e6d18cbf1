/**
 * kubectl get: objects as tables or in full, once or for as long as they
 * change.
 * Models:     kubectl/pkg/cmd/get/get.go @ v1.36
 * Leaves out: --chunk-size: lists come whole here.
 */
import type { Kind, Obj } from "../api/kinds/definition.ts";
import { Scale } from "../api/kinds/subresource-kinds.ts";
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
import { noSuchField, sortObjects, sortRows } from "./print/sort.ts";
import { tableText } from "./print/table.ts";

const FLAGS = flags(
  "output:value,o template:value show-managed-fields watch,w watch-only " +
    "output-watch-events show-labels show-kind no-headers sort-by:value " +
    "label-columns:value,L ignore-not-found chunk-size:value raw:value " +
    "server-print:value subresource:value allow-missing-template-keys",
  SELECT,
);

export const get: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  checkGet(args);
  if (args.get("raw")) return getRaw(args, env);
  if (isWatch(args)) return watchObjects(args, env);
  const found = await find(args, args.words, env, { verb: "get", lists: true });
  const finding = { ...found, items: found.items.map(asScale) };
  const ignore = args.on("ignore-not-found");
  const errors = finding.errors.filter((one) => !(ignore && isNotFound(one)));
  const { named, manifests } = finding.asked;
  const one = named.length + manifests.length === 1;
  if (one) throwAll(errors);
  const printer = printerFor(args, env);
  if (printer) {
    const sortBy = args.get("sort-by");
    const { items } = finding;
    const sorted = sortBy && !one ? sortObjects(items, sortBy) : items;
    if (items.length > 0 || !one) printText(printer(sorted, one), env);
  } else printTables({ ...finding, errors }, args, env);
  throwAll(errors);
  return 0;
};

function checkGet(args: Args): void {
  args.int("chunk-size");
  if (args.get("raw")) return;
  if (args.words.length === 0 && args.all("filename").length === 0)
    throw new PlainError(NO_TYPE);
  const output = args.get("output") ?? "";
  if (args.on("show-labels") && output !== "" && output !== "wide")
    throw new CommandError(
      `--show-labels option cannot be used with ${output} printer`,
    );
  if (args.on("output-watch-events") && !isWatch(args))
    throw new CommandError(
      "--output-watch-events option can only be used with --watch or --watch-only",
    );
}

function isWatch(args: Args): boolean {
  return args.on("watch") || args.on("watch-only");
}

/** `--subresource=scale` gives a kind of its own. */
function asScale(item: Found): Found {
  return item.object.kind === Scale.kind ? { ...item, kind: Scale } : item;
}

const NO_TYPE =
  'You must specify the type of resource to get. Use "kubectl api-resources" ' +
  "for a complete list of supported resources.\n\n" +
  "error: Required resource not specified.\n" +
  'Use "kubectl explain <resource>" for a detailed description of that ' +
  "resource (e.g. kubectl explain pods).\n" +
  "See 'kubectl get -h' for help and examples";

function printTables(finding: Finding, args: Args, env: Environment): void {
  const { errors, asked } = finding;
  const byName = asked.named.length + asked.manifests.length > 0;
  const groups = inGroups(finding.items, args.get("sort-by"), byName);
  if (groups.length === 0) {
    if (errors.length > 0 || args.on("ignore-not-found")) return;
    return env.err(nothingFound(asked.kinds, args));
  }
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
  env.out(texts.join(args.on("no-headers") ? "\n" : "\n\n"));
}

function nothingFound(kinds: readonly Kind[], args: Args): string {
  const [kind] = kinds;
  const namespace = kind ? namespaceOf(args, kind) : "";
  return namespace && kinds.some((one) => one.namespaced)
    ? `No resources found in ${namespace} namespace.`
    : "No resources found";
}

/** Runs of one kind: each is a table of its own. */
function inGroups(items: readonly Found[], sortBy = "", byName = false) {
  const groups: { kind: Kind; objects: Obj[] }[] = [];
  for (const { kind, object } of items) {
    const last = groups.at(-1);
    if (last?.kind === kind) last.objects.push(object);
    else groups.push({ kind, objects: [object] });
  }
  if (sortBy === "") return groups;
  // Upstream looks for the field in the tables, if there are several.
  const tables = byName ? items.length : groups.length;
  if (tables > 1) throw noSuchField(sortBy);
  try {
    return groups.map(({ kind, objects }) => {
      const rows = objects.map((object) => ({ kind, object }));
      const sorted = sortRows(rows, sortBy).map(({ object }) => object);
      return { kind, objects: sorted };
    });
  } catch (error) {
    // What cannot be sorted is not printed, and not told.
    if (error instanceof PlainError || !(error instanceof CommandError))
      throw error;
    return [];
  }
}
