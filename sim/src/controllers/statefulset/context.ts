/** What the parts of the StatefulSet controller share. */
import type { ControllerRevision } from "../../api/kinds/controllerrevision.ts";
import type { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { StatefulSet } from "../../api/kinds/statefulset.ts";
import type { ComponentContext } from "../../client/component.ts";
import type { Informer } from "../../client/informer.ts";
import type { WorkQueue } from "../../client/workqueue.ts";

export interface Context extends ComponentContext {
  readonly sets: Informer<StatefulSet>;
  readonly pods: Informer<Pod>;
  readonly revisions: Informer<ControllerRevision>;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly queue: WorkQueue;
}

/** The two templates that Pods of the set may have now. */
export interface Revisions {
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
  readonly collisionCount: number;
}
