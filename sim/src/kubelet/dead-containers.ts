/**
 * Containers that have ended: of each name the newest stays, for its log and
 * its exit code; of a Pod that was evicted or deleted, none.
 * Models: pkg/kubelet/pod_container_deletor.go, kubelet.go
 *         cleanUpContainersInPod @ v1.36
 */
import type { RuntimeService } from "../cri/api.ts";
import type { Kernel } from "../kernel/index.ts";
import { messageOf } from "./runtime/context.ts";
import type { RuntimePod } from "./runtime/pod-status.ts";

export interface DeadContainersOptions {
  readonly kernel: Kernel;
  /** `kubelet/node-1`. */
  readonly actor: string;
  readonly runtime: RuntimeService;
  readonly onRemoved: (podUid: string, id: string) => void;
}

/** That many of a name stay. */
const KEPT = 1;

export class DeadContainers {
  private readonly options: DeadContainersOptions;
  /** Being removed now. */
  private readonly going = new Set<string>();

  constructor(options: DeadContainersOptions) {
    this.options = options;
  }

  /** Removes what is too much; `all`: whatever has ended. */
  clean({ uid, containers }: RuntimePod, all: boolean): void {
    // Most Pods have nothing dead at all.
    if (!containers.some(({ state }) => state === "exited")) return;
    const kept = new Map<string, number>();
    for (const { id, name, state } of containers) {
      if (state !== "exited") continue;
      const count = kept.get(name) ?? 0;
      kept.set(name, count + 1);
      if (all || count >= KEPT) this.remove(uid, id);
    }
  }

  private remove(uid: string, id: string): void {
    if (this.going.has(id)) return;
    this.going.add(id);
    const { kernel, actor, runtime, onRemoved } = this.options;
    kernel.spawn(actor, async () => {
      try {
        await runtime.removeContainer({ container_id: id });
        onRemoved(uid, id);
      } catch (error) {
        const message = messageOf(error);
        kernel.record(actor, "error", `remove ${id}`, "", { message });
      }
      this.going.delete(id);
    });
  }
}
