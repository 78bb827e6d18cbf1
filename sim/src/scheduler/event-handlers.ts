/**
 * Keeps the scheduler's cache and queue current: what informers tell goes
 * into the cache, and to waiting Pods that it may help.
 * Models:     pkg/scheduler/eventhandlers.go @ v1.36
 * Leaves out: kinds of dynamic resources; custom resources of plugins.
 */
import { isResized } from "../api/helpers/pod-requests.ts";
import type { Node } from "../api/kinds/node.ts";
import type { Pod } from "../api/kinds/pod.ts";
import { keyOf } from "../api/types.ts";
import type { ChangeHandlers } from "../client/informer.ts";
import type { Cache } from "./cache/cache.ts";
import { PodInfo } from "./cache/pod-info.ts";
import { Action, clusterEvent } from "./cluster-events.ts";
import { nodeChanges, podChanges, same } from "./pod-events.ts";
import type { SchedulingQueue } from "./queue/queue.ts";

export interface HandlerParts {
  readonly cache: Cache;
  readonly queue: SchedulingQueue;
  /** Is the Pod this scheduler's, by `spec.schedulerName`? */
  isOurs(pod: Pod): boolean;
}

const POD_ADDED = clusterEvent("AssignedPod", Action.Add);
const POD_GONE = clusterEvent("AssignedPod", Action.Delete);
const NODE_ADDED = clusterEvent("Node", Action.Add);
const NODE_GONE = clusterEvent("Node", Action.Delete);

// region: pods
export function podHandlers(parts: HandlerParts): ChangeHandlers<Pod> {
  const { cache, queue } = parts;
  return {
    added(pod) {
      if (isFinished(pod)) return;
      if (pod.spec.nodeName) assigned(parts, pod);
      else if (parts.isOurs(pod)) queue.add(pod);
    },

    updated(pod, old) {
      if (isFinished(pod)) {
        if (!isFinished(old)) gone(parts, old);
      } else if (pod.spec.nodeName) {
        if (old.spec.nodeName) changed(parts, pod, old);
        else assigned(parts, pod);
      } else if (parts.isOurs(pod) && !cache.isAssumed(uidOf(pod))) {
        if (queue.has(keyOf(pod))) {
          queue.update(old, pod, podChanges(old, pod));
        } else queue.add(pod);
      }
    },

    deleted(pod) {
      if (!isFinished(pod)) gone(parts, pod);
    },
  };
}
// endregion: pods

function assigned({ cache, queue }: HandlerParts, pod: Pod): void {
  queue.delete(keyOf(pod));
  cache.setPod(new PodInfo(pod), pod.spec.nodeName ?? "");
  queue.move(POD_ADDED, undefined, pod);
}

/** A status that says nothing of resources changes nothing here. */
function changed({ cache, queue }: HandlerParts, pod: Pod, old: Pod): void {
  const { metadata, spec } = pod;
  const unchanged =
    same(old.spec, spec) &&
    same(old.metadata.labels, metadata.labels) &&
    old.metadata.deletionTimestamp === metadata.deletionTimestamp &&
    !isResized(old) &&
    !isResized(pod);
  if (unchanged) return;
  cache.setPod(new PodInfo(pod), spec.nodeName ?? "");
  for (const event of podChanges(old, pod)) queue.move(event, old, pod);
}

function gone({ cache, queue }: HandlerParts, pod: Pod): void {
  queue.delete(keyOf(pod));
  cache.removePod(uidOf(pod));
  if (pod.spec.nodeName) queue.move(POD_GONE, pod);
}

function isFinished({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

function uidOf(pod: Pod): string {
  return pod.metadata.uid ?? keyOf(pod);
}

// region: nodes
export function nodeHandlers(parts: HandlerParts): ChangeHandlers<Node> {
  const { cache, queue } = parts;
  return {
    added(node) {
      cache.setNode(node);
      queue.move(NODE_ADDED, undefined, node);
    },

    updated(node, old) {
      cache.setNode(node);
      for (const event of nodeChanges(old, node)) queue.move(event, old, node);
    },

    deleted(node) {
      cache.removeNode(node.metadata.name);
      queue.move(NODE_GONE, node);
    },
  };
}
// endregion: nodes
