/**
 * kubectl api-resources and api-versions: which kinds the server knows.
 * Models:     kubectl/pkg/cmd/apiresources @ v1.36
 */
import type { Kind, Obj } from "../api/kinds/definition.ts";
import { type Args, flags, parseArgs } from "./args.ts";
import { type Command, CommandError, wrongUse } from "./environment.ts";
import { typed } from "./objects.ts";
import { preferred } from "./preferred.ts";
import { noPrinter, printerFor, printText } from "./print/object.ts";
import { align, tableTabs } from "./print/tabs.ts";
import { formatOf } from "./print/template-text.ts";

const FLAGS = flags(
  "output:value,o namespaced:value api-group:value verbs:value " +
    "categories:value sort-by:value no-headers cached",
);

const FORMATS = ["json", "kyaml", "name", "wide", "yaml"];

export const apiResources: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  noWords(args, "api-resources");
  if (!["", "name", "kind"].includes(args.get("sort-by") ?? ""))
    throw new CommandError("--sort-by accepts only name or kind");
  const kinds = preferred(env.kinds.all())
    .filter((kind) => wanted(kind, args))
    .toSorted((a, b) => by(orderOf(a, args), orderOf(b, args)));
  const { name: format } = formatOf(args);
  if (!["", ...FORMATS].includes(format))
    throw noPrinter(args.get("output")!, FORMATS);
  if (format === "name") {
    const names = kinds.map(({ resource, group }) =>
      group ? `${resource}.${group}` : resource,
    );
    env.out(names.join("\n"));
    return 0;
  }
  const printer = printerFor(args, env);
  if (printer) {
    const object = typed<Obj>(listOf(kinds) as never);
    printText(printer([{ kind: kinds[0]!, object }], true, true), env);
    return 0;
  }
  const wide = args.get("output") === "wide";
  const more = wide ? ["VERBS", "CATEGORIES"] : [];
  const head = ["NAME", "SHORTNAMES", "APIVERSION", "NAMESPACED", "KIND"];
  const rows = kinds.map((kind) => [
    kind.resource,
    kind.shortNames.join(","),
    kind.apiVersion,
    String(kind.namespaced),
    kind.kind,
    ...(wide ? [verbsOf(kind), kind.categories.join(",")] : []),
  ]);
  if (!args.on("no-headers")) rows.unshift([...head, ...more]);
  const text = rows.map((row) => row.join("\t")).join("\n");
  env.out(align(text, tableTabs()));
  return 0;
};

/** What discovery says of them. */
function listOf(kinds: readonly Kind[]) {
  const resources = kinds.map((kind) => ({
    name: kind.resource,
    singularName: kind.singular,
    namespaced: kind.namespaced,
    ...(kind.group ? { group: kind.group } : {}),
    version: kind.version,
    kind: kind.kind,
    verbs: kind.verbs.toSorted(),
    ...(kind.shortNames.length > 0 ? { shortNames: kind.shortNames } : {}),
    ...(kind.categories.length > 0 ? { categories: kind.categories } : {}),
  }));
  const kind = "APIResourceList";
  return { kind, apiVersion: "v1", groupVersion: "", resources };
}

function verbsOf({ verbs }: Kind): string {
  return verbs.toSorted().join(",");
}

function wanted(kind: Kind, args: Args): boolean {
  const namespaced = args.get("namespaced");
  if (namespaced !== undefined && String(kind.namespaced) !== namespaced)
    return false;
  const group = args.get("api-group");
  if (group !== undefined && kind.group !== group) return false;
  if (!args.list("verbs").every((verb) => kind.verbs.includes(verb)))
    return false;
  return args.list("categories").every((one) => kind.categories.includes(one));
}

function orderOf(kind: Kind, args: Args): string {
  const sort = args.get("sort-by");
  if (sort === "name") return kind.resource;
  if (sort === "kind") return kind.kind;
  return `${kind.group}\u0000${kind.resource}`;
}

function by(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export const apiVersions: Command = async (argv, env) => {
  noWords(parseArgs(argv, {}), "api-versions");
  const served = env.kinds.all().filter(({ verbs }) => verbs.length > 0);
  const all = new Set(served.map(({ apiVersion }) => apiVersion));
  env.out([...all].toSorted().join("\n"));
  return 0;
};

function noWords({ words }: Args, command: string): void {
  if (words.length === 0) return;
  throw wrongUse(command, `unexpected arguments: [${words.join(" ")}]`);
}
