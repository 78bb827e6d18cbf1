/**
 * What wakes the Deployment controller: Deployments, their ReplicaSets, and
 * the end of the last Pod of a Deployment that is recreated.
 * Models: pkg/controller/deployment/deployment_controller.go @ v1.36
 */
import type { Deployment } from "../../api/kinds/deployment.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { ReplicaSet } from "../../api/kinds/replicaset.ts";
import { selectorFor } from "../../api/selector.ts";
import { controllerOf, keyOf } from "../../api/types.ts";
import type { Controller } from "../../client/controller.ts";
import { controllerIn } from "../shared/owners.ts";
import { indexByController, ownedBy } from "../shared/pods.ts";
import type { Context } from "./context.ts";

export function listen(controller: Controller, ctx: Context): void {
  const { deployments, replicaSets, pods } = ctx;
  indexByController(replicaSets);
  indexByController(pods);
  const enqueue = (deployment: Deployment) =>
    controller.queue.add(keyOf(deployment));
  controller.on(deployments, {
    added: enqueue,
    updated: enqueue,
    deleted: enqueue,
  });

  const wouldAdopt = (rs: ReplicaSet) => {
    for (const deployment of deployments.list(rs.metadata.namespace)) {
      const selector = selectorFor(deployment.spec.selector);
      if (selector.empty || !selector.matches(rs.metadata.labels)) continue;
      enqueue(deployment);
    }
  };
  const enqueueOwner = (rs: ReplicaSet) => {
    const deployment = controllerIn(deployments, rs);
    if (deployment) enqueue(deployment);
  };
  controller.on(replicaSets, {
    added(rs) {
      if (controllerOf(rs) || rs.metadata.deletionTimestamp) enqueueOwner(rs);
      else wouldAdopt(rs);
    },
    updated(rs, old) {
      const moved = controllerOf(rs)?.uid !== controllerOf(old)?.uid;
      if (moved) enqueueOwner(old);
      if (controllerOf(rs)) enqueueOwner(rs);
      else if (moved || rs.metadata.labels !== old.metadata.labels) {
        wouldAdopt(rs);
      }
    },
    deleted: enqueueOwner,
  });

  controller.on(pods, {
    deleted(pod) {
      const deployment = deploymentOf(pod, ctx);
      if (deployment?.spec.strategy?.type !== "Recreate") return;
      const sets = ownedBy(replicaSets, deployment);
      if (sets.every((rs) => ownedBy(pods, rs).length === 0)) {
        enqueue(deployment);
      }
    },
  });
}

function deploymentOf(
  pod: Pod,
  { replicaSets, deployments }: Context,
): Deployment | undefined {
  const rs = controllerIn(replicaSets, pod);
  return rs && controllerIn(deployments, rs);
}
