/**
 * Which objects a command line means: `pods`, `deploy web`, `deploy/web`,
 * `deploy,rs -l app=web`, `all`, `-f web.yaml`.
 * Models:     cli-runtime/pkg/resource/{builder,visitor}.go @ v1.36
 */
import type { Kind, Obj } from "../api/kinds/definition.ts";
import { StatusError } from "../api/status.ts";
import type { RequestOptions } from "../api/transport.ts";
import type { Args } from "./args.ts";
import { CommandError, type Environment } from "./environment.ts";
import { listError, namespaceMissing } from "./find-errors.ts";
import { type Manifest, readManifests } from "./manifests.ts";
import { preferred } from "./preferred.ts";

/** What was asked for, before anything is read. */
export interface Asked {
  readonly kinds: readonly Kind[];
  /** Objects by name, in the order given; none: all of the kinds. */
  readonly named: readonly { kind: Kind; name: string }[];
  readonly manifests: readonly Manifest[];
  readonly errors: readonly unknown[];
}

export interface Found {
  readonly kind: Kind;
  readonly object: Obj;
  readonly manifest?: Manifest;
}

export interface Finding {
  readonly asked: Asked;
  readonly items: readonly Found[];
  /** What could not be found; told when the rest is done. */
  readonly errors: readonly unknown[];
}

/** The kind that a person means; throws as kubectl does. */
export function kindNamed(name: string, env: Environment): Kind {
  const kind = env.kinds.byName(name);
  if (kind) return kind;
  const [resource] = name.split(".");
  throw new CommandError(
    `the server doesn't have a resource type "${resource}"`,
  );
}

/** `pods,svc`, `all`: a category stands for its kinds. */
export function kindsNamed(text: string, env: Environment): Kind[] {
  return text.split(",").flatMap((name) => {
    const grouped = preferred(env.kinds.all()).filter(({ categories }) =>
      categories.includes(name),
    );
    return grouped.length > 0 ? grouped : [kindNamed(name, env)];
  });
}

export function readAsked(
  args: Args,
  words: readonly string[],
  env: Environment,
  verb: string,
): Asked {
  if (args.all("filename").length > 0) {
    const { items: manifests, errors } = readManifests(args, env, verb);
    return { kinds: [], named: [], manifests, errors };
  }
  const [types, ...names] = words;
  const none = { manifests: [], errors: [] };
  if (types === undefined) throw new CommandError(NOTHING);
  if (words.some((word) => word.includes("/"))) {
    if (!words.every((word) => word.includes("/"))) {
      throw new CommandError(MIXED);
    }
    const named = words.map((word) => readPair(word, env));
    return { kinds: [], named, ...none };
  }
  const kinds = kindsNamed(types, env);
  const named = kinds.flatMap((kind) => names.map((name) => ({ kind, name })));
  return { kinds, named, ...none };
}

const MIXED =
  "there is no need to specify a resource type as a separate argument " +
  "when passing arguments in resource/name form (e.g. 'kubectl get " +
  "resource/<resource_name>' instead of 'kubectl get resource " +
  "resource/<resource_name>'";

/** Neither an object nor a file was named. */
export const NOTHING = `You must provide one or more resources by argument or filename.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'
   '<resource> <name>'
   '<resource>'`;

/** The same of commands whose words say a change besides. */
export const NO_RESOURCE =
  "one or more resources must be specified as <resource> <name> or <resource>/<name>";

function readPair(word: string, env: Environment) {
  const [type = "", name = "", more] = word.split("/");
  if (!type || !name || more !== undefined) {
    throw new CommandError(
      "arguments in resource/name form may not have more than one slash",
    );
  }
  return { kind: kindNamed(type, env), name };
}

/** Namespace of the command line for a kind; "" if it has none. */
export function namespaceOf(args: Args, kind: Kind): string {
  if (!kind.namespaced || args.on("all-namespaces")) return "";
  return args.get("namespace") ?? "default";
}

/**
 * Reads what was asked for. Without names, all objects of the kinds (or those
 * of the selectors), but only if `lists` says that the command is meant so, or
 * `--all` or a selector is given.
 */
export async function find(
  args: Args,
  words: readonly string[],
  env: Environment,
  { verb, lists = false }: { verb: string; lists?: boolean },
): Promise<Finding> {
  const asked = readAsked(args, words, env, verb);
  const items: Found[] = [];
  const errors: unknown[] = [...asked.errors];
  const byName = wanted(asked, args);
  const wide = lists || args.on("all") || hasSelector(args);
  const subresource = args.get("subresource");
  if (subresource && byName.length === 0 && asked.kinds.length > 0) {
    throw new CommandError(
      "subresource cannot be used when bulk resources are specified",
    );
  }
  if (byName.length === 0 && asked.kinds.length > 0 && !wide) {
    throw new CommandError(
      "resource(s) were provided, but no name was specified",
    );
  }
  for (const { kind, namespace, name, manifest } of byName) {
    try {
      const object = subresource
        ? await env.client.getSub(kind, namespace, name, subresource)
        : await env.client.get(kind, namespace, name);
      items.push({ kind, object: object as Obj, manifest });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      errors.push((await namespaceMissing(error, namespace, env)) ?? error);
    }
  }
  if (byName.length === 0) {
    for (const kind of asked.kinds) {
      for (const object of (await listOf(kind, args, env)).items)
        items.push({ kind, object: object as Obj });
    }
  }
  return { asked, items, errors };
}

function wanted({ manifests, named }: Asked, args: Args) {
  if (args.on("all-namespaces") && named.some(({ kind }) => kind.namespaced)) {
    throw new CommandError(
      "a resource cannot be retrieved by name across all namespaces",
    );
  }
  return [
    ...manifests.map((manifest) => {
      const { kind, object } = manifest;
      const { namespace = "", name } = object.metadata;
      return { kind, namespace, name, manifest };
    }),
    ...named.map(({ kind, name }) => {
      return {
        kind,
        namespace: namespaceOf(args, kind),
        name,
        manifest: undefined,
      };
    }),
  ];
}

export function hasSelector(args: Args): boolean {
  return Boolean(args.get("selector") || args.get("field-selector"));
}

export async function listOf(kind: Kind, args: Args, env: Environment) {
  const options = selectorsOf(args);
  try {
    return await env.client.list(kind, namespaceOf(args, kind), options);
  } catch (error) {
    throw listError(error, kind, options);
  }
}

export function selectorsOf(args: Args): RequestOptions {
  const labelSelector = args.get("selector");
  const fieldSelector = args.get("field-selector");
  return {
    ...(labelSelector ? { labelSelector } : {}),
    ...(fieldSelector ? { fieldSelector } : {}),
  };
}
