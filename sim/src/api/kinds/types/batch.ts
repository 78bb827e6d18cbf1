/**
 * Types: Job and CronJob.
 * Models: staging/src/k8s.io/api/batch/v1/types.go @ v1.36
 * Longer because: it is one declaration a struct; none runs.
 */
import type { KubeObject, ObjectMeta } from "../../types.ts";
import type { LabelSelector } from "./meta.ts";
import type { ObjectReference } from "./persistent.ts";
import type { PodTemplateSpec } from "./pod.ts";

export interface Job extends KubeObject {
  readonly spec: JobSpec;
  readonly status?: JobStatus;
}

export interface JobSpec {
  readonly activeDeadlineSeconds?: number;
  readonly backoffLimit?: number;
  readonly backoffLimitPerIndex?: number;
  readonly completionMode?: string;
  readonly completions?: number;
  readonly managedBy?: string;
  readonly manualSelector?: boolean;
  readonly maxFailedIndexes?: number;
  readonly parallelism?: number;
  readonly podFailurePolicy?: PodFailurePolicy;
  readonly podReplacementPolicy?: string;
  readonly selector?: LabelSelector;
  readonly successPolicy?: SuccessPolicy;
  readonly suspend?: boolean;
  readonly template: PodTemplateSpec;
  readonly ttlSecondsAfterFinished?: number;
}

export interface PodFailurePolicy {
  readonly rules: readonly PodFailurePolicyRule[];
}

export interface PodFailurePolicyRule {
  readonly action: string;
  readonly onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  readonly onPodConditions?: readonly PodFailurePolicyOnPodConditionsPattern[];
}

export interface PodFailurePolicyOnExitCodesRequirement {
  readonly containerName?: string;
  readonly operator: string;
  readonly values: readonly number[];
}

export interface PodFailurePolicyOnPodConditionsPattern {
  readonly status?: string;
  readonly type: string;
}

export interface SuccessPolicy {
  readonly rules: readonly SuccessPolicyRule[];
}

export interface SuccessPolicyRule {
  readonly succeededCount?: number;
  readonly succeededIndexes?: string;
}

export interface JobStatus {
  readonly active?: number;
  readonly completedIndexes?: string;
  readonly completionTime?: string;
  readonly conditions?: readonly JobCondition[];
  readonly failed?: number;
  readonly failedIndexes?: string;
  readonly ready?: number;
  readonly startTime?: string;
  readonly succeeded?: number;
  readonly terminating?: number;
  readonly uncountedTerminatedPods?: UncountedTerminatedPods;
}

export interface JobCondition {
  readonly status: string;
  readonly lastProbeTime?: string;
  readonly lastTransitionTime?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly type: string;
}

export interface UncountedTerminatedPods {
  readonly failed?: readonly string[];
  readonly succeeded?: readonly string[];
}

export interface CronJob extends KubeObject {
  readonly spec: CronJobSpec;
  readonly status?: CronJobStatus;
}

export interface CronJobSpec {
  readonly concurrencyPolicy?: string;
  readonly failedJobsHistoryLimit?: number;
  readonly jobTemplate: JobTemplateSpec;
  readonly schedule: string;
  readonly startingDeadlineSeconds?: number;
  readonly successfulJobsHistoryLimit?: number;
  readonly suspend?: boolean;
  readonly timeZone?: string;
}

export interface JobTemplateSpec {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec: JobSpec;
}

export interface CronJobStatus {
  readonly active?: readonly ObjectReference[];
  readonly lastScheduleTime?: string;
  readonly lastSuccessfulTime?: string;
}
