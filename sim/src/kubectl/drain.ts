/**
 * kubectl drain: cordons a Node, then evicts its Pods one and all, as far as
 * their budgets allow.
 * Models:     kubectl/pkg/drain/{drain,filters}.go, kubectl/pkg/cmd/drain @ v1.36
 */
import type { Node } from "../api/kinds/node.ts";
import { Pod } from "../api/kinds/pod.ts";
import { isNotFound, StatusError } from "../api/status.ts";
import { type Args, flags, parseArgs, SELECT } from "./args.ts";
import { findNodes, setUnschedulable } from "./cordon.ts";
import { refusals, type Sorted, sortPods } from "./drain-filters.ts";
import {
  type Command,
  CommandError,
  type Environment,
  PlainError,
  throwAll,
} from "./environment.ts";
import { typed } from "./objects.ts";
import { dryRunOf, dryText } from "./print/done.ts";
import { parseDuration } from "./time.ts";

const FLAGS = flags(
  "ignore-daemonsets force delete-emptydir-data disable-eviction " +
    "grace-period:value timeout:value pod-selector:value dry-run:value",
  SELECT,
);
/** Wait before an eviction that a budget refused is tried again. */
const RETRY_MS = 5_000;
/** How often it is asked whether a Pod is gone. */
const POLL_MS = 1_000;

export const drain: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  const { items, errors } = await findNodes(args, env, "drain");
  throwAll(errors);
  const pending = items.map(({ object }) => typed<Node>(object));
  for (const node of pending) await setUnschedulable(node, true, args, env);
  for (const [i, node] of pending.entries()) {
    const { name } = node.metadata;
    try {
      await drainNode(name, args, env);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      env.err(
        `error: unable to drain node "${name}" due to error: ` +
          `${bracketed(error)}, continuing command...`,
      );
      const names = pending.slice(i).map((one) => ` ${one.metadata.name}`);
      env.err(["There are pending nodes to be drained:", ...names].join("\n"));
      throw new PlainError(error.message);
    }
    env.out(`node/${name} drained${dryText(args)}`);
  }
  return 0;
};

/** Several reasons stand in brackets when they are told in one line. */
function bracketed({ message }: CommandError): string {
  const lines = message.split("\n");
  return lines.length > 1 ? `[${lines.join(", ")}]` : message;
}

async function drainNode(
  name: string,
  args: Args,
  env: Environment,
): Promise<void> {
  const labelSelector = args.get("pod-selector");
  const list = await env.client.list(Pod, "", {
    fieldSelector: `spec.nodeName=${name}`,
    ...(labelSelector ? { labelSelector } : {}),
  });
  const sorted: Sorted = sortPods(list.items, {
    ignoreDaemonSets: args.on("ignore-daemonsets"),
    force: args.on("force"),
    deleteEmptyDir: args.on("delete-emptydir-data"),
  });
  const why = refusals(sorted);
  if (why.length > 0) throw new CommandError(why.join("\n"));
  for (const warning of sorted.warnings) env.err(`Warning: ${warning}`);
  const timeout = args.get("timeout") ?? "0s";
  const ms = parseDuration(timeout, "timeout");
  const endMs = ms > 0 ? env.kernel.now() + ms : Number.POSITIVE_INFINITY;
  const all = sorted.leaving.map((pod) => evict(pod, args, env, endMs));
  await Promise.all(all);
}

// region: evict
async function evict(
  pod: Pod,
  args: Args,
  env: Environment,
  endMs: number,
): Promise<void> {
  const { client, kernel } = env;
  const { name, namespace = "", uid } = pod.metadata;
  const grace = args.int("grace-period") ?? -1;
  const dry = dryRunOf(args);
  const deleteOptions = {
    ...(grace < 0 ? {} : { gracePeriodSeconds: grace }),
    ...(dry === "server" ? { dryRun: ["All"] } : {}),
  };
  const body = {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { name, namespace },
    deleteOptions,
  };
  for (;;) {
    if (dry !== "none" || !args.on("disable-eviction"))
      env.out(`evicting pod ${namespace}/${name}${dryText(args)}`);
    if (dry === "client") return;
    try {
      if (args.on("disable-eviction"))
        await client.delete(Pod, namespace, name, deleteOptions);
      else await client.createSub(Pod, namespace, name, "eviction", body);
      break;
    } catch (error) {
      if (isNotFound(error)) return;
      if (!(error instanceof StatusError) || error.code !== 429) throw error;
      const what = `error when evicting pods/"${name}" -n "${namespace}"`;
      env.err(`${what} (will retry after 5s): ${error.message}`);
      if (kernel.now() + RETRY_MS > endMs) throw outOfTime(what, args);
      await kernel.sleep(RETRY_MS);
    }
  }
  if (dry === "server") return;
  while (await isThere(env, namespace, name, uid)) {
    const what = `error when waiting for pod "${name}" in namespace "${namespace}" to terminate`;
    if (kernel.now() + POLL_MS > endMs) throw outOfTime(what, args);
    await kernel.sleep(POLL_MS);
  }
  const done = args.on("disable-eviction") ? "deleted" : "evicted";
  env.out(`pod/${name} ${done}`);
}
// endregion: evict

function outOfTime(what: string, args: Args): CommandError {
  return new CommandError(
    `${what}: global timeout reached: ${args.get("timeout")}`,
  );
}

async function isThere(
  { client }: Environment,
  namespace: string,
  name: string,
  uid: string | undefined,
): Promise<boolean> {
  try {
    const pod = await client.get(Pod, namespace, name);
    return pod.metadata.uid === uid;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
