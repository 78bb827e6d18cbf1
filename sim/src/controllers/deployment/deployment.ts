/**
 * Deployment controller: one ReplicaSet per template; moves Pods from the old
 * ones to the new one, a step at a time. It never touches a Pod.
 * Models:     pkg/controller/deployment/deployment_controller.go @ v1.36
 * Leaves out: the rollback field of extensions/v1beta1.
 */
import { Deployment } from "../../api/kinds/deployment.ts";
import { Pod } from "../../api/kinds/pod.ts";
import { ReplicaSet } from "../../api/kinds/replicaset.ts";
import { selectorFor } from "../../api/selector.ts";
import type { ObjectKey } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { startController } from "../../client/controller.ts";
import { claim } from "../shared/owners.ts";
import { orphansIn, ownedBy } from "../shared/pods.ts";
import { DESIRED_REPLICAS, numberAt } from "./annotations.ts";
import type { Context } from "./context.ts";
import { isRollingUpdate, replicasOf } from "./fenceposts.ts";
import { listen } from "./listen.ts";
import { rollOutByRecreating } from "./recreate.ts";
import { withReplicas } from "./replicasets.ts";
import { findRollout } from "./revisions.ts";
import { rollOut } from "./rolling.ts";
import { scaleOnly } from "./scale.ts";
import { notePause, refuseToSelectAll, syncStatus } from "./status.ts";

export function startDeploymentController(
  context: ComponentContext,
): Component {
  const controller = startController(context, {
    workers: 5,
    retriesMax: 15,
    reconcile: (key) => reconcile(key, ctx),
  });
  const ctx: Context = {
    ...context,
    deployments: context.informers.informer(Deployment),
    replicaSets: context.informers.informer(ReplicaSet),
    pods: context.informers.informer(Pod),
    queue: controller.queue,
  };
  listen(controller, ctx);
  return controller;
}

// region: reconcile
export async function reconcile(key: ObjectKey, ctx: Context): Promise<void> {
  const found = ctx.deployments.get(key);
  if (!found) return; // Deleted. The garbage collector takes its ReplicaSets.
  if (selectorFor(found.spec.selector).empty) {
    return refuseToSelectAll(found, ctx);
  }
  const sets = await ownedReplicaSets(found, ctx);
  if (found.metadata.deletionTimestamp) {
    return syncStatus(await findRollout(found, sets, ctx), ctx);
  }
  const deployment = await notePause(found, ctx);
  if (deployment.spec.paused) return scaleOnly(deployment, sets, ctx);
  // A new size first; the rollout goes on in the next round.
  if (isScaling(deployment, sets)) return scaleOnly(deployment, sets, ctx);
  if (isRollingUpdate(deployment)) return rollOut(deployment, sets, ctx);
  return rollOutByRecreating(deployment, sets, ctx);
}
// endregion: reconcile

/** Its ReplicaSets, after adopting orphans and releasing strays. */
function ownedReplicaSets(
  deployment: Deployment,
  { client, replicaSets }: Context,
): Promise<ReplicaSet[]> {
  const { namespace } = deployment.metadata;
  const known = ownedBy(replicaSets, deployment);
  const candidates = [...known, ...orphansIn(replicaSets, namespace)];
  const selector = selectorFor(deployment.spec.selector);
  const owner = deployment;
  return claim(
    { client, ownerRef: Deployment, owner, ref: ReplicaSet, selector },
    candidates,
  );
}

/** True if a ReplicaSet was last scaled for another size of the Deployment. */
function isScaling(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
): boolean {
  return withReplicas(sets).some((rs) => {
    const desired = numberAt(rs, DESIRED_REPLICAS);
    return desired !== undefined && desired !== replicasOf(deployment);
  });
}
