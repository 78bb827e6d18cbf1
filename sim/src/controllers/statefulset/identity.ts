/**
 * The identity of a StatefulSet's Pod: name, host name and claims go with its
 * ordinal and outlive the Pod.
 * Models: pkg/controller/statefulset/stateful_set_utils.go @ v1.36
 */
import type { ControllerRevision } from "../../api/kinds/controllerrevision.ts";
import type { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import { StatefulSet } from "../../api/kinds/statefulset.ts";
import type { PodTemplateSpec } from "../../api/kinds/types/pod.ts";
import type { Volume } from "../../api/kinds/types/volumes.ts";
import { podFromTemplate } from "../shared/pod-control.ts";

export const REVISION_LABEL = "controller-revision-hash";
const NAME_LABEL = "statefulset.kubernetes.io/pod-name";
const INDEX_LABEL = "apps.kubernetes.io/pod-index";

export function startOrdinal({ spec }: StatefulSet): number {
  return spec.ordinals?.start ?? 0;
}

/** The ordinal in a Pod's name; -1 if the Pod is not of this set. */
export function ordinalOf(set: StatefulSet, name: string): number {
  const prefix = `${set.metadata.name}-`;
  const text = name.startsWith(prefix) ? name.slice(prefix.length) : "";
  return /^[0-9]+$/.test(text) ? Number(text) : -1;
}

export function revisionOf(pod: Pod): string {
  return pod.metadata.labels?.[REVISION_LABEL] ?? "";
}

/** The template that a revision holds. */
export function templateOf(
  set: StatefulSet,
  revision: ControllerRevision,
): PodTemplateSpec {
  const data = revision.data as
    | { spec?: { template?: PodTemplateSpec & { $patch?: string } } }
    | undefined;
  const { $patch: _, ...template } = data?.spec?.template ?? {
    ...set.spec.template,
    $patch: "",
  };
  return template;
}

/** The Pod of an ordinal, not yet sent. */
export function podFor(
  set: StatefulSet,
  ordinal: number,
  template: PodTemplateSpec,
  revision: string,
): Pod {
  const pod = podFromTemplate(template, StatefulSet, set);
  const name = `${set.metadata.name}-${ordinal}`;
  const { generateName: _, ...metadata } = pod.metadata;
  const labels = {
    ...metadata.labels,
    [NAME_LABEL]: name,
    [INDEX_LABEL]: `${ordinal}`,
    [REVISION_LABEL]: revision,
  };
  const subdomain = set.spec.serviceName;
  return {
    ...pod,
    metadata: { ...metadata, name, labels },
    spec: {
      ...pod.spec,
      hostname: name,
      subdomain,
      volumes: withClaims(set, ordinal, pod.spec.volumes ?? []),
    },
  };
}

function withClaims(
  set: StatefulSet,
  ordinal: number,
  volumes: readonly Volume[],
): readonly Volume[] | undefined {
  const templates = set.spec.volumeClaimTemplates ?? [];
  const claimed = templates.map(({ metadata: { name } }) => ({
    name,
    persistentVolumeClaim: { claimName: claimName(set, name, ordinal) },
  }));
  const names = new Set(claimed.map(({ name }) => name));
  const all = [...claimed, ...volumes.filter(({ name }) => !names.has(name))];
  return all.length > 0 ? all : undefined;
}

function claimName(set: StatefulSet, template: string, ordinal: number) {
  return `${template}-${set.metadata.name}-${ordinal}`;
}

/** The claims of an ordinal, from the set's templates. */
export function claimsFor(
  set: StatefulSet,
  ordinal: number,
): PersistentVolumeClaim[] {
  const { namespace } = set.metadata;
  return (set.spec.volumeClaimTemplates ?? []).map((template) => ({
    ...template,
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      ...template.metadata,
      name: claimName(set, template.metadata.name, ordinal),
      namespace,
      labels: { ...template.metadata.labels, ...set.spec.selector.matchLabels },
    },
  }));
}

/** True if the Pod has the labels of its identity. */
export function identityMatches(set: StatefulSet, pod: Pod): boolean {
  const { name, labels = {} } = pod.metadata;
  return (
    labels[NAME_LABEL] === name &&
    labels[INDEX_LABEL] === `${ordinalOf(set, name)}`
  );
}

/** The Pod with its identity's labels put right. */
export function withIdentity(set: StatefulSet, pod: Pod): Pod {
  const { name, labels } = pod.metadata;
  const index = `${ordinalOf(set, name)}`;
  const right = { ...labels, [NAME_LABEL]: name, [INDEX_LABEL]: index };
  return { ...pod, metadata: { ...pod.metadata, labels: right } };
}
