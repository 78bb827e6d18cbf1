/**
 * Whose log is meant: a Pod, or of a workload the Pod that tells most.
 * Models:     kubectl/pkg/polymorphichelpers/logsforobject.go,
 *             kubectl/pkg/polymorphichelpers/helpers.go @ v1.36
 */
import { at, obj } from "../../api/kinds/access.ts";
import type { Kind, Obj } from "../../api/kinds/definition.ts";
import { Pod } from "../../api/kinds/pod.ts";
import { labelSelector } from "../../api/selector.ts";
import { isNotFound, type StatusError } from "../../api/status.ts";
import type { Json } from "../../api/types.ts";
import type { Args } from "../args.ts";
import { CommandError, type Environment } from "../environment.ts";
import { kindNamed, listOf, namespaceOf } from "../find.ts";
import { namespaceMissing } from "../find-errors.ts";
import { typed } from "../objects.ts";
import { goSort } from "../print/go-sort.ts";
import { isBetterLog, isSteadier } from "./order.ts";

/** The Pods that a command line means: one by name, a workload's, or by label. */
export async function podsOf(
  args: Args,
  env: Environment,
): Promise<readonly Pod[]> {
  const [word = ""] = args.words;
  if (args.get("selector")) {
    const kind = env.kinds.kindOf("v1", "Pod")!;
    const list = await listOf(kind, args, env);
    if (list.items.length === 0)
      env.err(`No resources found in ${namespaceOf(args, kind)} namespace.`);
    return list.items as readonly Pod[];
  }
  const { kind, name } = readWord(word, env);
  const namespace = namespaceOf(args, kind);
  const object = await getOne(kind, namespace, name, env);
  if (kind.kind === "Pod") return [typed<Pod>(object)];
  refuseKind(object, "get the logs from");
  const pods = await podsOfWorkload(object, isBetterLog, env);
  if (args.on("all-pods")) return pods;
  const [first] = pods as [Pod];
  if (pods.length > 1) {
    env.err(`Found ${pods.length} pods, using pod/${first.metadata.name}`);
  }
  return [first];
}

/** The Pod to join: itself, or of a workload the steadiest one. */
export async function podBehind(
  word: string,
  args: Args,
  env: Environment,
): Promise<Pod> {
  const { kind, name } = readWord(word, env);
  const namespace = namespaceOf(args, kind);
  const object = (await env.client.get(kind, namespace, name)) as Obj;
  if (kind.kind === "Pod") return typed<Pod>(object);
  refuseKind(object, "attach to");
  return (await podsOfWorkload(object, isSteadier, env))[0]!;
}

/** `web-1` is a Pod; of others the kind is told. */
function readWord(word: string, env: Environment) {
  const parts = word.includes("/") ? word.split("/") : ["pod", word];
  if (parts.length > 2)
    throw new CommandError(
      "arguments in resource/name form may not have more than one slash",
    );
  const [type, name] = parts;
  return { kind: kindNamed(type!, env), name: name! };
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
    const missing = await namespaceMissing(
      error as StatusError,
      namespace,
      env,
    );
    const { message } = missing ?? (error as StatusError);
    throw new CommandError(
      `error from server (NotFound): ${message} in namespace "${namespace}"`,
    );
  }
}

/** A workload's Pods, the best one first; there is one at least. */
async function podsOfWorkload(
  object: Obj,
  isBetter: (a: Pod, b: Pod) => boolean,
  env: Environment,
): Promise<readonly Pod[]> {
  const { namespace = "", name } = object.metadata;
  const selector = at(object.spec as Json, "selector");
  const isMap = MAPS.includes(object.kind);
  const wanted = isMap ? { matchLabels: selector } : selector;
  const text = labelSelector(wanted as never).toString();
  const list = await env.client.list(Pod, namespace, { labelSelector: text });
  if (list.items.length > 0) return goSort(list.items, isBetter);
  throw new CommandError(`timed out waiting for the condition on ${name}`);
}

/** Their selector is a map of labels. */
const MAPS = ["Service", "ReplicationController"];
const WORKLOADS = [
  "DaemonSet",
  "Deployment",
  "Job",
  "ReplicaSet",
  "StatefulSet",
];

function refuseKind(
  { apiVersion, kind, metadata, spec }: Obj,
  doing: string,
): void {
  const type = `*${apiVersion.split("/").at(-1)}.${kind}`;
  const refuse = (why: string) => {
    throw new CommandError(`cannot ${doing} ${type}: ${why}`);
  };
  if (![...MAPS, ...WORKLOADS].includes(kind))
    refuse(`selector for ${type} not implemented`);
  const selector = obj(at(spec as Json, "selector"));
  if (kind === "Service" && Object.keys(selector).length === 0)
    refuse(
      `invalid service '${metadata.name}': Service is defined without a selector`,
    );
}
