/**
 * Pods that are given more or less while they run. What a Pod wants, what the
 * node has granted it, and what is in force in its containers are three
 * things until the resize is done.
 * Models:     pkg/kubelet/allocation/allocation_manager.go @ v1.36
 * Leaves out: its checkpoint (after a restart the API's status says what was
 *             granted), resources of the Pod as a whole.
 * Try:        grant whatever is wanted, and fill up a node.
 */
import type { Pod, PodCondition } from "../../api/kinds/pod.ts";
import type { Kernel, Timer } from "../../kernel/index.ts";
import type { NodeAdmission } from "../admission.ts";
import type { Recorder } from "../runtime/context.ts";
import { grant } from "./grant.ts";
import {
  type Amounts,
  differ,
  grantedBefore,
  inForceBefore,
  resourcesOf,
  wantsOther,
  withResources,
} from "./resources.ts";
import { byUrgency } from "./urgency.ts";

/** One Pod that was resized at least once. */
export interface Resize {
  /** As it is wanted. */
  pod: Pod;
  granted: Amounts;
  readonly inForce: Map<string, Amounts[string]>;
  /** PodResizePending: why it is not granted yet, or never will be. */
  pending?: PodCondition;
  /** PodResizeInProgress: granted, but not in force yet. */
  inProgress?: PodCondition;
}

export interface ResizesHost {
  readonly kernel: Kernel;
  readonly events: Recorder;
  readonly admission: NodeAdmission;
  /** The Pod's worker has something to do. */
  readonly sync: (granted: Pod) => void;
}

const RETRY_MS = 180_000;

export class Resizes {
  readonly host: ResizesHost;
  readonly known = new Map<string, Resize>();
  /** Uids of those that wait, the most urgent first. */
  waiting: string[] = [];
  timer: Timer | undefined;

  constructor(host: ResizesHost) {
    this.host = host;
  }

  of(pod: Pod): Resize | undefined {
    if (this.known.size === 0) return undefined;
    return this.known.get(pod.metadata.uid ?? "");
  }

  /** A Pod is new to this kubelet, which may have been restarted. */
  add(pod: Pod): Pod {
    return wantsOther(pod) ? addResized(this, pod) : pod;
  }

  /** A new state of a Pod; the answer is the Pod as the node grants it. */
  update(pod: Pod, old: Pod): Pod {
    if (pod.spec !== old.spec) notice(this, pod, old);
    const resize = this.of(pod);
    return resize ? seen(resize, pod) : pod;
  }

  /** Room was made, or something new is wanted. */
  retry(): void {
    if (this.waiting.length > 0) retryAll(this);
  }

  forget(uid: string): void {
    this.known.delete(uid);
  }

  stop(): void {
    this.timer?.cancel();
    this.known.clear();
    this.waiting = [];
  }
}

function seen(resize: Resize, pod: Pod): Pod {
  resize.pod = pod;
  return withResources(pod, resize.granted);
}

function addResized(resizes: Resizes, pod: Pod): Pod {
  const granted = grantedBefore(pod);
  const inForce = new Map(Object.entries(inForceBefore(pod)));
  push(resizes, { pod, granted, inForce });
  return withResources(pod, granted);
}

function notice(resizes: Resizes, pod: Pod, old: Pod): void {
  const now = resourcesOf(pod);
  const before = resourcesOf(old);
  if (!differ(now, before)) return;
  const known = resizes.of(pod);
  const inForce = () => new Map(Object.entries(before));
  const resize = known ?? { pod, granted: before, inForce: inForce() };
  resize.pod = pod;
  push(resizes, resize);
  resizes.retry();
}

function push(resizes: Resizes, resize: Resize): void {
  const uid = resize.pod.metadata.uid ?? "";
  resizes.known.set(uid, resize);
  if (resizes.waiting.includes(uid)) return;
  const all = [...resizes.waiting, uid].flatMap(
    (each) => resizes.known.get(each) ?? [],
  );
  const sorted = all.toSorted(byUrgency);
  resizes.waiting = sorted.map(({ pod }) => pod.metadata.uid ?? "");
}

/** Each that waits is looked at; who is deferred is looked at again. */
function retryAll(resizes: Resizes): void {
  const { host, known, waiting } = resizes;
  resizes.timer?.cancel();
  resizes.waiting = [];
  for (const uid of waiting) {
    const resize = known.get(uid);
    // What has ended has given its room back, and gets no other.
    if (!resize || !host.admission.admitted.has(uid)) continue;
    const before = resize.pending;
    const granted = grant(host, resize);
    if (resize.pending?.reason === "Deferred") resizes.waiting.push(uid);
    if (!granted && resize.pending === before) continue;
    host.sync(withResources(resize.pod, resize.granted));
  }
  if (resizes.waiting.length === 0) return;
  resizes.timer = host.kernel.after(RETRY_MS, () => resizes.retry());
}
