/**
 * The sizes of the controllers that Pods belong to, each counted once.
 * Models: pkg/controller/disruption/disruption.go (getExpectedScale) @ v1.36
 */
import type { Deployment } from "../../api/kinds/deployment.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { ReplicaSet } from "../../api/kinds/replicaset.ts";
import type { ReplicationController } from "../../api/kinds/replicationcontroller.ts";
import type { StatefulSet } from "../../api/kinds/statefulset.ts";
import type { Scale } from "../../api/kinds/types/service.ts";
import {
  apiVersionOf,
  groupResource,
  type ResourceRef,
} from "../../api/resource.ts";
import { isNotFound, StatusError } from "../../api/status.ts";
import { controllerOf, type OwnerReference } from "../../api/types.ts";
import type { Client } from "../../client/client.ts";
import type { Informer } from "../../client/informer.ts";
import { controllerIn } from "../shared/owners.ts";

export interface Scalables {
  readonly client: Client;
  /** All kinds that there are; each may have a scale. */
  readonly kinds: () => readonly ResourceRef[];
  readonly deployments: Informer<Deployment>;
  readonly replicaSets: Informer<ReplicaSet>;
  readonly statefulSets: Informer<StatefulSet>;
  readonly replicationControllers: Informer<ReplicationController>;
}

interface Sized {
  readonly uid: string;
  readonly size: number;
}

/** Throws for a Pod whose controller is gone or has no scale. */
export async function expectedScale(
  pods: readonly Pod[],
  scalables: Scalables,
): Promise<{ scale: number; unmanaged: string[] }> {
  const sizes = new Map<string, number>();
  const unmanaged: string[] = [];
  for (const pod of pods) {
    const { name, namespace = "" } = pod.metadata;
    const owner = controllerOf(pod);
    if (!owner) unmanaged.push(name);
    if (!owner || sizes.has(owner.uid)) continue;
    const found =
      knownSize(pod, scalables) ??
      (await sizeByScale(owner, namespace, scalables));
    if (!found) throw new Error(`found no controllers for pod "${name}"`);
    sizes.set(owner.uid, 0);
    sizes.set(found.uid, found.size);
  }
  const scale = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return { scale, unmanaged };
}

/** A ReplicaSet of a Deployment counts as the Deployment. */
function knownSize(pod: Pod, scalables: Scalables): Sized | undefined {
  const rs = controllerIn(scalables.replicaSets, pod);
  const owner =
    (rs && controllerIn(scalables.deployments, rs)) ??
    rs ??
    controllerIn(scalables.statefulSets, pod) ??
    controllerIn(scalables.replicationControllers, pod);
  if (!owner) return undefined;
  return { uid: owner.metadata.uid ?? "", size: owner.spec.replicas ?? 1 };
}

/** Asks a controller of any other kind for its scale subresource. */
async function sizeByScale(
  { apiVersion, kind, name, uid }: OwnerReference,
  namespace: string,
  { client, kinds }: Scalables,
): Promise<Sized | undefined> {
  const ref = kinds().find(
    (one) => one.kind === kind && apiVersionOf(one) === apiVersion,
  );
  if (!ref) {
    throw new Error(`no matches for kind "${kind}" in version "${apiVersion}"`);
  }
  const within = ref.namespaced ? namespace : "";
  try {
    const scale: Scale = await client.getSub(ref, within, name, "scale");
    if (scale.metadata.uid !== uid) return undefined;
    return { uid, size: scale.spec?.replicas ?? 0 };
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // An object that is gone is named in the answer; a path that is not, not.
    if (error instanceof StatusError && error.status.details?.name) {
      return undefined;
    }
    const what = groupResource(ref);
    throw new Error(`${what} does not implement the scale subresource`);
  }
}
