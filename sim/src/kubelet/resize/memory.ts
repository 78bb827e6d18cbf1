/**
 * A memory limit is not set below what is in use.
 * Models: validateMemoryResizeAction in pkg/kubelet/kuberuntime/
 *         kuberuntime_manager.go @ v1.36
 */
import type { Container, Pod } from "../../api/kinds/pod.ts";
import type { RuntimeContext } from "../runtime/context.ts";
import type { RuntimePod } from "../runtime/pod-status.ts";
import type { Resize } from "./resizes.ts";
import { type Resources, resizable, sizesOf } from "./resources.ts";

/** Why the limits cannot be set, or "": a program would be killed for it. */
export async function memoryProblem(
  { runtime: service }: RuntimeContext,
  pod: Pod,
  all: readonly Container[],
  { inForce }: Resize,
  runtime: RuntimePod,
): Promise<string> {
  const limitOf = (resources: Resources) => sizesOf(resources).memoryLimit;
  const smaller = all.filter(({ name, resources }) => {
    const limit = limitOf(resources);
    return limit > 0 && limit < limitOf(inForce.get(name));
  });
  if (smaller.length === 0) return "";
  const used = new Map<string, number>();
  for (const { name, state, id } of runtime.containers) {
    if (state !== "running") continue;
    const { stats } = await service.containerStats({ container_id: id });
    used.set(name, stats.memory?.working_set_bytes?.value ?? 0);
  }
  const problems: string[] = [];
  const total = [...used.values()].reduce((sum, bytes) => sum + bytes, 0);
  const limit = podLimit(pod, (container) => container.resources);
  const before = podLimit(pod, ({ name }) => inForce.get(name));
  if (limit < before && limit < total) {
    problems.push(tooSmall("pod", limit, total));
  }
  for (const { name, resources } of smaller) {
    const bytes = used.get(name) ?? 0;
    const own = limitOf(resources);
    if (own < bytes) problems.push(tooSmall(`container "${name}"`, own, bytes));
  }
  if (problems.length === 0) return "";
  const list = problems.length > 1 ? `[${problems.join(", ")}]` : problems[0];
  return `cannot decrease memory limits: ${list}`;
}

/** Endless where one container has none. */
function podLimit(pod: Pod, pick: (container: Container) => Resources) {
  const limits = resizable(pod).map((each) => sizesOf(pick(each)).memoryLimit);
  if (limits.includes(0)) return Number.POSITIVE_INFINITY;
  return limits.reduce((sum, bytes) => sum + bytes, 0);
}

function tooSmall(whose: string, limit: number, used: number): string {
  return `attempting to set ${whose} memory limit (${limit}) below current usage (${used})`;
}
