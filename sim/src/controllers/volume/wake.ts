/**
 * What else makes the attach/detach controller look at a Node: a claim of one
 * of its Pods is bound by now; and every 3 minutes all that have claims, since
 * a copy may have been late.
 * Models: pkg/controller/volume/attachdetach/{attach_detach_controller.go
 *         (enqueuePVC), populator} @ v1.36
 */
import type { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { ComponentContext } from "../../client/component.ts";
import { type Controller, every } from "../../client/controller.ts";
import type { Informer } from "../../client/informer.ts";
import { isTerminated } from "../shared/pods.ts";

interface Context extends ComponentContext {
  readonly pods: Informer<Pod>;
  readonly claims: Informer<PersistentVolumeClaim>;
}

const POPULATE_MS = 3 * 60 * 1000;

/** Returns how to end it. */
export function wakeByClaims(controller: Controller, ctx: Context): () => void {
  const { pods, claims } = ctx;
  const wake = ({ metadata, spec, status }: PersistentVolumeClaim) => {
    if (status?.phase !== "Bound" || !spec.volumeName) return;
    for (const pod of pods.list(metadata.namespace)) {
      const { nodeName } = pod.spec;
      if (nodeName && uses(pod, metadata.name)) controller.queue.add(nodeName);
    }
  };
  controller.on(claims, { added: wake, updated: wake });
  const all = () => {
    for (const claim of claims.values()) wake(claim);
  };
  return every(ctx, POPULATE_MS, all, POPULATE_MS);
}

/** A Pod that has ended uses nothing. */
export function uses(pod: Pod, claim: string): boolean {
  if (isTerminated(pod)) return false;
  return (pod.spec.volumes ?? []).some(
    ({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === claim,
  );
}
