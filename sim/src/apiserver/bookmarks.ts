/**
 * Bookmarks: about once a minute every watcher that asked for it is told the
 * newest version, so that it can go on from there and not from far back. One
 * timer serves all watchers; there is none while nobody asked.
 */
import type { Kernel, Timer } from "../kernel/index.ts";

const BOOKMARK_MS = 60_000;

export class Bookmarks {
  private readonly kernel: Kernel;
  private readonly senders = new Set<() => void>();
  private timer: Timer | null = null;

  constructor(kernel: Kernel) {
    this.kernel = kernel;
  }

  /** Calls `send` each minute until the returned function is called. */
  add(send: () => void): () => void {
    this.senders.add(send);
    this.arm();
    return () => {
      this.senders.delete(send);
      if (this.senders.size > 0) return;
      this.timer?.cancel();
      this.timer = null;
    };
  }

  private arm(): void {
    if (this.timer) return;
    const { causeId } = this.kernel;
    this.kernel.causeId = 0;
    this.timer = this.kernel.after(BOOKMARK_MS, () => {
      this.timer = null;
      for (const send of this.senders) send();
      if (this.senders.size > 0) this.arm();
    });
    this.kernel.causeId = causeId;
  }
}
