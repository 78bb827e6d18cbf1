/** From a watch event to a row of the recording: which fields, which words. */
import type { Json, JsonObject, KubeObject } from "../../../sim/src/api/types.ts";
import type { Row } from "./format.ts";

type Fields = Record<string, unknown>;

/** `a.b.c` of an object. */
export function at(object: unknown, path: string): Json {
  let value = object as Json;
  for (const key of path.split(".")) {
    value = (value as JsonObject | undefined | null)?.[key];
  }
  return value;
}

function annotation(object: KubeObject, name: string): unknown {
  return object.metadata.annotations?.[`deployment.kubernetes.io/${name}`];
}

function conditions(object: KubeObject): string[] {
  const list = (at(object, "status.conditions") ?? []) as JsonObject[];
  return list.map((c) => `${c.type}=${c.status}/${c.reason ?? ""}: ${c.message ?? ""}`);
}

function condition(object: KubeObject, type: string): JsonObject | undefined {
  const list = (at(object, "status.conditions") ?? []) as JsonObject[];
  return list.find((one) => one.type === type);
}

const FIELDS: Record<string, (object: KubeObject) => Fields> = {
  deployments: (o) => ({
    generation: o.metadata.generation,
    observed: at(o, "status.observedGeneration"),
    revision: annotation(o, "revision"),
    paused: at(o, "spec.paused"),
    spec: at(o, "spec.replicas"),
    replicas: at(o, "status.replicas"),
    updated: at(o, "status.updatedReplicas"),
    ready: at(o, "status.readyReplicas"),
    available: at(o, "status.availableReplicas"),
    unavailable: at(o, "status.unavailableReplicas"),
    terminating: at(o, "status.terminatingReplicas"),
    conditions: conditions(o),
  }),
  replicasets: (o) => ({
    spec: at(o, "spec.replicas"),
    replicas: at(o, "status.replicas"),
    ready: at(o, "status.readyReplicas"),
    available: at(o, "status.availableReplicas"),
    fullyLabeled: at(o, "status.fullyLabeledReplicas"),
    terminating: at(o, "status.terminatingReplicas"),
    observed: at(o, "status.observedGeneration"),
    generation: o.metadata.generation,
    revision: annotation(o, "revision"),
    revisionHistory: annotation(o, "revision-history"),
    desired: annotation(o, "desired-replicas"),
    max: annotation(o, "max-replicas"),
    conditions: conditions(o),
  }),
  pods: (o) => ({
    node: at(o, "spec.nodeName"),
    phase: at(o, "status.phase"),
    ready: condition(o, "Ready")?.status,
    scheduled: condition(o, "PodScheduled"),
    disruption: condition(o, "DisruptionTarget"),
    tolerations: at(o, "spec.tolerations"),
    labels: o.metadata.labels,
    index: o.metadata.annotations?.["batch.kubernetes.io/job-completion-index"],
    hostname: at(o, "spec.hostname"),
    affinity: at(o, "spec.affinity"),
  }),
  endpointslices: (o) => ({
    ports: at(o, "ports"),
    endpoints: ((at(o, "endpoints") ?? []) as JsonObject[]).map((endpoint) => ({
      a: at(endpoint, "addresses.0"),
      ready: at(endpoint, "conditions.ready"),
      serving: at(endpoint, "conditions.serving"),
      terminating: at(endpoint, "conditions.terminating"),
      node: endpoint.nodeName,
      target: at(endpoint, "targetRef.name"),
    })),
    labels: o.metadata.labels,
    trigger: !!o.metadata.annotations?.["endpoints.kubernetes.io/last-change-trigger-time"],
  }),
  jobs: (o) => ({
    spec: {
      parallelism: at(o, "spec.parallelism"),
      completions: at(o, "spec.completions"),
      suspend: at(o, "spec.suspend"),
      mode: at(o, "spec.completionMode"),
    },
    status: at(o, "status"),
  }),
  cronjobs: (o) => ({ suspend: at(o, "spec.suspend"), status: at(o, "status") }),
  statefulsets: (o) => ({
    generation: o.metadata.generation,
    spec: at(o, "spec.replicas"),
    status: { ...(at(o, "status") as Fields), conditions: undefined },
  }),
  daemonsets: (o) => ({ generation: o.metadata.generation, status: at(o, "status") }),
  controllerrevisions: (o) => ({ revision: at(o, "revision"), labels: o.metadata.labels }),
  pdbs: (o) => ({
    generation: o.metadata.generation,
    status: { ...(at(o, "status") as Fields), conditions: conditions(o) },
  }),
  namespaces: (o) => ({
    phase: at(o, "status.phase"),
    specFinalizers: at(o, "spec.finalizers"),
    conditions: conditions(o),
  }),
  nodes: (o) => ({
    unschedulable: at(o, "spec.unschedulable"),
    taints: at(o, "spec.taints"),
    ready: condition(o, "Ready"),
    podCIDR: at(o, "spec.podCIDR"),
  }),
  configmaps: (o) => ({ keys: Object.keys((at(o, "data") ?? {}) as object) }),
  quotas: (o) => ({ hard: at(o, "spec.hard"), status: at(o, "status") }),
  serviceaccounts: () => ({}),
};

export function rowOf(t: number, kind: string, type: string, object: KubeObject): Row {
  if (kind === "events") return { t, event: eventOf(object) };
  const { name, namespace, deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
  const owners = object.metadata.ownerReferences?.map(
    (o) => `${o.kind}/${o.name}${o.controller ? "" : " (not controller)"}`,
  );
  return {
    ...{ t, kind, type, name },
    ns: namespace && namespace !== "default" ? namespace : undefined,
    deleting: deletionTimestamp ? true : undefined,
    grace: deletionTimestamp ? deletionGracePeriodSeconds : undefined,
    finalizers: object.metadata.finalizers,
    owner: owners?.join(","),
    ...FIELDS[kind]?.(object),
  };
}

function eventOf(object: KubeObject) {
  const text = (path: string) => String(at(object, path) ?? "");
  return {
    type: text("type"),
    reason: text("reason"),
    message: text("message"),
    on: `${text("involvedObject.kind")}/${text("involvedObject.name")}`,
    from: text("source.component") || text("reportingComponent"),
  };
}
