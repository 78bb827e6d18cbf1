/**
 * Removing what Pods leave in the runtime: once a minute the sandboxes and
 * containers of Pods that no longer exist.
 * Models:     pkg/kubelet/kuberuntime/kuberuntime_gc.go @ v1.36
 * Leaves out: dead containers of living Pods beyond the newest (their number
 *             does not hurt here).
 */
import type { ComponentContext } from "../client/component.ts";
import type { Timer } from "../kernel/index.ts";
import type { KubeletOptions } from "./options.ts";
import { messageOf } from "./runtime/context.ts";
import { LABEL } from "./runtime/labels.ts";

const PERIOD_MS = 60_000;

export class ContainerGarbage {
  private readonly context: ComponentContext;
  private readonly options: KubeletOptions;
  private readonly uids = new Set<string>();
  private timer: Timer | undefined;

  constructor(context: ComponentContext, options: KubeletOptions) {
    this.context = context;
    this.options = options;
  }

  /** The Pod is gone; its sandbox goes at the next full minute. */
  add(uid: string): void {
    this.uids.add(uid);
    if (this.timer) return;
    const { kernel, actor } = this.context;
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

  private async collect(): Promise<void> {
    const { runtime } = this.options;
    for (const uid of [...this.uids]) {
      this.uids.delete(uid);
      try {
        const filter = { label_selector: { [LABEL.podUid]: uid } };
        const { items } = await runtime.listPodSandbox({ filter });
        for (const { id } of items) {
          await runtime.stopPodSandbox({ pod_sandbox_id: id });
          await runtime.removePodSandbox({ pod_sandbox_id: id });
        }
      } catch (error) {
        const { kernel, actor } = this.context;
        const message = messageOf(error);
        kernel.record(actor, "error", "container gc", "", { message });
      }
    }
  }
}
