/**
 * What a figure needs to know of an object, in a few plain fields, so that a
 * page can draw any moment of a run without holding the objects themselves.
 */
import type { Condition, KubeObject } from "../api/types.ts";
import { controllerOf } from "../api/types.ts";

/** An object in a few plain fields. */
export interface ObjectSummary {
  readonly kind: string;
  /** "" for a cluster-wide object. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** `ReplicaSet web-5d`, or absent. */
  readonly owner?: string;
  readonly deleting?: boolean;
  /** Of a Pod: the STATUS column of kubectl, such as `Running`. */
  readonly status?: string;
  /** Of a Pod: all its containers are ready. Of a Node: it is Ready. */
  readonly ready?: boolean;
  /** Of a Pod: its node, once bound. */
  readonly node?: string;
  readonly ip?: string;
  /** Of a Node. */
  readonly unschedulable?: boolean;
  readonly taints?: readonly string[];
  /**
   * Of a workload: [wanted, created, updated, ready, available] Pods; of a
   * Job those that succeeded stand in place of the ready ones.
   */
  readonly counts?: readonly number[];
  /** First container's image. */
  readonly image?: string;
}

interface Loose extends KubeObject {
  readonly spec?: LooseSpec;
  readonly status?: LooseStatus;
}

interface LooseSpec {
  readonly replicas?: number;
  /** Of a Job. */
  readonly completions?: number;
  readonly parallelism?: number;
  readonly nodeName?: string;
  readonly unschedulable?: boolean;
  readonly taints?: readonly { key: string; effect: string }[];
  readonly containers?: readonly { image?: string }[];
  readonly template?: { spec?: LooseSpec };
}

interface LooseStatus {
  readonly phase?: string;
  readonly reason?: string;
  readonly podIP?: string;
  readonly conditions?: readonly Condition[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  /** Of a Job. */
  readonly succeeded?: number;
  /** Of a DaemonSet, which counts nodes. */
  readonly desiredNumberScheduled?: number;
  readonly currentNumberScheduled?: number;
  readonly updatedNumberScheduled?: number;
  readonly numberReady?: number;
  readonly numberAvailable?: number;
}

interface ContainerStatus {
  readonly ready?: boolean;
  readonly state?: {
    readonly waiting?: { readonly reason?: string };
    readonly terminated?: { readonly reason?: string };
  };
}

/** The summary of an object of any kind. */
export function summaryOf(object: KubeObject): ObjectSummary {
  const { metadata, kind, spec, status } = object as Loose;
  const owner = controllerOf(object);
  const summary = {
    kind,
    namespace: metadata.namespace ?? "",
    name: metadata.name,
    uid: metadata.uid ?? "",
    owner: owner ? `${owner.kind} ${owner.name}` : undefined,
    deleting: metadata.deletionTimestamp ? true : undefined,
  };
  if (kind === "Pod") return { ...summary, ...podPart(object as Loose) };
  if (kind === "Node") {
    return {
      ...summary,
      ready: isTrue(status?.conditions, "Ready"),
      unschedulable: spec?.unschedulable,
      taints: spec?.taints?.map((taint) => `${taint.key}:${taint.effect}`),
    };
  }
  if (spec?.template || spec?.replicas !== undefined) {
    return {
      ...summary,
      counts: countsOf(spec, status),
      image: spec.template?.spec?.containers?.[0]?.image,
    };
  }
  return summary;
}

function podPart(pod: Loose): Partial<ObjectSummary> {
  return {
    status: podStatus(pod),
    ready: isTrue(pod.status?.conditions, "Ready"),
    node: pod.spec?.nodeName,
    ip: pod.status?.podIP,
    image: pod.spec?.containers?.[0]?.image,
  };
}

/** The STATUS column, as far as a figure shows it. */
function podStatus(pod: Loose): string {
  const { status } = pod;
  if (pod.metadata.deletionTimestamp) return "Terminating";
  const all = [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
  ];
  for (const { state } of all) {
    const reason = state?.waiting?.reason ?? state?.terminated?.reason;
    if (reason && reason !== "Completed") return reason;
  }
  return status?.reason ?? status?.phase ?? "Pending";
}

function countsOf(spec: LooseSpec, status: LooseStatus = {}): number[] {
  if (status.desiredNumberScheduled !== undefined) {
    return [
      status.desiredNumberScheduled,
      status.currentNumberScheduled ?? 0,
      status.updatedNumberScheduled ?? 0,
      status.numberReady ?? 0,
      status.numberAvailable ?? 0,
    ];
  }
  const created = status.replicas ?? 0;
  return [
    spec.completions ?? spec.replicas ?? spec.parallelism ?? 1,
    created,
    status.updatedReplicas ?? created,
    status.succeeded ?? status.readyReplicas ?? 0,
    status.availableReplicas ?? 0,
  ];
}

function isTrue(
  conditions: readonly Condition[] | undefined,
  type: string,
): boolean {
  const found = conditions?.find((condition) => condition.type === type);
  return found?.status === "True";
}
