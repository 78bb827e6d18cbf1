/**
 * Joins the eviction manager to the kubelet that it works for.
 */
import type { Pod } from "../api/kinds/pod.ts";
import type { ComponentContext } from "../client/component.ts";
import type { EventType } from "../client/events.ts";
import { EvictionManager } from "./eviction/manager.ts";
import type { KubeletOptions } from "./options.ts";
import type { KubeletParts } from "./parts.ts";
import type { PodWorkers } from "./workers.ts";

export interface PressureParts {
  readonly context: ComponentContext;
  readonly options: KubeletOptions;
  readonly parts: KubeletParts;
  readonly workers: PodWorkers;
  /** An Event about the node. */
  nodeEvent(reason: string, message: string, type: EventType): void;
  reclaimDisk(): Promise<void>;
}

/** Undefined where nobody measures the machine. */
export function evictionFor({
  context,
  options,
  parts,
  workers,
  nodeEvent,
  reclaimDisk,
}: PressureParts): EvictionManager | undefined {
  const { stats, configuration = {} } = options;
  if (!stats) return undefined;
  const { kernel, actor, events } = context;
  const uidOf = ({ metadata }: Pod) => metadata.uid ?? "";
  const hasContainers = (pod: Pod) => {
    return (workers.runtimeOf(uidOf(pod))?.containers.length ?? 0) > 0;
  };
  return new EvictionManager(
    {
      ...{ kernel, actor, stats, reclaimDisk },
      activePods: () => workers.active(),
      event(pod, type, reason, message, annotations) {
        if (!pod) return nodeEvent(reason, message, type);
        events.event(pod, type, reason, message, undefined, annotations);
      },
      kill(pod, graceSeconds, ending) {
        parts.ending.set(uidOf(pod), ending);
        workers.kill(uidOf(pod), graceSeconds);
      },
      isCleanedUp: (pod) =>
        !workers.isActive(uidOf(pod)) && !hasContainers(pod),
    },
    configuration,
  );
}
