/**
 * kubectl set image, env, resources: one change to the containers of
 * a template.
 * Models:     kubectl/pkg/cmd/set @ v1.36
 */
import { at, list, obj, str } from "../api/kinds/access.ts";
import type { JsonObject } from "../api/types.ts";
import { type Args, flags, OUTPUT, parseArgs, SELECT } from "./args.ts";
import { type Command, CommandError, throwAll } from "./environment.ts";
import { find } from "./find.ts";
import { dryRunOf, printDone, writeOptions } from "./print/done.ts";
import { setSelector, setServiceAccount } from "./set-others.ts";
import { containersOf, wrap } from "./set-path.ts";

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
    for (const { name } of wanted) refuseName(str(name));
    const isNew = (container: JsonObject) =>
      wanted.some(({ name, value, $patch }) => {
        const has = list(container.env).find((one) => one.name === name);
        return $patch ? has !== undefined : has?.value !== value;
      });
    const fields = chosen(args, () => ({ env: wanted }));
    return (containers) => fields(containers.filter(isNew));
  },
};

const ENV_NAME = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

function refuseName(name: string): void {
  if (ENV_NAME.test(name)) return;
  throw new CommandError(
    `"${name}" is not a valid key name: a valid environment variable name ` +
      "must consist of alphabetic characters, digits, '_', '-', or '.', and " +
      "must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  " +
      "or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')",
  );
}

const resources: Setter = {
  done: "resource requirements updated",
  change: (_, args) => {
    const amounts = (name: string) =>
      Object.fromEntries(args.list(name).map((pair) => pair.split("=")));
    const limits = amounts("limits") as JsonObject;
    const requests = amounts("requests") as JsonObject;
    if (args.get("limits") === undefined && args.get("requests") === undefined)
      throw new CommandError(
        "you must specify an update to requests or limits (in the form of --requests/--limits)",
      );
    const wanted: JsonObject = { limits, requests };
    const fields = chosen(args, () => ({ resources: wanted }));
    return (containers) => {
      const own = args.get("containers");
      if (own && !containers.some(({ name }) => name === own))
        throw new CommandError(`unable to find container named ${own}`);
      return fields(containers.filter((one) => !hasAll(one, wanted)));
    };
  },
};

function hasAll(container: JsonObject, wanted: JsonObject): boolean {
  return Object.entries(wanted).every(([field, amounts]) => {
    const has = obj(at(container, "resources", field));
    return Object.entries(obj(amounts)).every(([k, v]) => has[k] === v);
  });
}

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
  if (name === "serviceaccount" || name === "sa")
    return setServiceAccount(rest, environment);
  if (name === "selector") return setSelector(rest, environment);
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
