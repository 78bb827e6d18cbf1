/**
 * The Linux kernel's last resort: when the machine's memory is used up, it
 * kills the process that takes most of it, as the oom_score_adj that the
 * kubelet gave to each container by its QoS class says.
 * Models:     mm/oom_kill.c oom_badness
 * Leaves out: swap, page cache, what the system itself takes.
 * Try:        give a Pod requests, and see who is killed in its place.
 */
import type { Timer } from "../kernel/index.ts";
import type { RuntimeCore } from "./core.ts";
import type { ContainerRecord } from "./records.ts";
import { KILLED } from "./workload/process.ts";

export interface OomVictim {
  /** Name of the program. */
  readonly process: string;
  readonly pid: number;
}

export class OomKiller {
  private readonly core: RuntimeCore;
  private readonly capacityBytes: number;
  /** Memory of all at their start, and how many grow. */
  private baseBytes = 0;
  private growing = 0;
  private timer: Timer | undefined;
  private readonly listeners: ((victim: OomVictim) => void)[] = [];

  constructor(core: RuntimeCore, capacityBytes: number) {
    this.core = core;
    this.capacityBytes = capacityBytes;
  }

  onKill(listener: (victim: OomVictim) => void): void {
    this.listeners.push(listener);
  }

  started(container: ContainerRecord): void {
    this.count(container, 1);
    if (this.growing > 0 || this.baseBytes > this.capacityBytes) this.plan();
  }

  ended(container: ContainerRecord): void {
    this.count(container, -1);
    if (this.timer) this.plan();
  }

  private count({ process, image }: ContainerRecord, sign: 1 | -1): void {
    if (!process) return;
    this.baseBytes += sign * process.memoryAtStart();
    if (image.memoryGrowthBytesPerSecond) this.growing += sign;
  }

  /** When memory is used up if nothing changes before. */
  private plan(): void {
    this.timer?.cancel();
    this.timer = undefined;
    let used = 0;
    let growth = 0;
    for (const { process, image } of this.running()) {
      used += process?.memoryBytes() ?? 0;
      growth += image.memoryGrowthBytesPerSecond ?? 0;
    }
    const left = Math.max(0, this.capacityBytes - used);
    if (left > 0 && growth <= 0) return;
    const delayMs = left > 0 ? (left / growth) * 1000 : 0;
    this.timer = this.core.kernel.after(delayMs, () => this.kill());
  }

  private kill(): void {
    this.timer = undefined;
    const { kernel } = this.core;
    const [victim] = this.running().toSorted(
      (a, b) => this.badness(b) - this.badness(a),
    );
    if (!victim) return;
    const { id, config } = victim;
    const { name } = config.metadata;
    const detail = { id, badness: this.badness(victim) };
    kernel.causeId = this.core.note(`OOM kill ${name}`, detail);
    const pid = this.core.pidOf(victim);
    const process = programOf(victim);
    victim.process?.end(KILLED, "OOMKilled");
    for (const listener of this.listeners) listener({ process, pid });
    this.plan();
  }

  private running(): ContainerRecord[] {
    const all = [...this.core.containers.values()];
    return all.filter(({ state }) => state === "CONTAINER_RUNNING");
  }

  /** Its share of the memory in thousandths, and the adjustment. */
  private badness({ process, config }: ContainerRecord): number {
    const { oom_score_adj = 0 } = config.linux?.resources ?? {};
    const used = process?.memoryBytes() ?? 0;
    return (used * 1000) / this.capacityBytes + oom_score_adj;
  }
}

/** `stress`, or what the image is called. */
function programOf({ config, image }: ContainerRecord): string {
  const word = config.command?.[0] ?? image.name;
  return word.slice(word.lastIndexOf("/") + 1);
}
