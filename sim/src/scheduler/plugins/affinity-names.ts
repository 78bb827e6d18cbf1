/**
 * A Pod affinity term may select namespaces by their labels; before it is
 * used their names are looked up, once a cycle.
 * Models: mergeAffinityTermNamespacesIfNotEmpty in pkg/scheduler/framework/
 *         plugins/interpodaffinity/plugin.go @ v1.36
 */
import type { AffinityTerm } from "../cache/affinity-term.ts";
import type { Listers } from "../listers.ts";

/** The term with the names of the namespaces that it selects. */
export function withNames<T extends AffinityTerm>(
  term: T,
  listers: Listers,
): T {
  const { namespaceSelector: selector } = term;
  const selectsNone = !selector.empty && selector.requirements.length === 0;
  if (selectsNone) return term;
  const namespaces = new Set(term.namespaces);
  for (const { name, labels } of listers.namespaces()) {
    if (selector.matches(labels)) namespaces.add(name);
  }
  return { ...term, namespaces };
}
