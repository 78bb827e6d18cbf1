/**
 * Removing what Pods leave in the runtime, once a minute: of Pods that no
 * longer exist everything, of the others dead containers beyond the newest of
 * each name, and dead sandboxes beyond the newest. (Here only Pods of which
 * something may be left over are looked at.)
 * Models:     pkg/kubelet/kuberuntime/kuberuntime_gc.go @ v1.36
 * Leaves out: a limit on all dead containers together (by default there is
 *             none); folders of logs.
 */
import type { ComponentContext } from "../client/component.ts";
import type { EventType } from "../client/events.ts";
import type { CriContainer, PodSandbox } from "../cri/api.ts";
import type { Timer } from "../kernel/index.ts";
import type { KubeletOptions } from "./options.ts";
import { messageOf } from "./runtime/context.ts";
import { LABEL } from "./runtime/labels.ts";

/** deleted: nobody wants it any more; ended: its object is still there. */
export type PodState = "deleted" | "ended" | "alive";

export interface GarbageHost {
  readonly context: ComponentContext;
  readonly options: KubeletOptions;
  stateOf(uid: string): PodState;
  /** Another part heard of the Pod's containers. */
  onRemoved(uid: string, containerId: string): void;
  nodeEvent(reason: string, message: string, type: EventType): void;
}

const PERIOD_MS = 60_000;
const KEPT_CONTAINERS = 1;
const KEPT_SANDBOXES = 1;

export class ContainerGarbage {
  private readonly host: GarbageHost;
  private readonly uids = new Set<string>();
  private timer: Timer | undefined;

  constructor(host: GarbageHost) {
    this.host = host;
  }

  /** The Pod is gone, or has a new sandbox: look at the next full minute. */
  add(uid: string): void {
    this.uids.add(uid);
    if (this.timer) return;
    const { kernel, actor } = this.host.context;
    const delayMs = PERIOD_MS - (kernel.now() % PERIOD_MS);
    this.timer = kernel.after(delayMs, () => {
      this.timer = undefined;
      kernel.spawn(actor, () => this.collect());
    });
  }

  stop(): void {
    this.timer?.cancel();
    this.uids.clear();
  }

  /** Now, of all Pods; of those that have ended, everything. */
  async deleteAllUnused(): Promise<void> {
    const { items } = await this.host.options.runtime.listPodSandbox({});
    const uids = new Set(items.map(({ metadata }) => metadata.uid));
    for (const uid of uids) await this.collectOf(uid, true);
  }

  private async collect(): Promise<void> {
    for (const uid of [...this.uids]) {
      this.uids.delete(uid);
      try {
        await this.collectOf(uid, false);
      } catch (error) {
        this.host.nodeEvent("ContainerGCFailed", messageOf(error), "Warning");
        this.add(uid);
      }
    }
  }

  private async collectOf(uid: string, alsoEnded: boolean): Promise<void> {
    const { runtime } = this.host.options;
    const filter = { label_selector: { [LABEL.podUid]: uid } };
    const state = this.host.stateOf(uid);
    const all = state === "deleted" || (alsoEnded && state === "ended");
    const { containers } = await runtime.listContainers({ filter });
    const dead = deadContainers(containers, all ? 0 : KEPT_CONTAINERS);
    for (const { id } of dead) {
      await runtime.removeContainer({ container_id: id });
      this.host.onRemoved(uid, id);
    }
    const left = containers.filter((container) => !dead.includes(container));
    const { items } = await runtime.listPodSandbox({ filter });
    for (const id of deadSandboxes(items, left, all ? 0 : KEPT_SANDBOXES)) {
      await runtime.stopPodSandbox({ pod_sandbox_id: id });
      await runtime.removePodSandbox({ pod_sandbox_id: id });
    }
  }
}

/** Of each name all but the newest `kept`, the oldest first. */
function deadContainers(
  containers: readonly CriContainer[],
  kept: number,
): CriContainer[] {
  const count = new Map<string, number>();
  const newestFirst = containers
    .filter(({ state }) => state !== "CONTAINER_RUNNING")
    .toSorted((a, b) => attemptOf(b) - attemptOf(a));
  const dead = newestFirst.filter(({ metadata: { name } }) => {
    const seen = (count.get(name) ?? 0) + 1;
    count.set(name, seen);
    return seen > kept;
  });
  return dead.reverse();
}

function attemptOf({ metadata }: CriContainer): number {
  return metadata.attempt ?? 0;
}

/** Not ready, without containers, and not among the newest `kept`. */
function deadSandboxes(
  sandboxes: readonly PodSandbox[],
  containers: readonly CriContainer[],
  kept: number,
): string[] {
  const inUse = new Set(containers.map((one) => one.pod_sandbox_id));
  return sandboxes
    .toSorted((a, b) => b.created_at - a.created_at)
    .slice(kept)
    .filter(({ id, state }) => state !== "SANDBOX_READY" && !inUse.has(id))
    .map(({ id }) => id)
    .reverse();
}
