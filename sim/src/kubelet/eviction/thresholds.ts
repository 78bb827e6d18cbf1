/**
 * When a node counts as short of something: thresholds on what is still
 * available, hard ones that act at once and soft ones that wait.
 * Models:     pkg/kubelet/eviction/{helpers,defaults_linux}.go, api/types.go @ v1.36
 * Leaves out: containerfs.* and allocatableMemory.available, which here are
 *             nodefs.* (or imagefs.*) and memory.available.
 */
import {
  bytes,
  canonicalQuantity,
  formatQuantity,
} from "../../api/quantity.ts";
import { type KubeletConfiguration, parseGoDuration } from "../settings.ts";

export type Signal =
  | "memory.available"
  | "nodefs.available"
  | "nodefs.inodesFree"
  | "imagefs.available"
  | "imagefs.inodesFree"
  | "pid.available";

export type Condition = "MemoryPressure" | "DiskPressure" | "PIDPressure";

export interface Threshold {
  readonly signal: Signal;
  /** `100Mi`, or a share of the capacity: `10%`. */
  readonly value: string;
  /** 0 for a hard one. */
  readonly gracePeriodMs: number;
  /** Once met, it stays met until so much more is available. */
  readonly minReclaim?: string;
}

export const DEFAULT_EVICTION_HARD: Readonly<Record<string, string>> = {
  "memory.available": "100Mi",
  "nodefs.available": "10%",
  "nodefs.inodesFree": "5%",
  "imagefs.available": "15%",
  "imagefs.inodesFree": "5%",
};

/** Each signal's condition of the Node and name of the resource. */
export const SIGNALS: Readonly<Record<Signal, [Condition, string]>> = {
  "memory.available": ["MemoryPressure", "memory"],
  "nodefs.available": ["DiskPressure", "ephemeral-storage"],
  "nodefs.inodesFree": ["DiskPressure", "inodes"],
  "imagefs.available": ["DiskPressure", "ephemeral-storage"],
  "imagefs.inodesFree": ["DiskPressure", "inodes"],
  "pid.available": ["PIDPressure", "pids"],
};

/** Signals that the real kubelet knows, and this one does not measure. */
const UNMEASURED =
  /^containerfs\.(available|inodesFree)$|^allocatableMemory\.available$/;

/** Hard ones first. Throws what the kubelet would refuse to start with. */
export function thresholdsOf(config: KubeletConfiguration): Threshold[] {
  const { evictionHard = DEFAULT_EVICTION_HARD, evictionSoft = {} } = config;
  const { evictionSoftGracePeriod = {}, evictionMinimumReclaim = {} } = config;
  const hard = signalsOf(evictionHard).map(([signal, value]) => {
    return { signal, value, gracePeriodMs: 0 };
  });
  const soft = signalsOf(evictionSoft).map(([signal, value]) => {
    const grace = evictionSoftGracePeriod[signal];
    if (grace !== undefined) {
      return { signal, value, gracePeriodMs: parseGoDuration(grace) };
    }
    const why = "grace period must be specified for the soft eviction";
    throw new Error(`${why} threshold ${signal}`);
  });
  return [...hard, ...soft].map((threshold) => {
    const minReclaim = evictionMinimumReclaim[threshold.signal];
    return minReclaim ? { ...threshold, minReclaim } : threshold;
  });
}

function signalsOf(
  values: Readonly<Record<string, string>>,
): [Signal, string][] {
  return Object.entries(values).flatMap(([name, value]): [Signal, string][] => {
    if (isSignal(name)) {
      // 0% and 100% switch a threshold off.
      return value === "0%" || value === "100%" ? [] : [[name, value]];
    }
    if (UNMEASURED.test(name)) return [];
    throw new Error(`unsupported eviction signal ${name}`);
  });
}

function isSignal(name: string): name is Signal {
  return name in SIGNALS;
}

/** `100Mi` or `10%` of the capacity, as a number. */
export function amountOf(value: string, capacity: number): number {
  if (!value.endsWith("%")) return bytes(value);
  return Math.floor((capacity * Number.parseFloat(value)) / 100);
}

/** The same as messages say it. */
export function amountText(value: string, capacity: number): string {
  if (!value.endsWith("%")) return canonicalQuantity(value);
  return bytesText(amountOf(value, capacity));
}

/** `51540Ki`: the largest unit that leaves no fraction. */
export function bytesText(amount: number): string {
  return quantityText(amount, "BinarySI");
}

export function quantityText(
  amount: number,
  format: "BinarySI" | "DecimalSI",
): string {
  const unscaled = BigInt(Math.trunc(amount));
  return formatQuantity({
    unscaled,
    exponent: 0,
    format,
    text: "",
    big: false,
  });
}
