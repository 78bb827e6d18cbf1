/**
 * Whose log is meant: a Pod, or of a workload the Pod that tells most.
 * Models:     kubectl/pkg/polymorphichelpers/logsforobject.go,
 *             kubectl/pkg/util/podutils (ByLogging) @ v1.36
 */
import { at } from "../api/kinds/access.ts";
import type { Kind, Obj } from "../api/kinds/definition.ts";
import { Pod } from "../api/kinds/pod.ts";
import { labelSelector } from "../api/selector.ts";
import { isNotFound, type StatusError } from "../api/status.ts";
import type { Json } from "../api/types.ts";
import type { Args } from "./args.ts";
import { CommandError, type Environment } from "./environment.ts";
import { kindNamed, listOf, namespaceOf } from "./find.ts";
import { typed } from "./objects.ts";

/** The Pods that a command line means: one by name, a workload's, or by label. */
export async function podsOf(
  args: Args,
  env: Environment,
): Promise<readonly Pod[]> {
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

/** Which containers: the one asked for, all, or the first. */
export function containersOf(pod: Pod, args: Args, env: Environment): string[] {
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
