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

/** True if `version` is `least` or newer. Throws if one is no version. */
export function atLeast(version: string, least: string): boolean {
  // Those of the specification need no reading: the list is in order.
  const at = ALL_VERSIONS.indexOf(version);
  const from = ALL_VERSIONS.indexOf(least);
  if (at >= 0 && from >= 0) return at >= from;
  const a = partsOf(version);
  const b = partsOf(least);
  for (let i = 0; i < 3; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function partsOf(version: string): number[] {
  // Who says no version means the first.
  const parts = (version || "0.1.0").split(".");
  if (parts.length > 3) {
    throw new Error(`invalid version "${version}": too many parts`);
  }
  return parts.map((part, i) => {
    if (/^[+-]?\d+$/.test(part)) return Number(part);
    const what = `${["major", "minor", "micro"][i]} version part "${part}"`;
    const reason = `strconv.Atoi: parsing "${part}": invalid syntax`;
    throw new Error(`failed to convert ${what}: ${reason}`);
  });
}
