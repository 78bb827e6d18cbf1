/**
 * Warnings: what the server takes and tells its author of. Kinds that have
 * none are not named here.
 * Models: WarningsOnCreate and WarningsOnUpdate of pkg/registry, each
 *         strategy.go; pkg/api/job/warnings.go @ v1.36
 */
import { at, list, map, num, obj, str } from "../kinds/access.ts";
import type { Kind, Obj } from "../kinds/definition.ts";
import { dns1123Label } from "../names.ts";
import { isMore } from "../quantity.ts";
import { definitionWarnings } from "./definitions.ts";
import { mapWarnings } from "./node-labels.ts";
import { podWarnings } from "./pod.ts";
import { serviceWarnings } from "./service.ts";
import {
  capacityWarnings,
  claimSpecWarnings,
  claimWarnings,
  storageClassWarnings,
  volumeWarnings,
} from "./storage.ts";

/** `old` is undefined for a new object. */
type Warnings = (object: Obj, old: Obj | undefined) => readonly string[];

export function warningsOf(
  { group, kind }: Pick<Kind, "group" | "kind">,
  object: Obj,
  old: Obj | undefined,
): readonly string[] {
  return byKind[group ? `${kind}.${group}` : kind]?.(object, old) ?? [];
}

const byKind: { readonly [kind: string]: Warnings } = {
  Pod: onCreate((pod) => [
    ...nameWarnings(pod, "the Pod's hostname"),
    ...podWarnings(obj(pod), ""),
  ]),
  PodTemplate: ifCounted((one) => podWarnings(obj(one.template), "template.")),
  ReplicationController: named(ifCounted(templateWarnings)),
  "ReplicaSet.apps": named(ifCounted(templateWarnings)),
  "Deployment.apps": named(ifCounted(templateWarnings)),
  "DaemonSet.apps": ifCounted(templateWarnings),
  "StatefulSet.apps": statefulSetWarnings,
  "Job.batch": named(ifCounted((job) => jobWarnings(job.spec, "spec"))),
  "CronJob.batch": named(
    ifCounted((cronJob) =>
      jobWarnings(
        at(cronJob, "spec", "jobTemplate", "spec"),
        "spec.jobTemplate.spec",
      ),
    ),
  ),
  Service: serviceWarnings,
  Secret: secretWarnings,
  ServiceAccount: accountWarnings,
  ResourceQuota: onCreate(quotaWarnings),
  Node: nodeWarnings,
  PersistentVolume: volumeWarnings,
  PersistentVolumeClaim: claimWarnings,
  "StorageClass.storage.k8s.io": storageClassWarnings,
  "CSIStorageCapacity.storage.k8s.io": capacityWarnings,
  "RuntimeClass.node.k8s.io": (runtimeClass) =>
    mapWarnings(
      at(runtimeClass, "scheduling", "nodeSelector"),
      () => "scheduling.nodeSelector",
    ),
  "Ingress.networking.k8s.io": onCreate(ingressWarnings),
  "CustomResourceDefinition.apiextensions.k8s.io": definitionWarnings,
  "EndpointSlice.discovery.k8s.io": (slice) =>
    slice.addressType === "FQDN"
      ? ["spec.addressType: FQDN endpoints are deprecated"]
      : [],
};

function onCreate(warnings: Warnings): Warnings {
  return (object, old) => (old ? [] : warnings(object, old));
}

/** Of a new object, and of one whose generation a change counts up. */
function ifCounted(warnings: Warnings): Warnings {
  return (object, old) =>
    old && object.metadata.generation === old.metadata.generation
      ? []
      : warnings(object, old);
}

function named(warnings: Warnings): Warnings {
  return (object, old) => [
    ...(old ? [] : nameWarnings(object, "Pod names and hostnames")),
    ...warnings(object, old),
  ];
}

function nameWarnings({ metadata }: Obj, where: string): string[] {
  const why = dns1123Label(metadata.name);
  if (why.length === 0) return [];
  const text = `this is used in ${where}, which can result in surprising behavior`;
  return [
    `metadata.name: ${text}; a DNS label is recommended: [${why.join(" ")}]`,
  ];
}

function templateWarnings(object: Obj): string[] {
  return podWarnings(obj(at(object, "spec", "template")), "spec.template.");
}

function statefulSetWarnings(
  object: Obj,
  old: Obj | undefined,
): readonly string[] {
  const { volumeClaimTemplates, revisionHistoryLimit } = obj(object.spec);
  const warnings = [...ifCounted(templateWarnings)(object, old)];
  for (const [i, claim] of list(volumeClaimTemplates).entries()) {
    // The path of an update is upstream's, capital and all.
    const path = `spec.volumeClaimTemplates[${i}]${old ? ".Spec" : ""}`;
    warnings.push(...claimSpecWarnings(obj(claim.spec), path));
  }
  if (num(revisionHistoryLimit) < 0) {
    const why = "a negative value retains all historical revisions";
    warnings.push(
      `spec.revisionHistoryLimit: ${why}; a value >= 0 is recommended`,
    );
  }
  return warnings;
}

function jobWarnings(value: unknown, path: string): string[] {
  const spec = obj(value);
  const large =
    num(spec.completions) > 100_000 && num(spec.parallelism) > 10_000;
  const why =
    "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism " +
    "higher than 10^4, Kubernetes might not be able to track completedIndexes when a " +
    "big number of indexes fail";
  return [
    ...(spec.completionMode === "Indexed" && large ? [`${path}: ${why}`] : []),
    ...podWarnings(obj(spec.template), `${path}.template.`),
  ];
}

function secretWarnings({ type, data }: Obj): string[] {
  if (type !== "kubernetes.io/tls") return [];
  const has = (key: string) =>
    /-----BEGIN [^-]+-----/.test(atob(str(obj(data)[key])));
  const none = "tls: failed to find any PEM data in";
  if (!has("tls.crt")) return [`${none} certificate input`];
  return has("tls.key") ? [] : [`${none} key input`];
}

function accountWarnings({ metadata }: Obj): string[] {
  const key = "kubernetes.io/enforce-mountable-secrets";
  if (metadata.annotations?.[key] === undefined) return [];
  const why = "deprecated in v1.32+; prefer separate namespaces";
  return [
    `metadata.annotations[${key}]: ${why} to isolate access to mounted secrets`,
  ];
}

/** What Pods may ask for is at most what they may be limited to. */
function quotaWarnings({ spec }: Obj): string[] {
  const hard = map(obj(spec).hard);
  return ["cpu", "memory", "storage", "ephemeral-storage"].flatMap((name) => {
    const bare = name === "cpu" || name === "memory";
    const [asked, limited] = [`requests.${name}`, `limits.${name}`];
    const key = hard[asked] === undefined && bare ? name : asked;
    const [request, limit] = [hard[key], hard[limited]];
    if (request === undefined || limit === undefined) return [];
    if (!isMore(request, limit)) return [];
    const what = `ResourceQuota ${key} (${request})`;
    return [`${what} should be less than ${limited} (${limit})`];
  });
}

function nodeWarnings(node: Obj): string[] {
  const { configSource, externalID } = obj(node.spec);
  return [
    ...(configSource === undefined
      ? []
      : ["spec.configSource: the feature is removed"]),
    ...(externalID
      ? [
          "spec.externalID: this field is deprecated, and is unused by Kubernetes",
        ]
      : []),
  ];
}

function ingressWarnings({ metadata }: Obj): string[] {
  const key = "kubernetes.io/ingress.class";
  return metadata.annotations?.[key] === undefined
    ? []
    : [
        `annotation "${key}" is deprecated, please use 'spec.ingressClassName' instead`,
      ];
}
