/** What must come about once the faults have ended: all is as asked for. */
import { list, num, obj, str } from "../../sim/src/api/kinds/access.ts";
import type { KubeObject } from "../../sim/src/api/types.ts";
import {
  controllerUid,
  hasCondition,
  isActive,
  isOver,
  isReady,
  keyOf,
  matches,
  serves,
  specOf,
  statusOf,
  type World,
} from "./world.ts";

/** What is not yet as asked for. */
export function unmet(world: World): string[] {
  const all = [...world.objects.values()];
  const uids = new Set(all.map(({ metadata }) => metadata.uid));
  const wrong = all.filter((one) => {
    if (one.metadata.deletionTimestamp) return true;
    const owner = controllerUid(one);
    if (owner && !uids.has(owner)) return true;
    return !(CHECKS[one.kind]?.(one, world) ?? true);
  });
  return wrong.map((one) => keyOf(one));
}

/** What the quota refuses can never be there. */
const isLimited = ({ metadata }: KubeObject) => metadata.namespace === "limited";

/**
 * A rollout that 1.36 itself never ends: scaled while maxSurge was 0, to the
 * very size that a step had given the old ReplicaSet, whose note of the size
 * asked for is then never renewed. See kubernetes/kubernetes#138036.
 */
function standsStill(deployment: KubeObject, world: World): boolean {
  const wanted = num(specOf(deployment).replicas);
  const sets = world.ownedBy(deployment.metadata.uid ?? "", "ReplicaSet");
  const active = sets.filter((set) => num(specOf(set).replicas) > 0);
  const [only] = active;
  if (active.length !== 1 || !only || num(specOf(only).replicas) !== wanted) return false;
  const noted = only.metadata.annotations?.["deployment.kubernetes.io/desired-replicas"];
  return noted !== undefined && noted !== String(wanted);
}

const CHECKS: { readonly [kind: string]: (one: KubeObject, world: World) => boolean } = {
  Deployment(one, world) {
    const { replicas } = specOf(one);
    const status = statusOf(one);
    if (num(status.observedGeneration) !== one.metadata.generation) return false;
    if (specOf(one).paused === true || isLimited(one)) return true;
    const wanted = num(replicas);
    if (standsStill(one, world)) return true;
    return (
      num(status.replicas) === wanted &&
      num(status.updatedReplicas) === wanted &&
      num(status.availableReplicas) === wanted
    );
  },
  ReplicaSet(one, world) {
    if (isLimited(one)) return true;
    const pods = world.ownedBy(one.metadata.uid ?? "", "Pod");
    return pods.filter(isActive).length === num(specOf(one).replicas);
  },
  StatefulSet(one) {
    return num(statusOf(one).readyReplicas) === num(specOf(one).replicas);
  },
  DaemonSet(one, world) {
    return num(statusOf(one).numberReady) === world.all("Node").length;
  },
  Job(one) {
    return hasCondition(one, "Complete");
  },
  Pod(one) {
    return isOver(one) || isReady(one);
  },
  Node(one) {
    const taints = list(specOf(one).taints);
    return isReady(one) && taints.length === 0;
  },
  PersistentVolumeClaim(one, world) {
    return str(statusOf(one).phase) === "Bound" || !isUsed(one, world);
  },
  VolumeAttachment(one) {
    return statusOf(one).attached === true;
  },
  PodDisruptionBudget(one, world) {
    const status = statusOf(one);
    const healthy = podsOf(one, obj(specOf(one).selector), world).filter(serves);
    const seen = num(status.observedGeneration) === one.metadata.generation;
    return seen && num(status.currentHealthy) === healthy.length;
  },
  HorizontalPodAutoscaler(one, world) {
    const { kind, name } = obj(specOf(one).scaleTargetRef);
    const { namespace } = one.metadata;
    const target = world.all(str(kind), namespace).find(({ metadata }) => metadata.name === name);
    return !target || num(statusOf(one).currentReplicas) === num(specOf(target).replicas);
  },
  Service(one, world) {
    const selector = obj(specOf(one).selector);
    if (Object.keys(selector).length === 0) return true;
    const pods = podsOf(one, { matchLabels: selector }, world).filter(serves);
    const slices = world
      .all("EndpointSlice", one.metadata.namespace)
      .filter(
        ({ metadata }) => metadata.labels?.["kubernetes.io/service-name"] === one.metadata.name,
      );
    const ready = slices
      .flatMap((slice) => list((slice as { endpoints?: unknown }).endpoints))
      .filter(({ conditions }) => obj(conditions).ready === true)
      .flatMap(({ addresses }) => addresses as string[]);
    const ips = pods.map((pod) => str(statusOf(pod).podIP));
    return JSON.stringify(ready.toSorted()) === JSON.stringify(ips.toSorted());
  },
};

function podsOf({ metadata }: KubeObject, selector: ReturnType<typeof obj>, world: World) {
  return world
    .all("Pod", metadata.namespace)
    .filter((pod) => matches(pod.metadata.labels, selector));
}

function isUsed({ metadata }: KubeObject, world: World): boolean {
  return world
    .all("Pod", metadata.namespace)
    .some((pod) =>
      list(specOf(pod).volumes).some(
        ({ persistentVolumeClaim }) => obj(persistentVolumeClaim).claimName === metadata.name,
      ),
    );
}
