/**
 * NodeResourcesFit: what all Pods of a Node ask for must not exceed what it
 * has. Requests count, not use: an idle Node can be full.
 * Scores by "least allocated": the emptier the Node, the better.
 * Models:     pkg/scheduler/framework/plugins/noderesources/{fit,
 *             least_allocated,resource_allocation}.go @ v1.36
 * Leaves out: other scoring strategies; ignored resource groups.
 * Try:        score by `MAX_NODE_SCORE - …`: fill Nodes one after another.
 */
import { podRequests } from "../../api/helpers/pod-requests.ts";
import type { Node } from "../../api/kinds/node.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { KubeObject } from "../../api/types.ts";
import { NodeInfo } from "../cache/node-info.ts";
import { PodInfo } from "../cache/pod-info.ts";
import { Action, clusterEvent } from "../cluster-events.ts";
import { MAX_NODE_SCORE, NO_STATE, type Plugin } from "../framework.ts";
import { type Status, status } from "../status.ts";

const name = "NodeResourcesFit";

export function nodeResourcesFit(): Plugin {
  return {
    name,
    events: [
      {
        event: clusterEvent(
          "AssignedPod",
          Action.Delete | Action.UpdatePodScaleDown,
        ),
        hint: (pod, old, now) => !now || frees(pod, old as Pod, now as Pod),
      },
      {
        event: clusterEvent("UnscheduledPod", Action.UpdatePodScaleDown),
        hint: (pod, _, now) => now?.metadata.uid === pod.metadata.uid,
      },
      {
        event: clusterEvent("Node", Action.Add | Action.UpdateNodeAllocatable),
        hint: couldHold,
      },
    ],

    preFilter: () => NO_STATE,
    filter: fits,

    preScore: () => NO_STATE,

    score(node, pod) {
      const { cpuMilli, memoryBytes } = node;
      const cpu = node.scoredCpuMilli + pod.scoredCpuMilli;
      const memory = node.scoredMemoryBytes + pod.scoredMemoryBytes;
      let sum = 0;
      let kinds = 0;
      if (cpuMilli > 0) {
        sum += leastRequested(cpu, cpuMilli);
        kinds++;
      }
      if (memoryBytes > 0) {
        sum += leastRequested(memory, memoryBytes);
        kinds++;
      }
      return kinds === 0 ? 0 : Math.floor(sum / kinds);
    },
  };
}

/** Share that stays free, in percent, rounded down. */
function leastRequested(requested: number, capacity: number): number {
  if (requested > capacity) return 0;
  return Math.floor(((capacity - requested) * MAX_NODE_SCORE) / capacity);
}

/** null if the Pod fits; else all that is missing. */
export function fits(node: NodeInfo, { requests }: PodInfo): Status | null {
  const tooMany = node.podCount + 1 > node.podsMax;
  if (
    !tooMany &&
    requests.cpuMilli <= node.cpuMilli - node.usedCpuMilli &&
    requests.memoryBytes <= node.memoryBytes - node.usedMemoryBytes &&
    requests.ephemeralBytes === 0 &&
    !requests.scalars
  ) {
    return null;
  }
  return missing(node, requests, tooMany);
}

/** Looks closer; preemption cannot help where the empty Node is too small. */
function missing(
  { allocatable, requested }: NodeInfo,
  requests: PodInfo["requests"],
  tooMany: boolean,
): Status | null {
  const reasons = tooMany ? ["Too many pods"] : [];
  let hopeless = false;
  const check = (what: string, asks: number, has: number, used: number) => {
    if (asks === 0 || asks <= has - used) return;
    reasons.push(`Insufficient ${what}`);
    if (asks > has) hopeless = true;
  };
  const { cpuMilli, memoryBytes, ephemeralBytes, scalars } = requests;
  check("cpu", cpuMilli, allocatable.cpuMilli, requested.cpuMilli);
  check("memory", memoryBytes, allocatable.memoryBytes, requested.memoryBytes);
  check(
    "ephemeral-storage",
    ephemeralBytes,
    allocatable.ephemeralBytes,
    requested.ephemeralBytes,
  );
  for (const [what, asks] of scalars ?? []) {
    check(what, asks, allocatable.scalar(what), requested.scalar(what));
  }
  return reasons.length === 0 ? null : refusal(reasons, hopeless);
}

const refusals = new Map<string, Status>();

/** The same few answers come thousands of times: made once. */
function refusal(reasons: readonly string[], hopeless: boolean): Status {
  const key = `${hopeless}:${reasons.join()}`;
  let found = refusals.get(key);
  if (!found) {
    const code = hopeless ? "UnschedulableAndUnresolvable" : "Unschedulable";
    found = status(name, code, ...reasons);
    refusals.set(key, found);
  }
  return found;
}

/** Hint: does a Pod that was resized give back anything that this one wants? */
function frees(pod: Pod, old: Pod, now: Pod): boolean {
  const [before, after] = [podRequests(old), podRequests(now)];
  return [...podRequests(pod)].some(
    ([what, asks]) =>
      asks > 0 && (before.get(what) ?? 0) > (after.get(what) ?? 0),
  );
}

/** Hint: would the Pod fit on the new or changed Node, were it empty? */
function couldHold(
  pod: Pod,
  old: KubeObject | undefined,
  now: KubeObject | undefined,
): boolean {
  if (!now) return true;
  const fitsEmpty = (object: KubeObject) => {
    const empty = new NodeInfo(object.metadata.name);
    empty.setNode(object as Node);
    return fits(empty, new PodInfo(pod)) === null;
  };
  if (!fitsEmpty(now)) return false;
  if (!old || !fitsEmpty(old)) return true;
  return grew(old as Node, now as Node, pod);
}

/** Did anything that the Pod asks for grow? */
function grew(old: Node, now: Node, pod: Pod): boolean {
  const [before, after] = [new NodeInfo(""), new NodeInfo("")];
  before.setNode(old);
  after.setNode(now);
  const { requests } = new PodInfo(pod);
  const [a, b] = [before.allocatable, after.allocatable];
  if (b.pods > a.pods) return true;
  if (requests.cpuMilli > 0 && b.cpuMilli > a.cpuMilli) return true;
  if (requests.memoryBytes > 0 && b.memoryBytes > a.memoryBytes) return true;
  const storage = b.ephemeralBytes > a.ephemeralBytes;
  if (requests.ephemeralBytes > 0 && storage) return true;
  for (const [what, asks] of requests.scalars ?? []) {
    if (asks > 0 && b.scalar(what) > a.scalar(what)) return true;
  }
  return false;
}
