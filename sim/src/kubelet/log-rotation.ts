/**
 * Log rotation: a container's log that has grown to 10 MiB is put aside and a
 * new one begun; of those put aside all but the newest are compressed, and no
 * more than five files are kept. `kubectl logs` shows the newest one alone.
 * (Only containers whose log is large enough are looked at.)
 * Models:     pkg/kubelet/logs/container_log_manager.go @ v1.36
 * Leaves out: several workers; what a failed rotation leaves behind.
 */

import { bytes } from "../api/quantity.ts";
import type { RuntimeService } from "../cri/api.ts";
import type { Kernel, Timer } from "../kernel/index.ts";
import { messageOf } from "./runtime/context.ts";
import { type KubeletConfiguration, parseGoDuration } from "./settings.ts";

/** The node's folder of logs. */
export interface NodeLogs {
  /** Containers that run and have a log of so many bytes at least. */
  large(bytes: number): readonly string[];
  /** Files that were made of this one, the oldest first. */
  rotated(path: string): readonly string[];
  rename(path: string, to: string): void;
  /** Makes `path.gz` of it. */
  compress(path: string): void;
  remove(path: string): void;
}

export interface LogRotationHost {
  readonly kernel: Kernel;
  /** `kubelet/node-1`. */
  readonly actor: string;
  readonly runtime: RuntimeService;
  readonly logs: NodeLogs;
  readonly configuration: KubeletConfiguration;
}

export class LogRotation {
  private readonly host: LogRotationHost;
  private readonly maxBytes: number;
  private readonly maxFiles: number;
  private readonly periodMs: number;
  private timer: Timer | undefined;

  constructor(host: LogRotationHost) {
    this.host = host;
    const { containerLogMaxSize = "10Mi" } = host.configuration;
    const { containerLogMaxFiles = 5 } = host.configuration;
    const { containerLogMonitorInterval = "10s" } = host.configuration;
    this.maxBytes = bytes(containerLogMaxSize);
    this.maxFiles = containerLogMaxFiles;
    this.periodMs = parseGoDuration(containerLogMonitorInterval);
    if (this.maxFiles > 1) return;
    throw new Error(`invalid MaxFiles ${this.maxFiles}, must be > 1`);
  }

  /** A negative size switches it off. */
  start(): void {
    if (this.maxBytes < 0) return;
    const { kernel, actor, logs } = this.host;
    this.timer = kernel.after(this.periodMs, () => {
      this.start();
      const ids = logs.large(this.maxBytes);
      if (ids.length === 0) return;
      kernel.causeId = 0;
      kernel.spawn(actor, () => this.rotateAll(ids));
    });
  }

  stop(): void {
    this.timer?.cancel();
  }

  private async rotateAll(ids: readonly string[]): Promise<void> {
    const { kernel, actor } = this.host;
    for (const id of ids) {
      try {
        await this.rotate(id);
      } catch (error) {
        const message = messageOf(error);
        kernel.record(actor, "error", "log rotation", "", { message });
      }
    }
  }

  // region: rotate
  private async rotate(id: string): Promise<void> {
    const { kernel, runtime, logs } = this.host;
    const { status } = await runtime.containerStatus({ container_id: id });
    const { log_path: path = "" } = status;
    const rotated = logs.rotated(path);
    // Besides these there will be the new one and the one before it.
    const excess = Math.max(0, rotated.length - (this.maxFiles - 2));
    for (const old of rotated.slice(0, excess)) logs.remove(old);
    for (const kept of rotated.slice(excess)) {
      if (!kept.endsWith(".gz")) logs.compress(kept);
    }
    logs.rename(path, `${path}.${timeOf(kernel.timestamp())}`);
    await runtime.reopenContainerLog({ container_id: id });
  }
  // endregion: rotate
}

/** `2026-01-01T00:00:10Z` → `20260101-000010` */
function timeOf(timestamp: string): string {
  return timestamp.replace(/[-:Z]/g, "").replace("T", "-");
}
