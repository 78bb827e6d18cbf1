/**
 * What an administrator may set of a kubelet, by the names of its file.
 * Models:     KubeletConfiguration, kubelet.config.k8s.io/v1beta1 @ v1.36
 * Leaves out: all that nothing here reads.
 * Try:        an `evictionHard` of half of a node's memory.
 */
type Texts = Readonly<Record<string, string>>;

export interface KubeletConfiguration {
  /** Evict at once below this: `{ "memory.available": "100Mi" }`. */
  readonly evictionHard?: Texts;
  /** Evict below this once it has lasted for so long. */
  readonly evictionSoft?: Texts;
  readonly evictionSoftGracePeriod?: Texts;
  /** Go on until so much more than the threshold is free. */
  readonly evictionMinimumReclaim?: Texts;
  /** A condition stays so long after its cause is gone. Default 5m. */
  readonly evictionPressureTransitionPeriod?: string;
  /** Seconds that a soft eviction grants at most. Default 0. */
  readonly evictionMaxPodGracePeriod?: number;
  /** Unused images go from here on. Default 85; 100: never. */
  readonly imageGCHighThresholdPercent?: number;
  /** Until only so much of the disk is used. Default 80. */
  readonly imageGCLowThresholdPercent?: number;
  /** Younger ones stay. Default 2m. */
  readonly imageMinimumGCAge?: string;
  /** Unused for longer, they go in any case. Default 0s: no matter. */
  readonly imageMaximumGCAge?: string;
  /** A log this large is put aside. Default 10Mi; negative: never. */
  readonly containerLogMaxSize?: string;
  /** So many files of a container's log stay. Default 5, 2 at least. */
  readonly containerLogMaxFiles?: number;
  /** How often sizes are looked at. Default 10s. */
  readonly containerLogMonitorInterval?: string;
  /** Where a manifest of a static Pod is to be had over HTTP. */
  readonly staticPodURL?: string;
  /** How often it is asked for. Default 20s. */
  readonly httpCheckFrequency?: string;
  /** So long the machine's shutdown waits for Pods. Default 0s. */
  readonly shutdownGracePeriod?: string;
  /** The last part of it, which is for critical Pods. Default 0s. */
  readonly shutdownGracePeriodCriticalPods?: string;
  /** Instead of both: seconds for all Pods from a priority on. */
  readonly shutdownGracePeriodByPodPriority?: readonly {
    readonly priority: number;
    readonly shutdownGracePeriodSeconds: number;
  }[];
}

const UNITS: Readonly<Record<string, number>> = {
  ...{ ms: 1, s: 1000, m: 60_000, h: 3_600_000 },
};

/** `1m30s` in ms, as Go reads it. Throws on another form. */
export function parseGoDuration(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.map(([part]) => part).join("") !== text || parts.length === 0) {
    if (text === "0") return 0;
    throw new Error(`time: invalid duration ${JSON.stringify(text)}`);
  }
  return parts.reduce(
    (sum, [, amount, unit = ""]) => sum + Number(amount) * UNITS[unit]!,
    0,
  );
}
