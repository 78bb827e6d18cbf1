/**
 * The way of watch events to one in-page watcher: in order, together if they
 * come together, and each under the write that caused it.
 */
import type { WatchHandle, WatchHandler } from "../api/transport.ts";
import type { Status, WatchEvent } from "../api/types.ts";
import type { Kernel } from "../kernel/index.ts";

/** Between whom, and how long an event takes. */
export interface StreamOptions {
  readonly kernel: Kernel;
  /** The API server's name in the trace. */
  readonly from: string;
  readonly to: string;
  readonly delayMs: () => number;
}

export class WatchStream implements WatchHandler, WatchHandle {
  /** The watch at the server, once it is open. */
  opened: WatchHandle | null = null;
  private readonly options: StreamOptions;
  private readonly handler: WatchHandler;
  private queue: { event: WatchEvent; causeId: number }[] = [];
  private stopped = false;
  /** True while a delivery is planned, or the client has no answer yet. */
  private held = true;
  private ended: { error: Status | undefined } | null = null;

  constructor(options: StreamOptions, handler: WatchHandler) {
    this.options = options;
    this.handler = handler;
  }

  onEvent(event: WatchEvent): void {
    if (this.stopped) return;
    this.queue.push({ event, causeId: this.options.kernel.causeId });
    this.plan();
  }

  onEnd(error?: Status): void {
    this.ended = { error };
    this.plan();
  }

  /** The client knows that the watch is open: what came first may follow. */
  release(): void {
    this.held = false;
    if (this.queue.length > 0 || this.ended) this.plan();
  }

  stop(): void {
    this.stopped = true;
    this.queue = [];
    this.opened?.stop();
  }

  private plan(): void {
    if (this.held) return;
    this.held = true;
    const { kernel, delayMs } = this.options;
    kernel.after(delayMs(), () => this.deliver());
  }

  private deliver(): void {
    this.held = false;
    if (this.stopped) return;
    const { kernel, from, to } = this.options;
    if (kernel.faults.blocked(from, to)) {
      this.cut();
      return;
    }
    const events = this.queue;
    this.queue = [];
    for (const { event, causeId } of events) {
      kernel.causeId = causeId;
      kernel.causeId = kernel.record(from, "watch", null, to, event);
      this.handler.onEvent(event);
      if (this.stopped) return;
    }
    if (!this.ended) return;
    this.stopped = true;
    this.handler.onEnd(this.ended.error);
  }

  /** The connection is gone: what was on its way never arrives. */
  private cut(): void {
    this.stop();
    this.handler.onEnd();
  }
}
