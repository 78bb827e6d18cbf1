/**
 * Files of one volume that would lie in each other's place.
 * Models: warningsForOverlappingVirtualPaths of pkg/api/pod/warnings.go @ v1.36
 */
import { quote } from "../go-text.ts";
import { list, obj, str } from "../kinds/access.ts";
import type { JsonObject } from "../types.ts";

export function overlapWarnings(volumes: readonly JsonObject[]): string[] {
  return volumes.flatMap((volume) => {
    const about = `volume ${quote(str(volume.name))}`;
    return [
      ...ofSource(volume, about, ""),
      ...projectedWarnings(volume, about),
    ];
  });
}

/** Sources that list their files, and the field that names each. */
const named = [
  ["configMap", "ConfigMap", "name"],
  ["secret", "Secret", "secretName"],
  ["downwardAPI", "DownwardAPI", ""],
] as const;

function ofSource(volume: JsonObject, about: string, prefix: string) {
  return named.flatMap(([field, kind, nameField]) => {
    const source = obj(volume[field]);
    if (source.items === undefined) return [];
    const name = nameField ? ` ${quote(str(source[nameField]))}` : "";
    return overlaps(
      list(source.items).map((item) => str(item.path)),
      `${about} (${prefix}${kind}${name}): overlapping paths`,
    );
  });
}

function projectedWarnings(volume: JsonObject, about: string): string[] {
  const warnings: string[] = [];
  const all = new Set<string>();
  // A source that lists no files is looked at as the one before it, upstream too.
  let [paths, of]: Listed = [[], ""];
  for (const source of list(obj(volume.projected).sources)) {
    if (Object.keys(source).length === 0) {
      warnings.push(`${about} (Projected) has no sources provided`);
      continue;
    }
    [paths, of] = pathsOf(source) ?? [paths, of];
    if (paths.length === 0) continue;
    const why = `${about} (Projected ${of}): overlapping paths`;
    warnings.push(...overlaps(paths, why));
    const own = [...new Set(paths)];
    warnings.push(...overlaps([...own, ...all].toSorted(), why));
    for (const path of own) all.add(path);
  }
  return warnings;
}

/** Paths, and what lists them. */
type Listed = [readonly string[], string];

function pathsOf(source: JsonObject): Listed | undefined {
  for (const [field, kind, nameField] of named) {
    const { items, name } = obj(source[field]);
    if (items === undefined) continue;
    const paths = list(items).map((item) => str(item.path));
    return [paths, nameField ? `${kind} ${quote(str(name))}` : kind];
  }
  const { serviceAccountToken: token, clusterTrustBundle: bundle } = source;
  if (token !== undefined)
    return [[str(obj(token).path)], "ServiceAccountToken"];
  if (bundle === undefined) return undefined;
  const { name, signerName, path } = obj(bundle);
  return [[str(path)], `ClusterTrustBundle ${quote(str(name ?? signerName))}`];
}

function overlaps(paths: readonly string[], why: string): string[] {
  const warnings: string[] = [];
  const seen = new Set<string>();
  for (const path of paths.map((one) => one.replace(/\/+$/, ""))) {
    const other = [...seen].find((one) => collide(one, path));
    if (other && !seen.has("") && path) {
      warnings.push(`${why}: ${quote(path)} with ${quote(other)}`);
    }
    seen.add(path);
  }
  return warnings;
}

/** As upstream asks: "ab" collides with "a/", but so does "a/b" with "a/bc". */
function collide(one: string, path: string): boolean {
  return `${one}/`.startsWith(path) || `${path}/`.startsWith(one);
}
