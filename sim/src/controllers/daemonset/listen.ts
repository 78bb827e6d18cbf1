/**
 * What wakes the DaemonSet controller: its sets, their Pods, and Nodes that
 * come or begin to suit.
 * Models: pkg/controller/daemon/daemon_controller.go (event handlers) @ v1.36
 */
import type { DaemonSet } from "../../api/kinds/daemonset.ts";
import type { Node } from "../../api/kinds/node.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import { selectorFor } from "../../api/selector.ts";
import { controllerOf, keyOf } from "../../api/types.ts";
import type { Controller } from "../../client/controller.ts";
import { controllerIn } from "../shared/owners.ts";
import { indexByController, isReady } from "../shared/pods.ts";
import type { Context } from "./context.ts";
import { placementOf } from "./placement.ts";

export function listen(controller: Controller, ctx: Context): void {
  const { sets, pods, nodes, revisions, expectations } = ctx;
  const { queue } = controller;
  indexByController(pods);
  indexByController(revisions);
  const enqueue = (set: DaemonSet) => queue.add(keyOf(set));
  controller.on(sets, {
    added: enqueue,
    updated: enqueue,
    deleted(set) {
      expectations.forget(keyOf(set));
      enqueue(set);
    },
  });
  controller.needs(revisions);

  controller.on(nodes, {
    added(node) {
      for (const set of sets.values()) {
        if (placementOf(set, node).run) enqueue(set);
      }
    },
    updated(node, old) {
      if (sets.size === 0 || !mayMatter(node, old)) return;
      for (const set of sets.values()) {
        const [now, before] = [placementOf(set, node), placementOf(set, old)];
        if (now.run !== before.run || now.keep !== before.keep) enqueue(set);
      }
    },
  });

  const wouldAdopt = (pod: Pod) => {
    if (sets.size === 0) return;
    for (const set of sets.list(pod.metadata.namespace)) {
      const selector = selectorFor(set.spec.selector);
      if (!selector.empty && selector.matches(pod.metadata.labels)) {
        enqueue(set);
      }
    }
  };
  const deleted = (pod: Pod) => {
    const set = controllerIn(sets, pod);
    if (!set) return;
    expectations.deletionSeen(keyOf(set), keyOf(pod));
    enqueue(set);
  };
  controller.on(pods, {
    added(pod) {
      if (pod.metadata.deletionTimestamp) return deleted(pod);
      const set = controllerIn(sets, pod);
      if (set) {
        expectations.creationSeen(keyOf(set));
        enqueue(set);
      } else if (!controllerOf(pod)) wouldAdopt(pod);
    },
    updated(pod, old) {
      if (pod.metadata.deletionTimestamp) return deleted(pod);
      const moved = controllerOf(pod)?.uid !== controllerOf(old)?.uid;
      const before = moved ? controllerIn(sets, old) : undefined;
      if (before) enqueue(before);
      const set = controllerIn(sets, pod);
      if (set) {
        enqueue(set);
        const { minReadySeconds = 0 } = set.spec;
        if (minReadySeconds > 0 && !isReady(old) && isReady(pod)) {
          queue.addAfter(keyOf(set), (minReadySeconds + 1) * 1000);
        }
      } else if (!controllerOf(pod)) {
        const relabelled = pod.metadata.labels !== old.metadata.labels;
        if (moved || relabelled) wouldAdopt(pod);
      }
    },
    deleted,
  });
}

/** Heartbeats change neither labels nor spec. */
function mayMatter(node: Node, old: Node): boolean {
  return node.spec !== old.spec || node.metadata.labels !== old.metadata.labels;
}
