/**
 * kubectl config set-context, set-cluster, set-credentials, use-context,
 * rename-context and delete-*.
 * Models:     kubectl/pkg/cmd/config @ v1.36
 * Leaves out: --embed-certs, --auth-provider.
 */
import { type Args, flags, parseArgs } from "../args.ts";
import {
  type Command,
  CommandError,
  type Environment,
} from "../environment.ts";
import {
  CONFIG_FILE,
  configOf,
  type Kubeconfig,
  setConfig,
  withEntry,
  withoutEntry,
} from "./state.ts";

type Lists = "clusters" | "contexts" | "users";

/** The words, which must be as many; upstream shows the help besides. */
export function wordsOf({ words }: Args, count: number): readonly string[] {
  if (words.length === count) return words;
  throw new CommandError(`Unexpected args: [${words.join(" ")}]`);
}

/** What the flags say, over what was said before. */
function said(
  args: Args,
  names: readonly string[],
): { [name: string]: string } {
  const given = names.filter((name) => args.get(name) !== undefined);
  return Object.fromEntries(given.map((name) => [name, args.get(name)!]));
}

function put(
  field: Lists,
  name: string,
  entry: object,
  { kernel }: Environment,
): void {
  const config = configOf(kernel);
  const filled = Object.entries({ ...config[field][name], ...entry });
  // An empty value takes the field away.
  const kept = Object.fromEntries(filled.filter(([, value]) => value !== ""));
  const all = withEntry<object>(config[field], name, kept);
  setConfig(kernel, { ...config, [field]: all } as Kubeconfig);
}

export const setContext: Command = async (argv, env) => {
  const table = flags("cluster:value user:value namespace:value,n current");
  const args = parseArgs(argv, table);
  if (args.words.length > 1) wordsOf(args, 1);
  const config = configOf(env.kernel);
  const [given] = args.words;
  const isCurrent = args.on("current");
  if (isCurrent && given)
    throw new CommandError(
      "you cannot specify both a context name and --current",
    );
  if (!isCurrent && !given)
    throw new CommandError(
      "you must specify a non-empty context name or --current",
    );
  const name = given ?? config["current-context"];
  if (!name) throw new CommandError("no current context is set");
  const isKnown = Object.hasOwn(config.contexts, name);
  const fields = { cluster: "cluster", user: "user", namespace: "namespace" };
  const entry = said(args, Object.keys(fields));
  put("contexts", name, own(entry, argv), env);
  env.out(`Context "${name}" ${isKnown ? "modified" : "created"}.`);
  return 0;
};

/** The namespace of the context itself is no flag of this command. */
function own(entry: { [name: string]: string }, argv: readonly string[]) {
  const { namespace, ...rest } = entry;
  const isGiven = argv.some((word) => /^(--namespace|-n)/.test(word));
  return isGiven && namespace !== undefined ? { ...rest, namespace } : rest;
}

export const setCluster: Command = async (argv, env) => {
  const texts = [
    "server",
    "tls-server-name",
    "certificate-authority",
    "proxy-url",
  ];
  const table = flags(
    `${texts.map((name) => `${name}:value`).join(" ")} insecure-skip-tls-verify embed-certs`,
  );
  const args = parseArgs(argv, table);
  const [name = ""] = wordsOf(args, 1);
  const insecure = args.get("insecure-skip-tls-verify");
  const entry: { [field: string]: string | boolean } = said(args, texts);
  if (args.on("insecure-skip-tls-verify")) {
    if (entry["certificate-authority"])
      throw new CommandError(
        "you cannot specify a certificate authority and insecure mode at the same time",
      );
    entry["certificate-authority"] = "";
  }
  if (insecure !== undefined)
    entry["insecure-skip-tls-verify"] =
      args.on("insecure-skip-tls-verify") || "";
  if (entry["certificate-authority"]) entry["insecure-skip-tls-verify"] = "";
  put("clusters", name, entry, env);
  env.out(`Cluster "${name}" set.`);
  return 0;
};

export const setCredentials: Command = async (argv, env) => {
  const texts = [
    "client-certificate",
    "client-key",
    "token",
    "username",
    "password",
  ];
  const table = flags(
    `${texts.map((name) => `${name}:value`).join(" ")} embed-certs ` +
      "exec-command:value exec-api-version:value exec-arg:value exec-env:value",
  );
  const args = parseArgs(argv, table);
  if (args.words.length !== 1)
    throw new CommandError(`unexpected args: [${args.words.join(" ")}]`);
  const entry: { [field: string]: unknown } = said(args, texts);
  const basic = entry.username !== undefined || entry.password !== undefined;
  if (entry.token && basic)
    throw new CommandError(
      "you cannot specify more than one authentication method at the same time: --token, --username/--password",
    );
  // The new way to log in takes the place of the old one.
  if (entry.token) Object.assign(entry, { username: "", password: "" });
  else if (basic) entry.token = "";
  const command = args.get("exec-command");
  if (command) entry.exec = execOf(command, args);
  const [name = ""] = args.words;
  put("users", name, entry, env);
  env.out(`User "${name}" set.`);
  return 0;
};

function execOf(command: string, args: Args) {
  const env = args.all("exec-env").map((text) => {
    const [name = "", value = ""] = text.split(/=(.*)/s);
    return { name, value };
  });
  return {
    apiVersion: args.get("exec-api-version") ?? "",
    args: args.all("exec-arg"),
    command,
    env,
    provideClusterInfo: false,
  };
}

export const useContext: Command = async (argv, env) => {
  const [name = ""] = wordsOf(parseArgs(argv, {}), 1);
  const config = configOf(env.kernel);
  if (!Object.hasOwn(config.contexts, name))
    throw new CommandError(`no context exists with the name: "${name}"`);
  setConfig(env.kernel, { ...config, "current-context": name });
  env.out(`Switched to context "${name}".`);
  return 0;
};

export const renameContext: Command = async (argv, env) => {
  const [from = "", to = ""] = wordsOf(parseArgs(argv, {}), 2);
  const { kernel } = env;
  const config = configOf(kernel);
  const cannot = `cannot rename the context "${from}"`;
  const entry = config.contexts[from];
  if (!entry) throw new CommandError(`${cannot}, it's not in ${CONFIG_FILE}`);
  if (Object.hasOwn(config.contexts, to))
    throw new CommandError(
      `${cannot}, the context "${to}" already exists in ${CONFIG_FILE}`,
    );
  const contexts = withEntry(withoutEntry(config.contexts, from), to, entry);
  const current = config["current-context"];
  setConfig(kernel, {
    ...config,
    contexts,
    "current-context": current === from ? to : current,
  });
  env.out(`Context "${from}" renamed to "${to}".`);
  return 0;
};

function deleter(field: Lists, what: string): Command {
  return async (argv, env) => {
    const [name = ""] = wordsOf(parseArgs(argv, {}), 1);
    const { kernel } = env;
    const config = configOf(kernel);
    if (!Object.hasOwn(config[field], name))
      throw new CommandError(
        `cannot delete ${what} ${name}, not in ${CONFIG_FILE}`,
      );
    if (field === "contexts" && name === config["current-context"])
      env.err(
        'warning: this removed your active context, use "kubectl config use-context" to select a different one',
      );
    const all = withoutEntry<object>(config[field], name);
    setConfig(kernel, { ...config, [field]: all } as Kubeconfig);
    env.out(`deleted ${what} ${name} from ${CONFIG_FILE}`);
    return 0;
  };
}

export const deleteContext = deleter("contexts", "context");
export const deleteCluster = deleter("clusters", "cluster");
export const deleteUser = deleter("users", "user");
