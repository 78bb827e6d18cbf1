/** Shapes of a Pod's phase: outline, half, full, ticked, crossed, fading. */
import type { ObjectSummary } from "@shikumi/sim";

export type Shape = "pending" | "starting" | "running" | "ready" | "done" | "failed" | "leaving";

export const SHAPES: readonly Shape[] = [
  "pending",
  "starting",
  "running",
  "ready",
  "done",
  "failed",
  "leaving",
];

const STARTING = new Set(["ContainerCreating", "PodInitializing", "Pending"]);
const DONE = new Set(["Succeeded", "Completed"]);

export function podShape(pod: ObjectSummary): Shape {
  if (pod.deleting) return "leaving";
  const status = pod.status ?? "Pending";
  if (!pod.node) return "pending";
  if (DONE.has(status)) return "done";
  if (status === "Running") return pod.ready ? "ready" : "running";
  return STARTING.has(status) ? "starting" : "failed";
}

/** The inner path of a shape, in a box of 20 by 20 around the Pod's hexagon. */
export function shapePath(shape: Shape): string {
  switch (shape) {
    case "starting":
      return "M3 14V10H17V14L10 18z";
    case "running":
      return "M3 14V6.8L10 10 17 6.8V14L10 18z";
    case "ready":
      return "M10 2 17 6V14L10 18 3 14V6z";
    case "done":
      return "M6.5 10 9 12.8 13.8 7.4";
    case "failed":
      return "M7 7 13 13M13 7 7 13";
    case "leaving":
      return "M6.5 10H13.5";
    default:
      return "";
  }
}
