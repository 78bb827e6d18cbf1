/**
 * Which of several versions of a resource is meant where none is named.
 * Models: client-go/discovery ServerPreferredResources @ v1.36
 */
import type { Kind } from "../api/kinds/definition.ts";

/** Of several versions of a resource, the newest stable one. */
export function preferred(kinds: readonly Kind[]): readonly Kind[] {
  const best = new Map<string, Kind>();
  for (const kind of kinds) {
    if (kind.verbs.length === 0) continue;
    const key = `${kind.group}/${kind.resource}`;
    const known = best.get(key);
    if (!known || known.version < kind.version) best.set(key, kind);
  }
  return [...best.values()];
}
