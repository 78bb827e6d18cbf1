/**
 * What `kubectl config` shows: the whole, its contexts, clusters and users.
 * Models:     kubectl/pkg/cmd/config/{view,get_contexts,get_clusters,
 *             get_users,current_context}.go @ v1.36
 */
import { goJson } from "../../api/go-text.ts";
import { stringify, stringifyKyaml } from "../../api/yaml.ts";
import { flags, parseArgs } from "../args.ts";
import {
  type Command,
  CommandError,
  Errors,
  wrongUse,
} from "../environment.ts";
import { jsonOf } from "../objects.ts";
import { jsonPathPrinter } from "../print/jsonpath.ts";
import { noPrinter, OBJECT_FORMATS } from "../print/object.ts";
import { align, tableTabs } from "../print/tabs.ts";
import { formatOf, templateText } from "../print/template-text.ts";
import { configOf, type Kubeconfig } from "./state.ts";

export const view: Command = async (argv, env) => {
  const table = flags(
    "output:value,o template:value minify raw flatten merge " +
      "allow-missing-template-keys show-managed-fields",
  );
  const args = parseArgs(argv, table);
  if (args.words.length > 0)
    throw wrongUse(
      "config view",
      `unexpected arguments: [${args.words.join(" ")}]`,
    );
  const config = configOf(env.kernel);
  const asked = args.get("context") ?? config["current-context"];
  const chosen = args.on("minify") ? minified(config, asked) : config;
  const whole = listed(chosen, args.on("raw"));
  const format = formatOf(args);
  switch (format.name) {
    case "":
    case "yaml":
      env.out(stringify(jsonOf(whole)).replace(/\n$/, ""));
      return 0;
    case "kyaml":
      env.out(stringifyKyaml(jsonOf(whole), true).replace(/\n$/, ""));
      return 0;
    case "json":
      env.out(goJson(whole, 4));
      return 0;
    case "jsonpath":
      env.out(jsonPathPrinter(templateText(format, env))(whole));
      return 0;
  }
  throw noPrinter(args.get("output")!, OBJECT_FORMATS);
};

/** One context, with its cluster and its user. */
function minified(config: Kubeconfig, name: string): Kubeconfig {
  if (name === "")
    throw new CommandError("current-context must exist in order to minify");
  const context = config.contexts[name];
  if (!context)
    throw new CommandError(`cannot locate context ${name} in the config`);
  const only = <T>(all: { readonly [name: string]: T }, one = "") =>
    Object.hasOwn(all, one) ? { [one]: all[one]! } : {};
  return {
    clusters: only(config.clusters, context.cluster),
    users: only(config.users, context.user),
    contexts: { [name]: context },
    "current-context": name,
  };
}

/** Lists of named entries; secrets are not shown unless asked for. */
function listed(config: Kubeconfig, raw: boolean) {
  const entries = (all: { readonly [name: string]: object }, field: string) =>
    Object.entries(all).map(([name, entry]) => ({ name, [field]: entry }));
  const users = Object.fromEntries(
    Object.entries(config.users).map(([name, user]) => [
      name,
      raw ? user : hidden(user),
    ]),
  );
  return {
    kind: "Config",
    apiVersion: "v1",
    clusters: entries(config.clusters, "cluster"),
    users: entries(users, "user"),
    contexts: entries(config.contexts, "context"),
    "current-context": config["current-context"],
  };
}

function hidden(user: object): object {
  const secret = (key: string) => key === "token" || key === "password";
  const pairs = Object.entries(user);
  return Object.fromEntries(
    pairs.map(([key, value]) => [key, secret(key) ? "REDACTED" : value]),
  );
}

export const currentContext: Command = async (argv, env) => {
  parseArgs(argv, {});
  const name = configOf(env.kernel)["current-context"];
  if (name === "") throw new CommandError("current-context is not set");
  env.out(name);
  return 0;
};

export const getContexts: Command = async (argv, env) => {
  const args = parseArgs(argv, flags("output:value,o no-headers"));
  const output = args.get("output") ?? "";
  if (!["", "name"].includes(output))
    throw new CommandError(
      `--output ${output} is not available in kubectl config get-contexts; resetting to default output format`,
    );
  const { contexts, "current-context": current } = configOf(env.kernel);
  const names = args.words.length > 0 ? args.words : Object.keys(contexts);
  const known = names.filter((name) => Object.hasOwn(contexts, name));
  const missing = names.filter((name) => !known.includes(name));
  if (output === "name") {
    if (known.length > 0) env.out(known.join("\n"));
  } else {
    const rows = known.map((name) => {
      const { cluster = "", user = "", namespace = "" } = contexts[name]!;
      return [name === current ? "*" : "", name, cluster, user, namespace];
    });
    if (!args.on("no-headers"))
      rows.unshift(["CURRENT", "NAME", "CLUSTER", "AUTHINFO", "NAMESPACE"]);
    const text = rows.map((row) => row.join("\t")).join("\n");
    if (rows.length > 0) env.out(align(text, tableTabs()));
  }
  const errors = missing.map((name) => {
    return new CommandError(`context ${name} not found`);
  });
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new Errors(errors);
  return 0;
};

function names(field: "clusters" | "users"): Command {
  return async (argv, env) => {
    parseArgs(argv, {});
    const known = Object.keys(configOf(env.kernel)[field]);
    env.out(["NAME", ...known].join("\n"));
    return 0;
  };
}

export const getClusters = names("clusters");
export const getUsers = names("users");
