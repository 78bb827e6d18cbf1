/**
 * kubectl set image, set env, set resources: one change to the containers of
 * a template.
 * Models:     kubectl/pkg/cmd/set @ v1.36
 */
import { at, list, str } from "../api/kinds/access.ts";
import type { Json, JsonObject } from "../api/types.ts";
import { type Args, flags, OUTPUT, parseArgs, SELECT } from "./args.ts";
import { type Command, CommandError, throwAll } from "./environment.ts";
import { type Found, find } from "./find.ts";
import { dryRunOf, printDone, writeOptions } from "./print/done.ts";

/** The containers' fields that change; merged by the containers' names. */
type Change = (containers: readonly JsonObject[]) => readonly JsonObject[];

interface Setter {
  readonly done: string;
  /** From the words that are no objects, such as `web=nginx:2`. */
  readonly change: (words: readonly string[], args: Args) => Change;
}

const image: Setter = {
  done: "image updated",
  change: (words) => {
    if (words.length === 0) {
      throw new CommandError("at least one image update is required");
    }
    const wanted = words.map((word) => word.split(/=(.*)/s));
    return (containers) => {
      const found = wanted.flatMap(([name = "", to = ""]) => {
        const mine = containers.filter((c) => name === "*" || c.name === name);
        if (mine.length > 0) {
          return mine.map((c) => ({ name: str(c.name), image: to }));
        }
        throw new CommandError(`unable to find container named "${name}"`);
      });
      const isNew = ({ name, image: to }: { name: string; image: string }) =>
        containers.find((c) => c.name === name)?.image !== to;
      return found.filter(isNew);
    };
  },
};

const env: Setter = {
  done: "env updated",
  change: (words, args) => {
    const wanted = words.map((word): JsonObject => {
      const [name = "", value = ""] = word.split(/=(.*)/s);
      if (name.endsWith("-") && !word.includes("=")) {
        return { name: name.slice(0, -1), $patch: "delete" };
      }
      return { name, value };
    });
    return chosen(args, () => ({ env: wanted }));
  },
};

const resources: Setter = {
  done: "resource requirements updated",
  change: (_, args) => {
    const amounts = (name: string) =>
      Object.fromEntries(args.list(name).map((pair) => pair.split("=")));
    const limits = amounts("limits") as JsonObject;
    const requests = amounts("requests") as JsonObject;
    return chosen(args, () => ({ resources: { limits, requests } }));
  },
};

/** Of all containers, or of those that `-c` names. */
function chosen(args: Args, fields: () => JsonObject): Change {
  const wanted = args.get("containers") ?? "*";
  return (containers) =>
    containers
      .filter(({ name }) => wanted === "*" || name === wanted)
      .map(({ name }) => ({ name, ...fields() }));
}

const SETTERS: { readonly [name: string]: Setter } = { image, env, resources };

const FLAGS = flags(
  "containers:value,c limits:value requests:value local",
  OUTPUT,
  SELECT,
);

export const set: Command = async (argv, environment) => {
  const [name = "", ...rest] = argv;
  const setter = Object.hasOwn(SETTERS, name) ? SETTERS[name] : undefined;
  if (!setter) throw new CommandError(`unknown command "set ${name}"`);
  const args = parseArgs(rest, FLAGS);
  const isPair = (word: string) =>
    word.includes("=") || (name === "env" && word.endsWith("-"));
  const objects = args.words.filter((word) => !isPair(word));
  const change = setter.change(args.words.filter(isPair), args);
  const verb = "set";
  const finding = await find(args, objects, environment, { verb });
  const failed: unknown[] = [...finding.errors];
  for (const found of finding.items) {
    const main = containersOf(found, "containers");
    const init = containersOf(found, "initContainers");
    const changed = change([...main, ...init]);
    if (changed.length === 0) continue;
    const of = (all: readonly JsonObject[]) =>
      changed.filter((one) => all.some(({ name }) => name === one.name));
    const initContainers = of(init);
    const { kind, object } = found;
    const { name: its, namespace = "" } = object.metadata;
    const body = wrap(found, {
      containers: of(main),
      ...(initContainers.length > 0 ? { initContainers } : {}),
    });
    const options = writeOptions(args, "kubectl-set");
    if (dryRunOf(args) !== "client") {
      const type = "application/strategic-merge-patch+json";
      await environment.client.patch(kind, namespace, its, type, body, {
        options,
      });
    }
    printDone(args, environment, kind, object, setter.done);
  }
  throwAll(failed);
  return 0;
};

/** Where the Pod's spec is: in the object itself, or in a template. */
function pathOf({ kind }: Found): readonly string[] {
  if (kind.kind === "Pod") return ["spec"];
  if (kind.kind === "CronJob")
    return ["spec", "jobTemplate", "spec", "template", "spec"];
  return ["spec", "template", "spec"];
}

function containersOf(found: Found, field: string): readonly JsonObject[] {
  const path = [...pathOf(found), field];
  return list(at(found.object as object as Json, ...path));
}

function wrap(found: Found, spec: JsonObject): JsonObject {
  return pathOf(found).reduceRight<JsonObject>(
    (inner, field) => ({ [field]: inner }),
    spec,
  );
}
