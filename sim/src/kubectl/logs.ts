/**
 * kubectl logs: what a container printed.
 * Models:     kubectl/pkg/cmd/logs/logs.go,
 *             kubectl/pkg/polymorphichelpers/logsforobject.go @ v1.36
 * Leaves out: --since; lines have no times of their own.
 */
import { Pod } from "../api/kinds/pod.ts";
import { isNotFound } from "../api/status.ts";
import type { KubeObject } from "../api/types.ts";
import { type Args, parseArgs } from "./args.ts";
import { type Command, CommandError, type Environment } from "./environment.ts";
import { checkLogs, FLAGS } from "./logs/checks.ts";
import { containersOf, podsOf } from "./logs-pods.ts";

/** How often a followed log is read again. */
const FOLLOW_MS = 250;

interface LogBody extends KubeObject {
  readonly text?: string;
}

export const logs: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  checkLogs(args);
  const pods = await podsOf(args, env);
  const sources = pods.flatMap((pod) => {
    const containers = containersOf(pod, args, env);
    return containers.map((container) => ({ pod, container }));
  });
  const most = args.int("max-log-requests") ?? 5;
  if (args.on("follow") && sources.length > most)
    throw new CommandError(
      `you are attempting to follow ${sources.length} log streams, but ` +
        `maximum allowed concurrency is ${most}, use --max-log-requests to ` +
        "increase the limit",
    );
  for (const { pod, container } of sources) {
    const prefix = args.on("prefix")
      ? `[pod/${pod.metadata.name}/${container}] `
      : "";
    await print(pod, container, prefix, args, env);
  }
  return 0;
};

async function print(
  pod: Pod,
  container: string,
  prefix: string,
  args: Args,
  env: Environment,
): Promise<void> {
  const { namespace = "", name } = pod.metadata;
  const tail = args.int("tail") ?? -1;
  const query: Record<string, string> = { container };
  if (tail >= 0) query.tailLines = String(tail);
  if (args.on("previous")) query.previous = "true";
  if (args.on("timestamps")) query.timestamps = "true";
  let shown = 0;
  for (let first = true; ; first = false) {
    if (!first) delete query.tailLines;
    const before = first && tail >= 0 && args.on("follow");
    const read = () => readLog(namespace, name, query, env);
    const text = await read();
    if (before) {
      // What is there but not shown is passed over in the next round.
      delete query.tailLines;
      shown = (await read()).length;
      write(text, prefix, env);
    } else {
      // A shorter log is a new file: the old one was put aside.
      write(text.slice(text.length < shown ? 0 : shown), prefix, env);
      shown = text.length;
    }
    if (!args.on("follow") || !(await goesOn(pod, container, env))) return;
    await env.kernel.sleep(FOLLOW_MS);
  }
}

async function readLog(
  namespace: string,
  name: string,
  query: { readonly [name: string]: string },
  env: Environment,
): Promise<string> {
  const log = await env.client.getSub<Pod, LogBody>(
    Pod,
    namespace,
    name,
    "log",
    query,
  );
  return log.text ?? "";
}

function write(text: string, prefix: string, env: Environment): void {
  if (text === "") return;
  const lines = text.replace(/\n$/, "").split("\n");
  env.out(lines.map((line) => prefix + line).join("\n"));
}

/** A followed log ends with its container. */
async function goesOn(
  pod: Pod,
  container: string,
  { client }: Environment,
): Promise<boolean> {
  const { namespace = "", name } = pod.metadata;
  try {
    const { status } = await client.get(Pod, namespace, name);
    const all = [
      ...(status?.containerStatuses ?? []),
      ...(status?.initContainerStatuses ?? []),
    ];
    const its = all.find((one) => one.name === container);
    return its?.state?.terminated === undefined;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
