/**
 * kubectl apply --prune: what was applied once and is no longer in the files
 * is deleted. Only objects that carry the annotation of apply are in danger.
 * Models:     kubectl/pkg/cmd/apply/prune.go, kubectl/pkg/util/prune @ v1.36
 * Leaves out: ApplySets; the warning of klog that prune's defaults will change.
 */
import type { Kind } from "../../api/kinds/definition.ts";
import type { RequestOptions } from "../../api/transport.ts";
import type { Args } from "../args.ts";
import { optionsOf as deletionOf } from "../delete.ts";
import { CommandError, type Environment } from "../environment.ts";
import { selectorsOf } from "../find.ts";
import { LAST_APPLIED } from "../last-applied.ts";
import { typed } from "../objects.ts";
import { dryRunOf, printDone } from "../print/done.ts";

/** What an apply has seen, and must not take away. */
export interface Visited {
  readonly uids: Set<string>;
  readonly namespaces: Set<string>;
}

/** Unless `--prune-allowlist` says otherwise, as group/version/kind. */
const DEFAULTS = [
  ...["core/v1/ConfigMap", "core/v1/Endpoints"],
  ...["core/v1/PersistentVolumeClaim", "core/v1/Pod"],
  ...["core/v1/ReplicationController", "core/v1/Secret", "core/v1/Service"],
  ...["batch/v1/Job", "batch/v1/CronJob", "networking.k8s.io/v1/Ingress"],
  ...["apps/v1/DaemonSet", "apps/v1/Deployment", "apps/v1/ReplicaSet"],
  ...["apps/v1/StatefulSet", "core/v1/Namespace", "core/v1/PersistentVolume"],
];

/** Kinds that may be pruned; throws on a name that says none. */
export function prunedKinds(args: Args, { kinds }: Environment): Kind[] {
  const own = args.all("prune-allowlist");
  return (own.length > 0 ? own : DEFAULTS).map((text) => {
    const parts = text.split("/");
    const [group = "", version = "", name = ""] = parts;
    if (parts.length !== 3)
      throw new CommandError(
        `invalid GroupVersionKind format: ${text}, please follow <group/version/kind>`,
      );
    const bare = group === "core" || group === "";
    const apiVersion = bare ? version : `${group}/${version}`;
    const kind = kinds.kindOf(apiVersion, name);
    if (kind) return kind;
    throw new CommandError(
      `no matches for kind "${name}" in version "${apiVersion}"`,
    );
  });
}

export async function prune(
  kinds: readonly Kind[],
  visited: Visited,
  args: Args,
  env: Environment,
): Promise<void> {
  const options = deletionOf(args);
  for (const namespace of visited.namespaces)
    for (const kind of kinds.filter((one) => one.namespaced))
      await pruneKind(kind, namespace, { visited, options, args }, env);
  for (const kind of kinds.filter((one) => !one.namespaced))
    await pruneKind(kind, "", { visited, options, args }, env);
}

interface Pruning {
  readonly visited: Visited;
  readonly options: RequestOptions;
  readonly args: Args;
}

async function pruneKind(
  kind: Kind,
  namespace: string,
  { visited, options, args }: Pruning,
  env: Environment,
): Promise<void> {
  const { client } = env;
  const list = await client.list(kind, namespace, selectorsOf(args));
  for (const item of list.items) {
    const object = typed(item);
    const { name, uid = "", annotations = {} } = object.metadata;
    if (annotations[LAST_APPLIED] === undefined) continue;
    if (visited.uids.has(uid)) continue;
    if (dryRunOf(args) !== "client")
      await client.delete(kind, namespace, name, options);
    printDone(args, env, kind, object, "pruned");
  }
}
