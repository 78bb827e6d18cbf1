/**
 * On which Nodes a DaemonSet's Pod belongs, and the Pod that is pinned to
 * one. The scheduler binds it, the affinity leaves it no choice.
 * Models: pkg/controller/daemon/daemon_controller.go (NodeShouldRunDaemonPod),
 *         pkg/controller/daemon/util/daemonset_util.go @ v1.36
 */
import { requiredNodeAffinity } from "../../api/helpers/node-affinity.ts";
import { tolerationsTolerate } from "../../api/helpers/tolerations.ts";
import { DaemonSet } from "../../api/kinds/daemonset.ts";
import type { Node } from "../../api/kinds/node.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { Toleration } from "../../api/kinds/types/containers.ts";
import type { PodSpec } from "../../api/kinds/types/pod.ts";
import { podFromTemplate } from "../shared/pod-control.ts";

export const HASH_LABEL = "controller-revision-hash";
export const GENERATION_LABEL = "pod-template-generation";
export const GENERATION = "deprecated.daemonset.template.generation";

export interface Placement {
  /** A new Pod may be put there. */
  readonly run: boolean;
  /** A Pod that is there may stay. */
  readonly keep: boolean;
}

const NOWHERE: Placement = { run: false, keep: false };

// region: placement
export function placementOf(set: DaemonSet, node: Node): Placement {
  const { template } = set.spec;
  const { nodeName } = template.spec;
  if (nodeName && nodeName !== node.metadata.name) return NOWHERE;
  const pod = { ...BARE, spec: template.spec };
  if (requiredNodeAffinity(pod)?.(node) === false) return NOWHERE;
  const tolerations = tolerationsOf(template.spec);
  const refused = (node.spec.taints ?? []).filter(
    (taint) => !tolerationsTolerate(tolerations, taint),
  );
  const run = refused.every(({ effect }) => effect === "PreferNoSchedule");
  const keep = refused.every(({ effect }) => effect !== "NoExecute");
  return { run, keep };
}
// endregion: placement

const BARE = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "" },
} as const;

/** Taints that no DaemonSet minds: its Pods keep the Node itself going. */
const OWN_TOLERATIONS: readonly Toleration[] = [
  ["not-ready", "NoExecute"],
  ["unreachable", "NoExecute"],
  ["disk-pressure", "NoSchedule"],
  ["memory-pressure", "NoSchedule"],
  ["pid-pressure", "NoSchedule"],
  ["unschedulable", "NoSchedule"],
].map(([key, effect]) => ({
  key: `node.kubernetes.io/${key}`,
  operator: "Exists",
  effect,
}));

function tolerationsOf(spec: PodSpec): readonly Toleration[] {
  const own = [...OWN_TOLERATIONS];
  if (spec.hostNetwork) {
    const key = "node.kubernetes.io/network-unavailable";
    own.push({ key, operator: "Exists", effect: "NoSchedule" });
  }
  const given = spec.tolerations ?? [];
  const same = (a: Toleration, b: Toleration) =>
    a.key === b.key &&
    a.effect === b.effect &&
    a.operator === b.operator &&
    (a.value ?? "") === (b.value ?? "");
  // One that is given already keeps its place.
  const merged = given.map((one) => own.find((o) => same(o, one)) ?? one);
  return [...merged, ...own.filter((one) => !merged.includes(one))];
}

/** The Pod of `node`, not yet sent. */
export function podFor(set: DaemonSet, node: string, hash: string): Pod {
  const pod = podFromTemplate(set.spec.template, DaemonSet, set);
  const generation = set.metadata.annotations?.[GENERATION];
  const { affinity } = pod.spec;
  const matchFields = [
    { key: "metadata.name", operator: "In", values: [node] },
  ];
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: {
        ...pod.metadata.labels,
        ...(generation && { [GENERATION_LABEL]: generation }),
        [HASH_LABEL]: hash,
      },
    },
    spec: {
      ...pod.spec,
      tolerations: tolerationsOf(pod.spec),
      affinity: {
        ...affinity,
        nodeAffinity: {
          ...affinity?.nodeAffinity,
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields }],
          },
        },
      },
    },
  };
}

/** The Node that a Pod is for, bound or not. */
export function targetNodeOf({ spec }: Pod): string {
  if (spec.nodeName) return spec.nodeName;
  const required =
    spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  for (const { matchFields = [] } of required?.nodeSelectorTerms ?? []) {
    const field = matchFields.find(({ key }) => key === "metadata.name");
    if (field?.values?.[0]) return field.values[0];
  }
  return "";
}

/** The Pod has the set's present template. */
export function isUpdated(set: DaemonSet, pod: Pod, hash: string): boolean {
  const labels = pod.metadata.labels ?? {};
  const generation = set.metadata.annotations?.[GENERATION];
  if (generation && labels[GENERATION_LABEL] === generation) return true;
  return hash !== "" && labels[HASH_LABEL] === hash;
}
