/**
 * Names that mark the Pods of Jobs.
 * Models: staging/src/k8s.io/api/batch/v1/types.go @ v1.36
 */
export const TRACKING_FINALIZER = "batch.kubernetes.io/job-tracking";
export const FAILURE_COUNT = "batch.kubernetes.io/job-index-failure-count";
export const IGNORED_FAILURE_COUNT =
  "batch.kubernetes.io/job-index-ignored-failure-count";
/** Longest beginning of a generated name. */
export const MAX_GENERATED_NAME = 58;
