/**
 * PodTopologySpread: what can undo a refusal. A Pod that its constraints
 * count comes, goes or changes its labels; a Node comes into a domain or
 * leaves it.
 * Models: EventsToRegister and its hints in pkg/scheduler/framework/plugins/
 *         podtopologyspread/plugin.go @ v1.36
 */
import type { Node } from "../../api/kinds/node.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { KubeObject } from "../../api/types.ts";
import { PodInfo } from "../cache/pod-info.ts";
import { Action, clusterEvent, type EventWithHint } from "../cluster-events.ts";
import { same } from "../pod-events.ts";
import { ownConstraints } from "./spread-constraints.ts";

const PODS =
  Action.Add |
  Action.Delete |
  Action.UpdatePodLabel |
  Action.UpdatePodToleration;
const NODES =
  Action.Add | Action.Delete | Action.UpdateNodeLabel | Action.UpdateNodeTaint;

export const spreadEvents: readonly EventWithHint[] = [
  { event: clusterEvent("AssignedPod", PODS), hint: podHelps },
  { event: clusterEvent("UnscheduledPod", PODS), hint: podHelps },
  { event: clusterEvent("Node", NODES), hint: nodeHelps },
];

function podHelps(
  pod: Pod,
  old: KubeObject | undefined,
  now: KubeObject | undefined,
): boolean {
  const others = [old, now].filter((one) => one !== undefined);
  if (!others.every((one) => isCounted(one as Pod, pod))) return false;
  const constraints = hardConstraints(pod);
  const [before, after] = [old?.metadata.labels, now?.metadata.labels];
  if (old && now) {
    const [was, is] = [(old as Pod).spec, (now as Pod).spec];
    const own = now.metadata.uid === pod.metadata.uid;
    if (own && !same(was.tolerations, is.tolerations)) {
      if (constraints.some(({ honorsTaints }) => honorsTaints)) return true;
    }
    return constraints.some(
      ({ selector }) => selector.matches(before) !== selector.matches(after),
    );
  }
  const labels = after ?? before;
  return constraints.some(({ selector }) => selector.matches(labels));
}

/** The Pod itself, or one that runs in its namespace. */
function isCounted({ metadata, spec }: Pod, pod: Pod): boolean {
  if (metadata.uid === pod.metadata.uid) return true;
  return (
    Boolean(spec.nodeName) && metadata.namespace === pod.metadata.namespace
  );
}

function nodeHelps(
  pod: Pod,
  old: KubeObject | undefined,
  now: KubeObject | undefined,
): boolean {
  const keys = hardConstraints(pod).map(({ topologyKey }) => topologyKey);
  const label = (node: KubeObject | undefined, key: string) =>
    node?.metadata.labels?.[key];
  const [was, is] = [old, now].map(
    (node) => node && keys.every((key) => label(node, key) !== undefined),
  );
  if (!old || !now) return Boolean(was || is);
  if (was !== is) return true;
  const moved = keys.some((key) => label(old, key) !== label(now, key));
  const taints = (node: KubeObject) => (node as Node).spec?.taints;
  return Boolean(is) && (moved || !same(taints(old), taints(now)));
}

function hardConstraints(pod: Pod) {
  return ownConstraints(new PodInfo(pod), "DoNotSchedule");
}
