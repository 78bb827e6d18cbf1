/**
 * Types: The parts that every object has, and answers.
 * Models: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go @ v1.36
 * Longer because: it is one declaration a struct; none runs.
 */

export interface LabelSelector {
  readonly matchLabels?: { readonly [key: string]: string };
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface ShardInfo {
  readonly selector: string;
}

export interface DeleteOptions {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly dryRun?: readonly string[];
  readonly gracePeriodSeconds?: number;
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
  readonly orphanDependents?: boolean;
  readonly preconditions?: Preconditions;
  readonly propagationPolicy?: string;
}

export interface Preconditions {
  readonly resourceVersion?: string;
  readonly uid?: string;
}
