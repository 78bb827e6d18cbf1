/**
 * Topology spread constraints, ready to use: those of the Pod, or, for a Pod
 * of a Service or a workload that has none, the scheduler's own two soft ones.
 * Models:     pkg/scheduler/framework/plugins/podtopologyspread/{common,
 *             plugin}.go, plugins/helper/spread.go @ v1.36
 * Leaves out: default constraints from a configuration file.
 */
import {
  type NodeTest,
  requiredNodeAffinity,
} from "../../api/helpers/node-affinity.ts";
import { tolerationsTolerate } from "../../api/helpers/tolerations.ts";
import type { TopologySpreadConstraint } from "../../api/kinds/pod.ts";
import {
  type LabelSelector,
  type LabelSelectorObject,
  labelSelector,
} from "../../api/selector.ts";
import { controllerOf, type Labels } from "../../api/types.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import type { PodInfo } from "../cache/pod-info.ts";
import type { Listers } from "../listers.ts";

export const HOSTNAME = "kubernetes.io/hostname";
const ZONE = "topology.kubernetes.io/zone";

export type WhenUnsatisfiable = "DoNotSchedule" | "ScheduleAnyway";

export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly selector: LabelSelector;
  /** Count only Nodes that the Pod's node affinity allows. */
  readonly honorsAffinity: boolean;
  /** Count only Nodes whose taints the Pod tolerates. */
  readonly honorsTaints: boolean;
}

/** The Pod's own constraints of one sort. */
export function ownConstraints(
  { pod }: PodInfo,
  when: WhenUnsatisfiable,
): SpreadConstraint[] {
  return (pod.spec.topologySpreadConstraints ?? [])
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === when)
    .map((constraint) => ({
      topologyKey: constraint.topologyKey,
      maxSkew: constraint.maxSkew,
      minDomains: constraint.minDomains ?? 1,
      selector: selectorOf(constraint, pod.metadata.labels),
      honorsAffinity: constraint.nodeAffinityPolicy !== "Ignore",
      honorsTaints: constraint.nodeTaintsPolicy === "Honor",
    }));
}

/** matchLabelKeys: Pods with the same values as this one's, e.g. of a rollout. */
function selectorOf(
  { labelSelector: object, matchLabelKeys }: TopologySpreadConstraint,
  labels: Labels = {},
): LabelSelector {
  const keys = (matchLabelKeys ?? []).filter((key) => key in labels);
  if (keys.length === 0) return labelSelector(object);
  const same = keys.map((key) => ({
    key,
    operator: "In",
    values: [labels[key] ?? ""],
  }));
  const matchExpressions = [...(object?.matchExpressions ?? []), ...same];
  return labelSelector({ matchLabels: object?.matchLabels, matchExpressions });
}

/** Spread over hosts and zones, softly; none for a Pod on its own. */
export function defaultConstraints(
  pod: PodInfo,
  listers: Listers,
): SpreadConstraint[] {
  const selector = groupSelector(pod, listers);
  if (!selector || selector.empty) return [];
  const common = {
    minDomains: 1,
    selector,
    honorsAffinity: true,
    honorsTaints: false,
  };
  return [
    { ...common, topologyKey: HOSTNAME, maxSkew: 3 },
    { ...common, topologyKey: ZONE, maxSkew: 5 },
  ];
}

/** Pods of the same Services and of the same workload. */
function groupSelector(
  { pod, namespace }: PodInfo,
  listers: Listers,
): LabelSelector | undefined {
  const owner = controllerOf(pod);
  const workload = owner
    ? listers.workloadSelector(owner.kind, `${namespace}/${owner.name}`)
    : undefined;
  let shared: Labels | undefined;
  for (const labels of listers.serviceSelectors(namespace)) {
    if (matches(labels, pod.metadata.labels)) shared = { ...shared, ...labels };
  }
  if (!shared) return workload && remembered(workload);
  const matchLabels = { ...shared, ...workload?.matchLabels };
  return labelSelector({ ...workload, matchLabels });
}

function matches(wanted: Labels, labels: Labels = {}): boolean {
  const keys = Object.keys(wanted);
  return keys.length > 0 && keys.every((key) => labels[key] === wanted[key]);
}

const selectors = new WeakMap<LabelSelectorObject, LabelSelector>();

/** Objects never change, so each is read once. */
function remembered(object: LabelSelectorObject): LabelSelector {
  let found = selectors.get(object);
  if (!found) {
    found = labelSelector(object);
    selectors.set(object, found);
  }
  return found;
}

/** Which Nodes a constraint counts. */
export function nodePolicy(pod: PodInfo) {
  const affinity: NodeTest | undefined = requiredNodeAffinity(pod.pod);
  const { tolerations } = pod.pod.spec;
  return {
    /** True if `counts` says yes to every Node. */
    countsAll: (constraint: SpreadConstraint) =>
      !(constraint.honorsAffinity && affinity) && !constraint.honorsTaints,
    counts(constraint: SpreadConstraint, { node, hardTaints }: NodeInfo) {
      if (!node) return false;
      if (constraint.honorsAffinity && affinity && !affinity(node)) {
        return false;
      }
      if (!constraint.honorsTaints) return true;
      return hardTaints.every((taint) =>
        tolerationsTolerate(tolerations, taint),
      );
    },
  };
}

export type NodePolicy = ReturnType<typeof nodePolicy>;

/** True if the Node has the labels of all constraints. */
export function hasAllKeys(
  { labels }: NodeInfo,
  constraints: readonly SpreadConstraint[],
): boolean {
  for (const { topologyKey } of constraints) {
    if (labels[topologyKey] === undefined) return false;
  }
  return true;
}
