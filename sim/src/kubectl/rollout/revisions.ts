/**
 * The history of a workload: ReplicaSets of a Deployment, ControllerRevisions
 * of a DaemonSet or a StatefulSet.
 * Models:     kubectl/pkg/polymorphichelpers/{history,rollback}.go @ v1.36
 */
import { at, obj, same } from "../../api/kinds/access.ts";
import { ControllerRevision } from "../../api/kinds/controllerrevision.ts";
import type { Kind, Obj } from "../../api/kinds/definition.ts";
import { ReplicaSet } from "../../api/kinds/replicaset.ts";
import { labelSelector } from "../../api/selector.ts";
import { controllerOf, type Json, type JsonObject } from "../../api/types.ts";
import type { Environment } from "../environment.ts";
import { itemsOf } from "../objects.ts";

const REVISION = "deployment.kubernetes.io/revision";
const HASH = "pod-template-hash";

export interface Revision {
  readonly revision: number;
  readonly changeCause: string;
  readonly template: Json;
  /** The ReplicaSet or the ControllerRevision. */
  readonly object: Obj;
}

/** Oldest first. */
export async function revisionsOf(
  env: Environment,
  kind: Kind,
  object: Obj,
): Promise<readonly Revision[]> {
  const { namespace = "", uid } = object.metadata;
  const selector = labelSelector(at(object.spec as Json, "selector") as never);
  const ref = kind.kind === "Deployment" ? ReplicaSet : ControllerRevision;
  const all = await env.client.list(ref as Kind, namespace, {
    labelSelector: selector.toString(),
  });
  return itemsOf(all)
    .filter((one) => controllerOf(one)?.uid === uid)
    .map((one) => revisionOf(kind, one))
    .filter(({ revision }) => revision > 0)
    .toSorted((a, b) => a.revision - b.revision);
}

function revisionOf(kind: Kind, object: Obj): Revision {
  const { annotations = {} } = object.metadata;
  const changeCause = annotations["kubernetes.io/change-cause"] ?? "<none>";
  if (kind.kind === "Deployment") {
    const revision = Number(annotations[REVISION] ?? 0);
    const template = at(object.spec as Json, "template");
    return { revision, changeCause, template, object };
  }
  const template = at(object.data as Json, "spec", "template");
  return { revision: Number(object.revision), changeCause, template, object };
}

/** Whether two templates say the same, their hash label aside. */
export function sameTemplate(a: Json, b: Json): boolean {
  return same(withoutHash(a), withoutHash(b));
}

export function withoutHash(template: Json): JsonObject {
  const { metadata, ...rest } = obj(template);
  const { labels, ...others } = obj(metadata);
  const { [HASH]: _, ...kept } = obj(labels);
  return { ...rest, metadata: { ...others, labels: kept } };
}
