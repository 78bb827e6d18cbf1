/**
 * When the change happened that made a slice or Endpoints be written: for
 * measuring how long the news takes to reach the proxies.
 * Models: staging/src/k8s.io/endpointslice/util/trigger_time_tracker.go
 *         @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import type { Service } from "../../api/kinds/service.ts";
import { keyOf, type ObjectKey } from "../../api/types.ts";
import { podCondition } from "./pods.ts";

/** The annotation of Endpoints and EndpointSlices that carries it. */
export const TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time";

interface Seen {
  readonly service: string;
  readonly pods: ReadonlyMap<string, string>;
}

export class TriggerTimes {
  private readonly seen = new Map<ObjectKey, Seen>();

  forget(service: ObjectKey): void {
    this.seen.delete(service);
  }

  /** The earliest change since the last call; "" if none is known. */
  next(service: Service, pods: readonly Pod[]): string {
    const key = keyOf(service);
    const before = this.seen.get(key);
    const created = service.metadata.creationTimestamp ?? "";
    const times = new Map<string, string>();
    let earliest = "";
    const changed = (time: string, old = "") => {
      if (time > old && (!earliest || time < earliest)) earliest = time;
    };
    for (const pod of pods) {
      const time = podCondition(pod, "Ready")?.lastTransitionTime;
      if (!time) continue;
      times.set(pod.metadata.name, time);
      changed(time, before?.pods.get(pod.metadata.name));
    }
    changed(created, before?.service);
    this.seen.set(key, { service: created, pods: times });
    return before ? earliest : created;
  }
}
