/**
 * A term of Pod affinity, ready to be asked: does this other Pod match?
 * Models:     kube-scheduler/framework/types.go (AffinityTerm) @ v1.36
 * Leaves out: matchLabelKeys; the API server merges them into the selector.
 */
import type { PodAffinity, PodAffinityTerm } from "../../api/kinds/pod.ts";
import {
  type LabelSelector,
  labelSelector,
  SelectorError,
} from "../../api/selector.ts";
import type { Labels } from "../../api/types.ts";

export interface AffinityTerm {
  readonly namespaces: ReadonlySet<string>;
  /** By the labels of the namespace; matches none if the term has none. */
  readonly namespaceSelector: LabelSelector;
  readonly selector: LabelSelector;
  readonly topologyKey: string;
}

export interface WeightedTerm extends AffinityTerm {
  readonly weight: number;
}

/** The other Pod's side of the question. */
interface Candidate {
  readonly namespace: string;
  readonly pod: { readonly metadata: { readonly labels?: Labels } };
}

/** `namespaceLabels`: those of the other Pod's namespace. */
export function termMatches(
  term: AffinityTerm,
  { namespace, pod }: Candidate,
  namespaceLabels?: Labels,
): boolean {
  return (
    (term.namespaces.has(namespace) ||
      (namespaceLabels !== undefined &&
        term.namespaceSelector.matches(namespaceLabels))) &&
    term.selector.matches(pod.metadata.labels)
  );
}

export function affinityTerms(
  namespace: string,
  { requiredDuringSchedulingIgnoredDuringExecution }: PodAffinity,
): AffinityTerm[] {
  const terms = requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.flatMap((term) => read(namespace, term));
}

export function weightedTerms(
  namespace: string,
  { preferredDuringSchedulingIgnoredDuringExecution }: PodAffinity,
): WeightedTerm[] {
  const terms = preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.flatMap(({ weight, podAffinityTerm }) =>
    read(namespace, podAffinityTerm).map((term) => ({ ...term, weight })),
  );
}

/** Names no namespace and selects none: it means the Pod's own. */
function read(own: string, term: PodAffinityTerm): AffinityTerm[] {
  const { namespaces, namespaceSelector, topologyKey } = term;
  const named = namespaces?.length ? namespaces : undefined;
  try {
    return [
      {
        namespaces: new Set(named ?? (namespaceSelector ? [] : [own])),
        namespaceSelector: labelSelector(namespaceSelector),
        selector: labelSelector(term.labelSelector),
        topologyKey,
      },
    ];
  } catch (error) {
    if (error instanceof SelectorError) return [];
    throw error;
  }
}
