/** Versions of the CNI specification. Models: containernetworking/cni pkg/version */

/** All that the plugins of this folder speak, oldest first. */
export const ALL_VERSIONS: readonly string[] = [
  "0.1.0",
  "0.2.0",
  "0.3.0",
  "0.3.1",
  "0.4.0",
  "1.0.0",
  "1.1.0",
];

/** Those from `first` on. */
export function versionsFrom(first: string): readonly string[] {
  return ALL_VERSIONS.filter((version) => atLeast(version, first));
}

/** True if `version` is `least` or newer. */
export function atLeast(version: string, least: string): boolean {
  const a = version.split(".").map(Number);
  const b = least.split(".").map(Number);
  for (let i = 0; i < 3; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
