/**
 * What is accepted in a Pod, or a template of Pods, and is hardly meant.
 * Models:     warningsForPodSpecAndMeta of pkg/api/pod/warnings.go @ v1.36
 * Leaves out: addresses that are written in an unusual way.
 */
import { quote } from "../go-text.ts";
import { at, list, map, num, obj, str } from "../kinds/access.ts";
import type { JsonObject } from "../types.ts";
import {
  type Annotations,
  containerWarnings,
  seccompWarnings,
  weighed,
} from "./containers.ts";
import { fractionWarnings } from "./fractions.ts";
import { keyWarnings, mapWarnings, termWarnings } from "./node-labels.ts";
import { portWarnings } from "./ports.ts";
import { claimSpecWarnings } from "./storage.ts";
import { overlapWarnings } from "./virtual-paths.ts";

const hard = "requiredDuringSchedulingIgnoredDuringExecution";
const soft = "preferredDuringSchedulingIgnoredDuringExecution";

/** `prefix`: the path of the template, with a dot; "" for a Pod. */
export function podWarnings(template: JsonObject, prefix: string): string[] {
  const spec = obj(template.spec);
  const path = `${prefix}spec`;
  const annotations = map(at(template, "metadata", "annotations"));
  return [
    ...mapWarnings(spec.nodeSelector, (key) => `${path}.nodeSelector[${key}]`),
    ...nodeAffinityWarnings(spec, `${path}.affinity.nodeAffinity`),
    ...spreadWarnings(spec, `${path}.topologySpreadConstraints`),
    ...annotationWarnings(annotations, prefix),
    ...volumeWarnings(list(spec.volumes), `${path}.volumes`),
    ...overlapWarnings(list(spec.volumes)),
    ...twiceWarnings(spec, "hostAliases", "ip", path),
    ...twiceWarnings(spec, "imagePullSecrets", "name", path),
    ...list(spec.imagePullSecrets).flatMap(({ name }, i) =>
      name
        ? []
        : [`${path}.imagePullSecrets[${i}].name: invalid empty name ""`],
    ),
    ...fractionWarnings(obj(spec.overhead), `${path}.overhead`, weighed),
    ...seccompWarnings(spec, annotations, prefix),
    ...containerWarnings(spec, annotations, prefix),
    ...portWarnings(spec, path),
    ...graceWarnings(spec, path),
    ...podAffinityWarnings(spec, `${path}.affinity`),
  ];
}

function nodeAffinityWarnings(spec: JsonObject, path: string): string[] {
  const affinity = obj(at(spec, "affinity", "nodeAffinity"));
  const terms = list(obj(affinity[hard]).nodeSelectorTerms);
  return [
    ...terms.flatMap((term, i) =>
      termWarnings(term, `${path}.${hard}.nodeSelectorTerms[${i}]`, true),
    ),
    ...list(affinity[soft]).flatMap(({ preference }, i) =>
      termWarnings(obj(preference), `${path}.${soft}[${i}].preference`, false),
    ),
  ];
}

const matchesNothing = "a null labelSelector results in matching no pod";

function spreadWarnings(spec: JsonObject, path: string): string[] {
  return list(spec.topologySpreadConstraints).flatMap((constraint, i) => [
    ...keyWarnings(str(constraint.topologyKey), `${path}[${i}].topologyKey`),
    ...(constraint.labelSelector === undefined
      ? [`${path}[${i}].labelSelector: ${matchesNothing}`]
      : []),
  ]);
}

function podAffinityWarnings(spec: JsonObject, path: string): string[] {
  return ["podAffinity", "podAntiAffinity"].flatMap((kind) => {
    const terms = obj(at(spec, "affinity", kind));
    const without = (term: JsonObject) => term.labelSelector === undefined;
    return [
      ...list(terms[hard]).flatMap((term, i) =>
        without(term)
          ? [`${path}.${kind}.${hard}[${i}].labelSelector: ${matchesNothing}`]
          : [],
      ),
      ...list(terms[soft]).flatMap((term, i) =>
        without(obj(term.podAffinityTerm))
          ? [
              `${path}.${kind}.${soft}[${i}].podAffinityTerm.labelSelector: ${matchesNothing}`,
            ]
          : [],
      ),
    ];
  });
}

const sysctls = 'non-functional in v1.11+; use the "sysctls" field instead';
const oldAnnotations = [
  [
    "scheduler.alpha.kubernetes.io/critical-pod",
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  ["security.alpha.kubernetes.io/sysctls", sysctls],
  ["security.alpha.kubernetes.io/unsafe-sysctls", sysctls],
] as const;

function annotationWarnings(annotations: Annotations, prefix: string) {
  return oldAnnotations.flatMap(([key, why]) =>
    annotations[key] === undefined
      ? []
      : [`${prefix}metadata.annotations[${key}]: ${why}`],
  );
}

/** Volume plugins that are gone, and since when. */
const goneVolumes = [
  ["photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["gitRepo", "deprecated in v1.11"],
  ["scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["flocker", "deprecated in v1.22, non-functional in v1.25+"],
  ["storageos", "deprecated in v1.22, non-functional in v1.25+"],
  ["quobyte", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["ephemeral", ""],
  ["cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["rbd", "deprecated in v1.28, non-functional in v1.31+"],
] as const;

function volumeWarnings(volumes: readonly JsonObject[], path: string) {
  return volumes.flatMap((volume, i) =>
    goneVolumes.flatMap(([source, why]) => {
      if (volume[source] === undefined) return [];
      if (why) {
        const field = source === "storageos" ? "storageOS" : source;
        return [`${path}[${i}].${field}: ${why}`];
      }
      const here = `${path}[${i}].ephemeral.volumeClaimTemplate.spec`;
      const claim = at(volume, "ephemeral", "volumeClaimTemplate", "spec");
      return claimSpecWarnings(obj(claim), here);
    }),
  );
}

function twiceWarnings(
  spec: JsonObject,
  field: string,
  key: string,
  path: string,
): string[] {
  const seen = new Set<string>();
  return list(spec[field]).flatMap((item, i) => {
    const value = str(item[key]);
    const twice = seen.has(value);
    seen.add(value);
    const here = `${path}.${field}[${i}].${key}`;
    return twice ? [`${here}: duplicate ${key} ${quote(value)}`] : [];
  });
}

function graceWarnings(spec: JsonObject, path: string): string[] {
  if (num(spec.terminationGracePeriodSeconds) >= 0) return [];
  const why =
    "must be >= 0; negative values are invalid and will be treated as 1";
  return [`${path}.terminationGracePeriodSeconds: ${why}`];
}
