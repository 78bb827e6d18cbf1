/**
 * A manifest as Go writes it once it was read into its type: structs that are
 * no pointers are there, though empty. The API server's answers have them
 * already; what was only read from a file has not.
 * Models:     k8s.io/api/{apps,batch,core}/v1/types.go @ v1.36
 */
import { obj } from "../../api/kinds/access.ts";
import type { JsonObject, KubeObject } from "../../api/types.ts";
import { jsonOf, typed } from "../objects.ts";
import { mapContainers } from "./path.ts";

const DAEMONS = {
  currentNumberScheduled: 0,
  desiredNumberScheduled: 0,
  numberMisscheduled: 0,
  numberReady: 0,
};

/** A kind's status before anything is known of it. */
const STATUS: { readonly [kind: string]: JsonObject } = {
  CronJob: {},
  DaemonSet: DAEMONS,
  Deployment: {},
  Job: {},
  Pod: {},
  ReplicaSet: { replicas: 0 },
  ReplicationController: { replicas: 0 },
  Service: { loadBalancer: {} },
  StatefulSet: { availableReplicas: 0, replicas: 0 },
};

/** Fields of the spec that are structs. */
const STRUCTS: { readonly [kind: string]: string } = {
  DaemonSet: "updateStrategy",
  Deployment: "strategy",
  StatefulSet: "updateStrategy",
};

export function goForm(object: KubeObject): KubeObject {
  const { kind } = object;
  const whole = jsonOf(object);
  const status = STATUS[kind];
  if (status === undefined) return object;
  const field = STRUCTS[kind];
  const spec = specOf(kind, obj(whole.spec));
  const more = field ? { [field]: {}, ...spec } : spec;
  const filled = { ...status, ...obj(whole.status) };
  return typed({ ...object, ...{ spec: more, status: filled } });
}

function specOf(kind: string, spec: JsonObject): JsonObject {
  if (kind === "Service") return spec;
  if (kind === "Pod") return podSpec(spec);
  if (kind !== "CronJob") return { ...spec, template: template(spec.template) };
  const job = obj(spec.jobTemplate);
  const inner = specOf("Job", obj(job.spec));
  return { ...spec, jobTemplate: { metadata: {}, ...job, spec: inner } };
}

function template(value: JsonObject[string]): JsonObject {
  const given = obj(value);
  return { metadata: {}, ...given, spec: podSpec(obj(given.spec)) };
}

function podSpec(spec: JsonObject): JsonObject {
  return mapContainers(spec, (one) => ({ resources: {}, ...one }));
}
