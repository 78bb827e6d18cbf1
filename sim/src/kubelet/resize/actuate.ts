/**
 * A resize that was granted is put in force: which containers the runtime is
 * told about, which have to be restarted, and in what order.
 * Models:     computePodResizeAction, doPodResizeAction in pkg/kubelet/
 *             kuberuntime/kuberuntime_manager.go @ v1.36
 * Leaves out: the Pod's own cgroup, swap.
 */
import type { Container, Pod } from "../../api/kinds/pod.ts";
import { containerResources } from "../runtime/cgroups.ts";
import { KubeletError, type RuntimeContext } from "../runtime/context.ts";
import { findContainer, type RuntimePod } from "../runtime/pod-status.ts";
import { conditionOf, tell } from "./grant.ts";
import { memoryProblem } from "./memory.ts";
import type { Resize } from "./resizes.ts";
import {
  changes,
  type Resources,
  resizable,
  sameSizes,
  sizesOf,
} from "./resources.ts";

/** `NotRequired` where the container says nothing. */
export function needsRestart(
  { resources, resizePolicy = [] }: Container,
  inForce: Resources,
): boolean {
  const [wanted, now] = [sizesOf(resources), sizesOf(inForce)];
  return resizePolicy.some(({ resourceName, restartPolicy }) => {
    if (restartPolicy !== "RestartContainer") return false;
    return changes(wanted, now, resourceName);
  });
}

/** Containers that run with other resources than were granted. */
export function outdated(
  pod: Pod,
  { inForce }: Resize,
  runtime: RuntimePod,
): Container[] {
  return resizable(pod).filter(({ name, resources }) => {
    const state = findContainer(runtime, name)?.state;
    return state === "running" && !sameSizes(resources, inForce.get(name));
  });
}

/** Memory first, then CPU; of each, what becomes less before what grows. */
export async function actuate(
  context: RuntimeContext,
  pod: Pod,
  resize: Resize,
  runtime: RuntimePod,
): Promise<KubeletError | undefined> {
  const all = outdated(pod, resize, runtime);
  const error = await memoryProblem(context, pod, all, resize, runtime);
  if (error) return failed(context, pod, resize, error);
  for (const resource of ["memory", "cpu"] as const) {
    for (const container of inOrder(all, resize, resource)) {
      await update(context, pod, container, resize, runtime, resource);
    }
  }
  if (all.length > 0) context.onResized?.(pod);
  return undefined;
}

function inOrder(
  all: readonly Container[],
  { inForce }: Resize,
  resource: "cpu" | "memory",
): Container[] {
  const growth = ({ name, resources }: Container) => {
    const [wanted, now] = [sizesOf(resources), sizesOf(inForce.get(name))];
    return resource === "memory"
      ? wanted.memoryLimit - now.memoryLimit
      : wanted.cpuLimit - now.cpuLimit || wanted.cpuRequest - now.cpuRequest;
  };
  const changed = all.filter(({ name, resources }) =>
    changes(sizesOf(resources), sizesOf(inForce.get(name)), resource),
  );
  return changed.toSorted(
    (a, b) => Math.sign(growth(a)) - Math.sign(growth(b)),
  );
}

async function update(
  { runtime: service, config }: RuntimeContext,
  pod: Pod,
  container: Container,
  { inForce }: Resize,
  runtime: RuntimePod,
  resource: "cpu" | "memory",
): Promise<void> {
  const { name } = container;
  const resources = merged(container.resources, inForce.get(name), resource);
  const half = { ...container, resources };
  const linux = containerResources(pod, half, config.nodeMemoryBytes);
  const container_id = findContainer(runtime, name)!.id;
  await service.updateContainerResources({ container_id, linux });
  inForce.set(name, resources);
}

/** Of one resource what is wanted, of the other what is in force. */
function merged(
  wanted: Resources,
  inForce: Resources,
  resource: "cpu" | "memory",
): Resources {
  const part = (field: "requests" | "limits") => {
    const { [resource]: _, ...others } = inForce?.[field] ?? {};
    const amount = wanted?.[field]?.[resource];
    const own = amount === undefined ? {} : { [resource]: amount };
    const list = { ...others, ...own };
    return Object.keys(list).length > 0 ? { [field]: list } : {};
  };
  return { ...part("limits"), ...part("requests") };
}

function failed(
  context: RuntimeContext,
  pod: Pod,
  resize: Resize,
  message: string,
): KubeletError {
  const { inProgress } = resize;
  if (inProgress?.message !== message) {
    const type = "PodResizeInProgress";
    const next = conditionOf(context, type, pod, "Error", message);
    const { lastTransitionTime = next.lastTransitionTime } = inProgress ?? {};
    resize.inProgress = { ...next, lastTransitionTime };
    tell(context, pod, "Warning", "ResizeError", "Pod resize error", message);
  }
  return new KubeletError("ResizePodInPlaceError", message);
}

/** Before each sync: is what was granted in force by now? */
export function checkProgress(
  context: RuntimeContext,
  pod: Pod,
  resize: Resize,
  runtime: RuntimePod,
): void {
  const { inProgress } = resize;
  if (outdated(pod, resize, runtime).length > 0) {
    const type = "PodResizeInProgress";
    resize.inProgress ??= conditionOf(context, type, pod, "", "");
    return;
  }
  if (!inProgress) return;
  resize.inProgress = undefined;
  const { observedGeneration } = inProgress;
  const prefix = "Pod resize completed";
  tell(
    context,
    pod,
    "Normal",
    "ResizeCompleted",
    prefix,
    "",
    observedGeneration,
  );
}

/** What a container was started with is in force. */
export function startedWith(
  { inForce }: Resize,
  { name, resources }: Container,
): void {
  inForce.set(name, resources);
}
