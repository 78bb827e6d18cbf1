/**
 * Whether the node grants a resize: at once, later, or never; and what it
 * says of it.
 * Models: handlePodResourcesResize in pkg/kubelet/allocation/
 *         allocation_manager.go; pkg/kubelet/events/resize.go @ v1.36
 */
import type { Pod, PodCondition } from "../../api/kinds/pod.ts";
import type { EventType } from "../../client/events.ts";
import type { Resize, ResizesHost } from "./resizes.ts";
import { differ, type Resources, resourcesOf } from "./resources.ts";
import { requestsOf } from "./urgency.ts";

/** True if more, or less, was granted than before. */
export function grant(host: ResizesHost, resize: Resize): boolean {
  const { pod } = resize;
  const wanted = resourcesOf(pod);
  if (!differ(wanted, resize.granted)) {
    resize.pending = undefined;
    return false;
  }
  const uid = pod.metadata.uid ?? "";
  const refusal = host.admission.resize(uid, requestsOf(pod));
  if (refusal) {
    postpone(host, resize, refusal);
    return false;
  }
  resize.granted = wanted;
  resize.pending = undefined;
  resize.inProgress = conditionOf(host, "PodResizeInProgress", pod, "", "");
  tell(host, pod, "Normal", "ResizeStarted", "Pod resize started", "");
  return true;
}

function postpone(
  host: ResizesHost,
  resize: Resize,
  { reason, message }: { reason: string; message: string },
): void {
  const { pod, pending } = resize;
  const next = conditionOf(host, "PodResizePending", pod, reason, message);
  const same =
    pending?.reason === reason &&
    pending.message === message &&
    pending.observedGeneration === next.observedGeneration;
  if (same) return;
  const since =
    pending?.reason === reason
      ? { lastTransitionTime: pending.lastTransitionTime }
      : {};
  resize.pending = { ...next, ...since };
  const prefix = `Pod resize ${reason}`;
  tell(host, pod, "Warning", `Resize${reason}`, prefix, message);
}

export function conditionOf(
  { kernel }: Pick<ResizesHost, "kernel">,
  type: string,
  { metadata }: Pod,
  reason: string,
  message: string,
): PodCondition {
  const { generation } = metadata;
  return {
    type,
    status: "True",
    ...(reason ? { reason, message } : {}),
    ...(generation ? { observedGeneration: generation } : {}),
    lastTransitionTime: kernel.timestamp(),
  };
}

/** An Event with the resources of all containers, as Go writes them. */
export function tell(
  { events }: Pick<ResizesHost, "events">,
  pod: Pod,
  type: EventType,
  reason: string,
  prefix: string,
  error: string,
  generation = pod.metadata.generation,
): void {
  const { initContainers = [], containers } = pod.spec;
  const list = (all: typeof containers) =>
    all.map(({ name, resources }) => ({ name, resources: inOrder(resources) }));
  const summary = {
    ...(initContainers.length > 0
      ? { initContainers: list(initContainers) }
      : {}),
    containers: list(containers),
    generation,
    ...(error ? { error } : {}),
  };
  events.event(pod, type, reason, `${prefix}: ${JSON.stringify(summary)}`);
}

function inOrder(resources: Resources): object {
  const { limits, requests } = resources ?? {};
  return {
    ...(limits ? { limits: sorted(limits) } : {}),
    ...(requests ? { requests: sorted(requests) } : {}),
  };
}

function sorted(list: Readonly<Record<string, string>>): object {
  const keys = Object.keys(list).toSorted();
  return Object.fromEntries(keys.map((key) => [key, list[key]]));
}
