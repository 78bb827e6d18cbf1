/**
 * Is a waiting Pod worth another try after this event? Only the plugins that
 * refused it are asked, and of those only the ones that registered the event.
 * Models: isPodWorthRequeuing in pkg/scheduler/backend/queue @ v1.36
 */
import type { KubeObject } from "../../api/types.ts";
import {
  type ClusterEvent,
  coversEvent,
  type EventWithHint,
  isWildcard,
} from "../cluster-events.ts";
import type { QueuedPod } from "./queued-pod.ts";

/** Plugin to the events it registered. */
export type HintTable = ReadonlyMap<string, readonly EventWithHint[]>;

export type Worth = "no" | "after-backoff" | "at-once";

export function isWorth(
  hints: HintTable,
  queued: QueuedPod,
  event: ClusterEvent,
  old: KubeObject | undefined,
  now: KubeObject | undefined,
): Worth {
  if (isWildcard(event)) return "after-backoff";
  const { gatedBy, unschedulablePlugins, pendingPlugins, info } = queued;
  const registered = (plugin: string) =>
    (hints.get(plugin) ?? []).filter((one) => coversEvent(one.event, event));
  if (gatedBy && registered(gatedBy).length === 0) return "no";
  const says = (plugin: string) =>
    registered(plugin).some(({ hint }) => hint?.(info.pod, old, now) ?? true);
  for (const plugin of pendingPlugins) if (says(plugin)) return "at-once";
  for (const plugin of unschedulablePlugins) {
    if (says(plugin)) return "after-backoff";
  }
  const errorOnly = unschedulablePlugins.size + pendingPlugins.size === 0;
  return errorOnly ? "after-backoff" : "no";
}
