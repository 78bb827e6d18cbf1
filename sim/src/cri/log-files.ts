/**
 * The log files of a node's containers. The runtime writes to one that it
 * holds open; whoever renames it has the runtime open a new one. What lies in
 * a file is given by the time in which it was written.
 * Models:     containerd internal/cri/server/container_log_reopen.go @ v2.4
 * Leaves out: partial lines; the text of compressed files.
 */
import type { RuntimeCore } from "./core.ts";
import type { ContainerRecord } from "./records.ts";
import type { LogLine } from "./workload/output.ts";

/** One that was renamed. */
export interface LogFile {
  path: string;
  readonly fromMs: number;
  /** Absent: the runtime still writes to it. */
  toMs?: number;
}

/** Text of logs shrinks to about that part. */
const COMPRESSED = 0.1;

/** Lines of the newest file: what readers see. */
export function currentLog(container: ContainerRecord): readonly LogLine[] {
  const { process, logFromMs } = container;
  return process?.logs(logFromMs) ?? [];
}

/** Bytes of all files of the container. */
export function logBytes(container: ContainerRecord): number {
  const { process, logFromMs, logFiles = [] } = container;
  if (!process) return 0;
  let sum = process.logBytes(logFromMs);
  for (const { path, fromMs, toMs } of logFiles) {
    const bytes = process.logBytes(fromMs, toMs);
    sum += path.endsWith(".gz") ? Math.ceil(bytes * COMPRESSED) : bytes;
  }
  return sum;
}

/** ReopenContainerLog. */
export function reopenLog(core: RuntimeCore, id: string): void {
  const container = core.container(id);
  const now = core.kernel.now();
  const open = container.logFiles?.find(({ toMs }) => toMs === undefined);
  if (open) open.toMs = now;
  container.logFromMs = now;
}

/** The folder of logs, as the kubelet uses it. */
export class LogFolder {
  private readonly core: RuntimeCore;

  constructor(core: RuntimeCore) {
    this.core = core;
  }

  /** Containers that run and have a log of so many bytes at least. */
  large(bytes: number): string[] {
    const ids: string[] = [];
    for (const {
      id,
      state,
      process,
      logFromMs,
    } of this.core.containers.values()) {
      if (state !== "CONTAINER_RUNNING" || !process) continue;
      if (process.logBytes(logFromMs) >= bytes) ids.push(id);
    }
    return ids;
  }

  /** Files that were made of this one, the oldest first. */
  rotated(path: string): string[] {
    const files = this.find(path)?.logFiles ?? [];
    return files.map((file) => file.path).sort();
  }

  rename(path: string, to: string): void {
    const container = this.find(path);
    if (!container) return;
    const fromMs = container.logFromMs ?? 0;
    (container.logFiles ??= []).push({ path: to, fromMs });
  }

  compress(path: string): void {
    for (const { logFiles } of this.core.containers.values()) {
      const file = logFiles?.find((one) => one.path === path);
      if (file) file.path = `${path}.gz`;
    }
  }

  remove(path: string): void {
    for (const container of this.core.containers.values()) {
      const { logFiles } = container;
      if (!logFiles?.some((one) => one.path === path)) continue;
      container.logFiles = logFiles.filter((one) => one.path !== path);
    }
  }

  private find(path: string): ContainerRecord | undefined {
    for (const container of this.core.containers.values()) {
      if (container.logPath === path) return container;
    }
    return undefined;
  }
}
