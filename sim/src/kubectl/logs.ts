/**
 * kubectl logs: what a container printed.
 * Models:     kubectl/pkg/cmd/logs/logs.go,
 *             kubectl/pkg/polymorphichelpers/logsforobject.go @ v1.36
 * Leaves out: --since; lines have no times of their own.
 */
import { at } from "../api/kinds/access.ts";
import type { Kind, Obj } from "../api/kinds/definition.ts";
import { Pod } from "../api/kinds/pod.ts";
import { labelSelector } from "../api/selector.ts";
import { isNotFound, type StatusError } from "../api/status.ts";
import type { Json, KubeObject } from "../api/types.ts";
import { type Args, flags, parseArgs, SELECT } from "./args.ts";
import { type Command, CommandError, type Environment } from "./environment.ts";
import { kindNamed, listOf, namespaceOf } from "./find.ts";
import { typed } from "./objects.ts";

const FLAGS = flags(
  "container:value,c all-containers previous,p tail:value timestamps " +
    "prefix since:value since-time:value limit-bytes:value all-pods",
  SELECT,
  { follow: { kind: "switch", short: "f" }, filename: { kind: "value" } },
);
/** How often a followed log is read again. */
const FOLLOW_MS = 250;

interface LogBody extends KubeObject {
  readonly text?: string;
}

export const logs: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  const pods = await podsOf(args, env);
  for (const pod of pods) {
    for (const container of containersOf(pod, args, env)) {
      const prefix = args.on("prefix")
        ? `[pod/${pod.metadata.name}/${container}] `
        : "";
      await print(pod, container, prefix, args, env);
    }
  }
  return 0;
};

async function podsOf(args: Args, env: Environment): Promise<readonly Pod[]> {
  const [word, container] = args.words;
  if (args.get("selector")) {
    const kind = env.kinds.kindOf("v1", "Pod")!;
    const list = await listOf(kind, args, env);
    if (list.items.length === 0)
      env.err("No resources found in default namespace.");
    return list.items as readonly Pod[];
  }
  if (word === undefined) {
    throw new CommandError(
      "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\n" +
        "POD or TYPE/NAME is a required argument for the logs command\n" +
        "See 'kubectl logs -h' for help and examples",
    );
  }
  if (container !== undefined && args.get("container") !== undefined) {
    throw new CommandError(
      "only one of -c or an inline [CONTAINER] arg is allowed",
    );
  }
  const [type, name] = word.includes("/") ? word.split("/") : ["pod", word];
  const kind = kindNamed(type!, env);
  const namespace = namespaceOf(args, kind);
  const object = await getOne(kind, namespace, name!, env);
  if (kind.kind === "Pod") return [typed<Pod>(object)];
  return [await firstPodOf(object, env)];
}

async function getOne(
  kind: Kind,
  namespace: string,
  name: string,
  env: Environment,
): Promise<Obj> {
  try {
    return (await env.client.get(kind, namespace, name)) as Obj;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const { message } = error as StatusError;
    throw new CommandError(
      `error from server (NotFound): ${message} in namespace "${namespace}"`,
    );
  }
}

/** Of a workload: a Pod that runs, rather than one that does not. */
async function firstPodOf(object: Obj, env: Environment): Promise<Pod> {
  const { namespace = "", name } = object.metadata;
  const selector = at(object.spec as Json, "selector");
  const isMap = object.kind === "Service";
  const wanted = isMap ? { matchLabels: selector } : selector;
  const text = labelSelector(wanted as never).toString();
  const list = await env.client.list(Pod, namespace, { labelSelector: text });
  const pods = list.items.toSorted(byLogging);
  const [first] = pods;
  if (!first) {
    throw new CommandError(`timed out waiting for the condition on ${name}`);
  }
  if (pods.length > 1) {
    env.err(`Found ${pods.length} pods, using pod/${first.metadata.name}`);
  }
  return first;
}

/** Ready before not ready, then who has been so for longer. */
function byLogging(a: Pod, b: Pod): number {
  const [x, y] = [readySince(a), readySince(b)];
  const phases = rank(a) - rank(b);
  if (phases !== 0) return phases;
  if (x !== y) return x === "" || (y !== "" && x > y) ? 1 : -1;
  const made = ({ metadata }: Pod) => metadata.creationTimestamp ?? "";
  return made(a) < made(b) ? -1 : made(a) > made(b) ? 1 : 0;
}

function rank({ status }: Pod): number {
  if (status?.phase === "Running") return 0;
  return status?.phase === "Pending" ? 2 : 1;
}

function readySince({ status }: Pod): string {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return ready?.status === "True" ? (ready.lastTransitionTime ?? "") : "";
}

function containersOf(pod: Pod, args: Args, env: Environment): string[] {
  const { containers, initContainers = [] } = pod.spec;
  const names = containers.map(({ name }) => name);
  const all = [...initContainers.map(({ name }) => name), ...names];
  if (args.on("all-containers")) return all;
  const asked = args.get("container") ?? args.words[1];
  if (asked !== undefined) {
    if (all.includes(asked)) return [asked];
    throw new CommandError(
      `container ${asked} is not valid for pod ${pod.metadata.name}`,
    );
  }
  const annotation = "kubectl.kubernetes.io/default-container";
  const preset = pod.metadata.annotations?.[annotation];
  if (preset !== undefined && all.includes(preset)) return [preset];
  if (all.length > 1) {
    const others = [
      ...names,
      ...initContainers.map(({ name }) => `${name} (init)`),
    ];
    env.err(`Defaulted container "${names[0]}" out of: ${others.join(", ")}`);
  }
  return [names[0]!];
}

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
      write(text.slice(shown), prefix, env);
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
