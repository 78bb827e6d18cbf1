/**
 * What wakes the ReplicaSet controller: changes of ReplicaSets, and changes
 * of Pods, told to the ReplicaSet that owns them or, for an orphan, to all
 * that could adopt it.
 * Models: pkg/controller/replicaset/replica_set.go (event handlers) @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import type { ReplicaSet } from "../../api/kinds/replicaset.ts";
import { selectorFor } from "../../api/selector.ts";
import { controllerOf, keyOf } from "../../api/types.ts";
import type { Controller } from "../../client/controller.ts";
import type { Expectations } from "../../client/expectations.ts";
import type { Informer } from "../../client/informer.ts";
import { controllerIn } from "../shared/owners.ts";
import { indexByController, isReady } from "../shared/pods.ts";
import type { Tally } from "./tally.ts";

export interface Listening {
  readonly replicaSets: Informer<ReplicaSet>;
  readonly pods: Informer<Pod>;
  readonly expectations: Expectations;
  readonly tally: Tally;
}

export function listen(controller: Controller, listening: Listening): void {
  const { replicaSets, pods, expectations, tally } = listening;
  const { queue } = controller;
  indexByController(replicaSets);
  indexByController(pods);
  controller.on(pods, tally);
  const enqueue = (rs: ReplicaSet) => queue.add(keyOf(rs));
  const forget = (rs: ReplicaSet) => {
    expectations.forget(keyOf(rs));
    tally.drop(rs);
    enqueue(rs);
  };
  controller.on(replicaSets, {
    added: enqueue,
    updated(rs, old) {
      if (rs.metadata.uid !== old.metadata.uid) forget(old);
      enqueue(rs);
    },
    deleted: forget,
  });

  const wouldAdopt = (pod: Pod) => {
    for (const rs of replicaSets.list(pod.metadata.namespace)) {
      const selector = selectorFor(rs.spec.selector);
      if (!selector.empty && selector.matches(pod.metadata.labels)) enqueue(rs);
    }
  };
  const deleted = (pod: Pod) => {
    const rs = controllerIn(replicaSets, pod);
    if (!rs) return;
    expectations.deletionSeen(keyOf(rs), keyOf(pod));
    enqueue(rs);
  };
  controller.on(pods, {
    added(pod) {
      if (pod.metadata.deletionTimestamp) return deleted(pod);
      if (!controllerOf(pod)) return wouldAdopt(pod);
      const rs = controllerIn(replicaSets, pod);
      if (!rs) return;
      expectations.creationSeen(keyOf(rs));
      enqueue(rs);
    },
    updated(pod, old) {
      const relabelled = pod.metadata.labels !== old.metadata.labels;
      // A deletion that has begun counts as done: nothing stops it.
      if (pod.metadata.deletionTimestamp) {
        deleted(pod);
        if (relabelled) deleted(old);
        return;
      }
      const moved = controllerOf(pod)?.uid !== controllerOf(old)?.uid;
      const before = moved ? controllerIn(replicaSets, old) : undefined;
      if (before) enqueue(before);
      const rs = controllerIn(replicaSets, pod);
      if (rs) {
        enqueue(rs);
        lookAgain(rs, pod, old);
      } else if (!controllerOf(pod) && (relabelled || moved)) wouldAdopt(pod);
    },
    deleted,
  });

  /** One second more, since the moment is kept in whole seconds. */
  const lookAgain = (rs: ReplicaSet, pod: Pod, old: Pod) => {
    const { minReadySeconds = 0 } = rs.spec;
    if (minReadySeconds === 0 || isReady(old) || !isReady(pod)) return;
    queue.addAfter(keyOf(rs), (minReadySeconds + 1) * 1000);
  };
}
