/**
 * A Pod as the scheduler sees it: what it asks for, worked out once.
 * Models:     pkg/scheduler/framework/types.go (PodInfo) @ v1.36
 * Leaves out: terms that cannot be read are dropped, as upstream does.
 */
import {
  type Amounts,
  DEFAULT_CPU_MILLI,
  DEFAULT_MEMORY_BYTES,
  podLevelRequests,
  podRequests,
  type ResourceList,
  SCORING_DEFAULTS,
} from "../../api/helpers/pod-requests.ts";
import type { ContainerPort, Pod } from "../../api/kinds/pod.ts";
import {
  type AffinityTerm,
  affinityTerms,
  type WeightedTerm,
  weightedTerms,
} from "./affinity-term.ts";
import { Resources } from "./resources.ts";

const none: readonly never[] = Object.freeze([]);

export class PodInfo {
  readonly pod: Pod;
  readonly uid: string;
  readonly namespace: string;
  /** `default/web-x2x4z`. */
  readonly key: string;
  readonly priority: number;
  /** What the Pod asks for. */
  readonly requests: Resources;
  /** The same where a container without a request counts with a default. */
  readonly scoredCpuMilli: number;
  readonly scoredMemoryBytes: number;
  readonly hostPorts: readonly ContainerPort[];
  /** `namespace/name` of the claims among its volumes. */
  readonly claims: readonly string[];
  readonly requiredAffinity: readonly AffinityTerm[];
  readonly requiredAntiAffinity: readonly AffinityTerm[];
  readonly preferredAffinity: readonly WeightedTerm[];
  readonly preferredAntiAffinity: readonly WeightedTerm[];

  constructor(pod: Pod) {
    const { metadata, spec } = pod;
    this.pod = pod;
    this.namespace = metadata.namespace ?? "";
    this.key = `${this.namespace}/${metadata.name}`;
    this.uid = metadata.uid ?? this.key;
    this.priority = spec.priority ?? 0;
    const amounts = podRequests(pod);
    const scored = podRequests(pod, defaultsFor(pod, amounts));
    this.requests = new Resources(amounts);
    this.scoredCpuMilli = scored.get("cpu") ?? DEFAULT_CPU_MILLI;
    this.scoredMemoryBytes = scored.get("memory") ?? DEFAULT_MEMORY_BYTES;
    this.hostPorts = hostPortsOf(pod);
    this.claims = claimsOf(pod);
    const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
    const namespace = this.namespace;
    this.requiredAffinity = podAffinity
      ? affinityTerms(namespace, podAffinity)
      : none;
    this.requiredAntiAffinity = podAntiAffinity
      ? affinityTerms(namespace, podAntiAffinity)
      : none;
    this.preferredAffinity = podAffinity
      ? weightedTerms(namespace, podAffinity)
      : none;
    this.preferredAntiAffinity = podAntiAffinity
      ? weightedTerms(namespace, podAntiAffinity)
      : none;
  }

  get hasAffinity(): boolean {
    const { affinity } = this.pod.spec;
    return Boolean(affinity?.podAffinity ?? affinity?.podAntiAffinity);
  }

  get terminating(): boolean {
    return this.pod.metadata.deletionTimestamp !== undefined;
  }
}

/** With requests for the whole Pod, only what is set nowhere is filled in. */
function defaultsFor(pod: Pod, requests: Amounts): ResourceList {
  if (!pod.spec.resources || podLevelRequests(pod).size === 0) {
    return SCORING_DEFAULTS;
  }
  const { cpu, memory } = SCORING_DEFAULTS;
  return {
    ...(requests.has("cpu") ? {} : { cpu }),
    ...(requests.has("memory") ? {} : { memory }),
  };
}

/** Ports on the Node itself, of containers and sidecars. */
function hostPortsOf({ spec }: Pod): readonly ContainerPort[] {
  const sidecars = spec.initContainers?.filter(
    ({ restartPolicy }) => restartPolicy === "Always",
  );
  const found: ContainerPort[] = [];
  for (const { ports } of [...spec.containers, ...(sidecars ?? [])]) {
    for (const port of ports ?? []) if (port.hostPort) found.push(port);
  }
  return found.length === 0 ? none : found;
}

/** An ephemeral volume's claim is named after Pod and volume. */
function claimsOf({ metadata, spec }: Pod): readonly string[] {
  const found: string[] = [];
  for (const volume of spec.volumes ?? []) {
    const name = volume.ephemeral
      ? `${metadata.name}-${volume.name}`
      : volume.persistentVolumeClaim?.claimName;
    if (name) found.push(`${metadata.namespace}/${name}`);
  }
  return found.length === 0 ? none : found;
}
