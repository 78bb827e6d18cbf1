/**
 * Taint eviction controller: deletes Pods that do not tolerate a NoExecute
 * taint of their Node, at once or when their toleration ends.
 * Models: pkg/controller/tainteviction/taint_eviction.go @ v1.36
 */

import { toleratesTaint } from "../api/helpers/tolerations.ts";
import { Node } from "../api/kinds/node.ts";
import { Pod } from "../api/kinds/pod.ts";
import type { Taint } from "../api/kinds/types/core.ts";
import { isNotFound } from "../api/status.ts";
import { keyOf, type ObjectKey, splitKey } from "../api/types.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startController } from "../client/controller.ts";
import type { Timer } from "../kernel/index.ts";
import { patchPodCondition } from "./shared/pod-condition.ts";
import { indexByNode, podsOnNode } from "./shared/pods.ts";

/** A deletion that was planned; `timer` is absent once it was carried out. */
interface Planned {
  readonly sinceMs: number;
  readonly timer?: Timer;
}

export function startTaintEvictionController(
  context: ComponentContext,
): Component {
  const { informers, kernel, events } = context;
  const nodes = informers.informer(Node);
  const pods = informers.informer(Pod);
  indexByNode(pods);
  const planned = new Map<ObjectKey, Planned>();
  const controller = startController(context, {
    workers: 8,
    reconcile: (key) => evict(key, context),
  });

  const plan = (key: ObjectKey, sinceMs: number, waitMs: number) => {
    const timer = kernel.after(waitMs, () => {
      planned.set(key, { sinceMs });
      controller.queue.add(key);
    });
    planned.set(key, { sinceMs, timer });
  };
  const cancel = (key: ObjectKey) => {
    const old = planned.get(key);
    planned.delete(key);
    if (!old?.timer) return;
    old.timer.cancel();
    const message = `Cancelling deletion of Pod ${key}`;
    const type = "Normal";
    events.event(referenceTo(key), type, "TaintManagerEviction", message);
  };

  // region: judge
  /** Plans, changes or cancels the deletion of one Pod. */
  const judge = (pod: Pod, taints: readonly Taint[]) => {
    const key = keyOf(pod);
    const secondsLeft = toleratedSeconds(pod, taints);
    if (secondsLeft === Number.POSITIVE_INFINITY) return cancel(key);
    const old = planned.get(key);
    if (old && !old.timer) return; // Was carried out.
    if (secondsLeft === 0) {
      cancel(key);
      return plan(key, kernel.now(), 0);
    }
    const waitMs = secondsLeft * 1000;
    const sinceMs = old?.sinceMs ?? kernel.now();
    // What was planned first stays, if it comes sooner.
    if (old && sinceMs + waitMs < kernel.now() + waitMs) return;
    if (old) cancel(key);
    plan(key, sinceMs, sinceMs + waitMs - kernel.now());
  };
  // endregion: judge

  const judgeAllOn = (node: Node) => {
    const taints = noExecute(node);
    for (const pod of podsOnNode(pods, node.metadata.name)) judge(pod, taints);
  };
  const judgeOne = (pod: Pod) => {
    const node = nodes.get(pod.spec.nodeName ?? "");
    const taints = node ? noExecute(node) : [];
    if (taints.length > 0 || planned.has(keyOf(pod))) judge(pod, taints);
  };
  controller.on(nodes, {
    added: (node) => {
      if (noExecute(node).length > 0) judgeAllOn(node);
    },
    updated(node, old) {
      if (node.spec.taints === old.spec.taints) return;
      const before = noExecute(old).map(textOf).join();
      if (noExecute(node).map(textOf).join() !== before) judgeAllOn(node);
    },
  });
  controller.on(pods, {
    added: judgeOne,
    updated(pod, old) {
      const moved = pod.spec.nodeName !== old.spec.nodeName;
      if (moved || pod.spec.tolerations !== old.spec.tolerations) judgeOne(pod);
    },
    deleted: (pod) => cancel(keyOf(pod)),
  });
  return {
    stop() {
      controller.stop();
      for (const { timer } of planned.values()) timer?.cancel();
    },
  };
}

function noExecute(node: Node): readonly Taint[] {
  const { taints } = node.spec;
  if (!taints) return [];
  return taints.filter(({ effect }) => effect === "NoExecute");
}

function textOf({ key, value = "" }: Taint): string {
  return `${key}=${value}`;
}

/** Seconds that the Pod may stay: 0, some, or for ever. */
function toleratedSeconds(pod: Pod, taints: readonly Taint[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const taint of taints) {
    const toleration = pod.spec.tolerations?.find((t) =>
      toleratesTaint(t, taint),
    );
    if (!toleration) return 0;
    const { tolerationSeconds } = toleration;
    if (tolerationSeconds === undefined) continue;
    least = Math.min(least, Math.max(0, tolerationSeconds));
  }
  return least;
}

/** Says why in a condition, then deletes. */
async function evict(
  key: ObjectKey,
  { client, events, kernel }: ComponentContext,
): Promise<void> {
  const message = `Marking for deletion Pod ${key}`;
  const type = "Normal";
  events.event(referenceTo(key), type, "TaintManagerEviction", message);
  const { namespace, name } = splitKey(key);
  try {
    const pod = await client.get(Pod, namespace, name);
    await patchPodCondition(client, pod, {
      type: "DisruptionTarget",
      status: "True",
      reason: "DeletionByTaintManager",
      message: "Taint manager: deleting due to NoExecute taint",
      lastTransitionTime: kernel.timestamp(),
    });
    await client.delete(Pod, namespace, name);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function referenceTo(key: ObjectKey) {
  return { apiVersion: "v1", kind: "Pod", ...splitKey(key) };
}
