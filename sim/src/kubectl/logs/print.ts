/**
 * One container's log, read and printed; followed until the container ends.
 * Models:     kubectl/pkg/cmd/logs/logs.go (ToLogOptions, consumeRequest) @ v1.36
 */
import { Pod } from "../../api/kinds/pod.ts";
import { isNotFound } from "../../api/status.ts";
import type { KubeObject } from "../../api/types.ts";
import type { Args } from "../args.ts";
import type { Environment } from "../environment.ts";
import { nowOf, parseDuration } from "../time.ts";

export interface LogSource {
  readonly pod: Pod;
  readonly container: string;
}

interface LogBody extends KubeObject {
  readonly text?: string;
}

type Query = Record<string, string>;

/** How often a followed log is read again. */
const FOLLOW_MS = 250;
/** Lines of each log where a selector chose them. */
const SELECTED_LINES = 10;

export async function printLog(
  source: LogSource,
  args: Args,
  env: Environment,
): Promise<void> {
  const { pod, container } = source;
  const prefixed = args.on("prefix") || args.on("all-pods");
  const prefix = prefixed ? `[pod/${pod.metadata.name}/${container}] ` : "";
  const query = queryOf(container, args, env);
  const tail = tailOf(args);
  const first: Query = tail === undefined ? {} : { tailLines: String(tail) };
  const text = await readLog(pod, { ...query, ...first }, env);
  write(text, prefix, env);
  if (!args.on("follow") || args.on("previous")) return;
  // What is there but was not shown is passed over.
  let shown = tail === undefined ? text : await readLog(pod, query, env);
  const limit = Number(query.limitBytes ?? Number.POSITIVE_INFINITY);
  const isFull = () => new TextEncoder().encode(shown).length >= limit;
  while (!isFull() && (await goesOn(source, env))) {
    await env.kernel.sleep(FOLLOW_MS);
    const now = await readLog(pod, query, env);
    // A log that does not go on from before is a new file.
    const isLonger = now.startsWith(shown);
    write(isLonger ? now.slice(shown.length) : now, prefix, env);
    shown = now;
  }
}

function tailOf(args: Args): number | undefined {
  const given = args.int("tail");
  if (given !== undefined) return given < 0 ? undefined : given;
  return args.get("selector") ? SELECTED_LINES : undefined;
}

/** All but how many lines. A time ago is a fixed time, for who follows. */
function queryOf(container: string, args: Args, env: Environment): Query {
  const query: Query = { container };
  for (const flag of ["previous", "timestamps"])
    if (args.on(flag)) query[flag] = "true";
  const limit = args.int("limit-bytes") ?? 0;
  if (limit !== 0) query.limitBytes = String(limit);
  const since = parseDuration(args.get("since") ?? "0s", "since");
  const seconds = Math.round(since / 1000);
  if (since !== 0 && args.on("follow"))
    query.sinceTime = new Date(nowOf(env) - seconds * 1000).toISOString();
  else if (since !== 0) query.sinceSeconds = String(seconds);
  const time = args.get("since-time");
  if (time) query.sinceTime = time;
  return query;
}

async function readLog(
  { metadata: { namespace = "", name } }: Pod,
  query: Query,
  { client }: Environment,
): Promise<string> {
  const log = await client.getSub<Pod, LogBody>(
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
  { pod, container }: LogSource,
  { client }: Environment,
): Promise<boolean> {
  const { namespace = "", name } = pod.metadata;
  try {
    const { status = {} } = await client.get(Pod, namespace, name);
    const all = [
      ...(status.containerStatuses ?? []),
      ...(status.initContainerStatuses ?? []),
      ...(status.ephemeralContainerStatuses ?? []),
    ];
    const its = all.find((one) => one.name === container);
    return its?.state?.terminated === undefined;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
