/**
 * kubectl in the page: a table of commands, each written against the same
 * client as the controllers. Nothing here is special to the cluster: it is one
 * more client of the API.
 * Models:     kubectl/pkg/cmd @ v1.36
 * Leaves out: streams (exec, attach, cp, proxy, port-forward), plugins,
 *             completion.
 */

import { apiResources, apiVersions } from "./api-resources.ts";
import { apply } from "./apply.ts";
import { isCommonFlag } from "./args.ts";
import { auth } from "./auth.ts";
import { autoscale } from "./autoscale.ts";
import { certificate } from "./certificate.ts";
import { clusterInfo } from "./cluster-info.ts";
import { config } from "./config.ts";
import { connected, inContext } from "./connection.ts";
import { cordon, uncordon } from "./cordon.ts";
import { create } from "./create.ts";
import { debug } from "./debug.ts";
import { remove } from "./delete.ts";
import { describe } from "./describe.ts";
import { diff } from "./diff.ts";
import { drain } from "./drain.ts";
import { edit } from "./edit.ts";
import { type Command, type Environment, UsageError } from "./environment.ts";
import { errorText } from "./errors.ts";
import { events } from "./events.ts";
import { explain } from "./explain.ts";
import { expose } from "./expose.ts";
import { get } from "./get.ts";
import { helped, suggestions } from "./help.ts";
import { annotate, label } from "./label.ts";
import { logs } from "./logs.ts";
import { patch } from "./patch.ts";
import { replace } from "./replace.ts";
import { rollout } from "./rollout.ts";
import { run } from "./run.ts";
import { scale } from "./scale.ts";
import { set } from "./set.ts";
import { attach, cp, exec, portForward, proxy } from "./streams.ts";
import { taint } from "./taint.ts";
import { top } from "./top.ts";
import { commandPath } from "./usage.ts";
import { version } from "./version.ts";
import { wait } from "./wait.ts";

const COMMANDS: { readonly [name: string]: Command } = {
  annotate,
  "api-resources": apiResources,
  "api-versions": apiVersions,
  apply,
  attach,
  auth,
  autoscale,
  certificate,
  "cluster-info": clusterInfo,
  config,
  cordon,
  cp,
  create,
  debug,
  delete: remove,
  describe,
  diff,
  drain,
  edit,
  events,
  exec,
  explain,
  expose,
  get,
  label,
  logs,
  patch,
  "port-forward": portForward,
  proxy,
  replace,
  rollout,
  run,
  scale,
  set,
  taint,
  top,
  uncordon,
  version,
  wait,
};

/** Runs `kubectl <argv>`; resolves to the exit code. */
export async function runKubectl(
  argv: readonly string[],
  env: Environment,
): Promise<number> {
  try {
    const help = helped(argv, env);
    if (help !== undefined) return help;
  } catch (error) {
    env.err(`${errorText(error)}\nSee 'kubectl --help' for usage.`);
    return 1;
  }
  const { name, rest } = commandOf(argv);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    const meant = suggestions(name).map((one) => `\n\t${one}`);
    const hint =
      meant.length > 0 ? `\n\nDid you mean this?${meant.join("")}` : "";
    env.err(`error: unknown command "${name}" for "kubectl"${hint}`);
    return 1;
  }
  try {
    return await command(inContext(env, rest), connected(env, argv));
  } catch (error) {
    const text = errorText(error);
    if (text === undefined) throw error;
    const help = `\nSee 'kubectl ${commandPath(name, rest)} --help' for usage.`;
    env.err(error instanceof UsageError ? text + help : text);
    return 1;
  }
}

/** `-n web get pods`: flags that every command takes may stand first. */
function commandOf(argv: readonly string[]): {
  name: string;
  rest: readonly string[];
} {
  const at = argv.findIndex(
    (word, i) => !word.startsWith("-") && !isCommonFlag(argv[i - 1]),
  );
  if (at < 0) return { name: "", rest: argv };
  // They are read after the words that say what to do.
  const rest = argv.slice(at + 1);
  const dashes = rest.indexOf("--");
  const end = dashes < 0 ? rest.length : dashes;
  const before = argv.slice(0, at);
  const words = [...rest.slice(0, end), ...before, ...rest.slice(end)];
  return { name: argv[at]!, rest: words };
}
