/**
 * Mirrors: what the API shows of static Pods. A mirror is but a picture:
 * whoever deletes it deletes no Pod, and it soon comes back.
 * Models: pkg/kubelet/pod/{pod_manager,mirror_client}.go @ v1.36
 */
import type { Pod } from "../api/kinds/pod.ts";
import type { ComponentContext } from "../client/component.ts";
import { mirroredUid } from "./containers.ts";
import { deleteMirror } from "./static-pods.ts";
import type { StatusManager } from "./status/manager.ts";
import type { PodWorkers } from "./workers.ts";

export class Mirrors {
  private readonly context: ComponentContext;
  private readonly status: StatusManager;
  private readonly workers: PodWorkers;

  constructor(
    context: ComponentContext,
    status: StatusManager,
    workers: PodWorkers,
  ) {
    this.context = context;
    this.status = status;
    this.workers = workers;
  }

  /** A mirror came, or changed. */
  seen(mirror: Pod): void {
    this.status.setMirror(mirror);
    const uid = mirroredUid(mirror);
    if (!this.workers.get(uid)) this.delete(mirror);
    else if (mirror.metadata.deletionTimestamp) this.workers.wake(uid);
  }

  /** The mirror is gone: the Pod's worker makes another. */
  gone(mirror: Pod): void {
    this.status.removeMirror(mirror);
    this.workers.wake(mirroredUid(mirror));
  }

  /** The static Pod has ended: nothing is left to show. */
  podGone(pod: Pod): void {
    const mirror = this.status.mirrorOf(pod);
    if (mirror && mirroredUid(mirror) === pod.metadata.uid) this.delete(mirror);
  }

  private delete(mirror: Pod): void {
    const { context } = this;
    context.kernel.spawn(context.actor, () => deleteMirror(context, mirror));
  }
}
