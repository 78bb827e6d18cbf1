/** How much of its log a member keeps; the rest is in a snapshot. */
export interface LogLimits {
  /** Entries applied between two snapshots: `--snapshot-count` of kubeadm. */
  readonly snapshotCount: number;
  /** Entries before a snapshot that are kept for members that are slow. */
  readonly catchUpEntries: number;
}

export const LOG_LIMITS: LogLimits = Object.freeze({
  snapshotCount: 10_000,
  catchUpEntries: 5_000,
});
