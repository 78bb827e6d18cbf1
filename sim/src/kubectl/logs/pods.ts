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
import { isBetterLog } from "./order.ts";

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
  const parts = word.includes("/") ? word.split("/") : ["pod", word];
  if (parts.length > 2)
    throw new CommandError(
      "arguments in resource/name form may not have more than one slash",
    );
  const [type, name] = parts;
  const kind = kindNamed(type!, env);
  const namespace = namespaceOf(args, kind);
  const object = await getOne(kind, namespace, name!, env);
  if (kind.kind === "Pod") return [typed<Pod>(object)];
  return podsBehind(object, args, env);
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

/** Of a workload: the Pod that tells most, or all of them. */
async function podsBehind(
  object: Obj,
  args: Args,
  env: Environment,
): Promise<readonly Pod[]> {
  const { namespace = "", name } = object.metadata;
  refuseKind(object);
  const selector = at(object.spec as Json, "selector");
  const isMap = MAPS.includes(object.kind);
  const wanted = isMap ? { matchLabels: selector } : selector;
  const text = labelSelector(wanted as never).toString();
  const list = await env.client.list(Pod, namespace, { labelSelector: text });
  const pods = goSort(list.items, isBetterLog);
  const [first] = pods;
  if (!first) {
    throw new CommandError(`timed out waiting for the condition on ${name}`);
  }
  if (args.on("all-pods")) return pods;
  if (pods.length > 1) {
    env.err(`Found ${pods.length} pods, using pod/${first.metadata.name}`);
  }
  return [first];
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

function refuseKind({ apiVersion, kind, metadata, spec }: Obj): void {
  const type = `*${apiVersion.split("/").at(-1)}.${kind}`;
  const refuse = (why: string) => {
    throw new CommandError(`cannot get the logs from ${type}: ${why}`);
  };
  if (![...MAPS, ...WORKLOADS].includes(kind))
    refuse(`selector for ${type} not implemented`);
  const selector = obj(at(spec as Json, "selector"));
  if (kind === "Service" && Object.keys(selector).length === 0)
    refuse(
      `invalid service '${metadata.name}': Service is defined without a selector`,
    );
}
