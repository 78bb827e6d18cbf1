/**
 * What the conditions of a namespace say about its deletion.
 * Models: pkg/controller/namespace/deletion/status_condition_utils.go @ v1.36
 */
import type { NamespaceCondition } from "../../api/kinds/types/core.ts";
import type { ResourceRef } from "../../api/resource.ts";
import { findCondition } from "../shared/conditions.ts";

/** What one round of deletions met. */
export interface Findings {
  /** Objects that are left, by kind. */
  readonly remaining: Map<ResourceRef, number>;
  /** Objects that are left, by finalizer. */
  readonly finalizers: Map<string, number>;
  readonly failures: string[];
  /** How long what is left may take to go. */
  estimateSeconds: number;
}

type Said = readonly [type: string, reason: string, message: string];

const FINE: readonly Said[] = [
  [
    "NamespaceDeletionDiscoveryFailure",
    "ResourcesDiscovered",
    "All resources successfully discovered",
  ],
  [
    "NamespaceDeletionGroupVersionParsingFailure",
    "ParsedGroupVersions",
    "All legacy kube types successfully parsed",
  ],
  [
    "NamespaceDeletionContentFailure",
    "ContentDeleted",
    "All content successfully deleted, may be waiting on finalization",
  ],
  [
    "NamespaceContentRemaining",
    "ContentRemoved",
    "All content successfully removed",
  ],
  [
    "NamespaceFinalizersRemaining",
    "ContentHasNoFinalizers",
    "All content-preserving finalizers finished",
  ],
];

/** The five conditions; a transition time changes only with its text. */
export function conditionsAfter(
  old: readonly NamespaceCondition[],
  findings: Findings,
  now: string,
): readonly NamespaceCondition[] {
  const troubles = troublesOf(findings);
  const next = FINE.map((fine) => {
    const [type] = fine;
    const trouble = troubles.find((said) => said[0] === type);
    const [, reason, message] = trouble ?? fine;
    const status = trouble ? "True" : "False";
    const before = findCondition(old, type);
    const same =
      before?.status === status &&
      before.reason === reason &&
      before.message === message;
    const lastTransitionTime = same ? before.lastTransitionTime : now;
    return { type, status, lastTransitionTime, reason, message };
  });
  const types = new Set(FINE.map(([type]) => type));
  return [...old.filter(({ type }) => !types.has(type)), ...next];
}

function troublesOf({ remaining, finalizers, failures }: Findings): Said[] {
  const troubles: Said[] = [];
  const tell = (...said: Said) => troubles.push(said);
  if (failures.length > 0) {
    tell(
      "NamespaceDeletionContentFailure",
      "ContentDeletionFailed",
      `Failed to delete all resource types, ${failures.length} remaining: ${list(failures)}`,
    );
  }
  if (remaining.size > 0) {
    const counts = [...remaining].map(
      ([ref, n]) => `${ref.resource}.${ref.group} has ${n} resource instances`,
    );
    tell(
      "NamespaceContentRemaining",
      "SomeResourcesRemain",
      `Some resources are remaining: ${list(counts)}`,
    );
  }
  if (finalizers.size > 0) {
    const counts = [...finalizers].map(
      ([name, n]) => `${name} in ${n} resource instances`,
    );
    tell(
      "NamespaceFinalizersRemaining",
      "SomeFinalizersRemain",
      `Some content in the namespace has finalizers remaining: ${list(counts)}`,
    );
  }
  return troubles;
}

function list(texts: readonly string[]): string {
  return texts.toSorted().join(", ");
}
