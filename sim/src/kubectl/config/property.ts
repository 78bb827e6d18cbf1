/**
 * kubectl config set and unset: a property by its path.
 * Models:     kubectl/pkg/cmd/config/{set,unset,navigation_step_parser}.go @ v1.36
 */
import { type Args, flags, parseArgs } from "../args.ts";
import { type Command, CommandError } from "../environment.ts";
import { wordsOf } from "./change.ts";
import { configOf, type Kubeconfig, setConfig, withEntry } from "./state.ts";

const FIELDS: { readonly [list: string]: readonly string[] } = {
  clusters: [
    ...["server", "tls-server-name", "insecure-skip-tls-verify"],
    ...["certificate-authority", "proxy-url"],
  ],
  users: ["client-certificate", "client-key", "token", "username", "password"],
  contexts: ["cluster", "user", "namespace"],
};

type Entries = {
  readonly [name: string]: { readonly [field: string]: unknown };
};

export const setProperty: Command = async (argv, env) => {
  const args = parseArgs(argv, flags("set-raw-bytes"));
  const [path = "", value = ""] = wordsOf(args, 2);
  if (value === "")
    throw new CommandError("you cannot use set to unset a property");
  change(path, value, env.kernel);
  env.out(`Property "${path}" set.`);
  return 0;
};

export const unsetProperty: Command = async (argv, env) => {
  const args: Args = parseArgs(argv, {});
  const [path = ""] = wordsOf(args, 1);
  change(path, undefined, env.kernel);
  env.out(`Property "${path}" unset.`);
  return 0;
};

function change(
  path: string,
  value: string | undefined,
  kernel: Parameters<typeof configOf>[0],
): void {
  if (path === "") throw new CommandError("you must specify a property");
  const config = configOf(kernel);
  const [list = "", ...rest] = path.split(".");
  if (list === "current-context" && rest.length === 0) {
    setConfig(kernel, { ...config, "current-context": value ?? "" });
    return;
  }
  const fields = Object.hasOwn(FIELDS, list) ? FIELDS[list] : undefined;
  if (!fields)
    throw new CommandError(`unable to parse ${path} after [] at api.Config`);
  const entries = config[list as "users"] as Entries;
  const next = changed(entries, fields, path, rest, value);
  setConfig(kernel, { ...config, [list]: next } as Kubeconfig);
}

/** Names may have dots: the last word is the field, if it is one. */
function changed(
  entries: Entries,
  fields: readonly string[],
  path: string,
  rest: readonly string[],
  value: string | undefined,
): Entries {
  const field = fields.includes(rest.at(-1) ?? "") ? rest.at(-1)! : undefined;
  const name = (field ? rest.slice(0, -1) : rest).join(".");
  if (value === undefined && name === "") return {};
  if (field === undefined || name === "") {
    if (value !== undefined)
      throw new CommandError(
        `can't set a map to a value: map[${Object.keys(entries).join(" ")}]`,
      );
    const { [name]: _, ...others } = entries;
    return others;
  }
  const before = entries[name];
  if (value === undefined && !before)
    throw new CommandError(`current map key \`${name}\` is invalid`);
  const { [field]: _, ...others } = before ?? {};
  if (value === undefined) return withEntry(entries, name, others);
  const isFlag = field === "insecure-skip-tls-verify";
  if (isFlag && !/^(true|false)$/.test(value))
    throw new CommandError(
      `error parsing ${path}: strconv.ParseBool: parsing "${value}": invalid syntax`,
    );
  const set = isFlag ? value === "true" : value;
  return withEntry(entries, name, { ...others, [field]: set });
}
