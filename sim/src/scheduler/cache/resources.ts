/**
 * Amounts of resources, added and taken off. The common ones are plain
 * numbers; extended ones (`example.com/gpu`) are in a map.
 * Models: pkg/scheduler/framework/types.go (Resource) @ v1.36
 */
import type { Amounts } from "../../api/helpers/pod-requests.ts";

export class Resources {
  cpuMilli = 0;
  memoryBytes = 0;
  ephemeralBytes = 0;
  /** Pods that a Node takes; of a Node's allocatable alone. */
  pods = 0;
  /** Extended resources and huge pages; undefined while there is none. */
  scalars: Map<string, number> | undefined;

  constructor(amounts?: Amounts) {
    if (!amounts) return;
    for (const [name, amount] of amounts) this.set(name, amount);
  }

  private set(name: string, amount: number): void {
    if (name === "cpu") this.cpuMilli = amount;
    else if (name === "memory") this.memoryBytes = amount;
    else if (name === "ephemeral-storage") this.ephemeralBytes = amount;
    else if (name === "pods") this.pods = amount;
    else if (isScalar(name)) {
      this.scalars ??= new Map();
      this.scalars.set(name, amount);
    }
  }

  /** Adds (`sign` 1) or takes off (-1). */
  add(other: Resources, sign: 1 | -1): void {
    this.cpuMilli += sign * other.cpuMilli;
    this.memoryBytes += sign * other.memoryBytes;
    this.ephemeralBytes += sign * other.ephemeralBytes;
    if (!other.scalars) return;
    this.scalars ??= new Map();
    for (const [name, amount] of other.scalars) {
      this.scalars.set(name, (this.scalars.get(name) ?? 0) + sign * amount);
    }
  }

  scalar(name: string): number {
    return this.scalars?.get(name) ?? 0;
  }

  clone(): Resources {
    const copy = new Resources();
    copy.pods = this.pods;
    copy.add(this, 1);
    return copy;
  }
}

/** Counted by name alone: `example.com/gpu`, `hugepages-2Mi`. */
function isScalar(name: string): boolean {
  return (
    name.startsWith("hugepages-") ||
    name.startsWith("attachable-volumes-") ||
    name.includes("/")
  );
}
