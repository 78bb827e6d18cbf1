/**
 * Job and CronJob.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/batch/v1/types.go @ v1.36
 */
export const batchSchema = `
Job metadata+:ObjectMeta spec+:JobSpec status+:JobStatus
JobSpec activeDeadlineSeconds*:l backoffLimit*:i backoffLimitPerIndex*:i
  completionMode* completions*:i managedBy* manualSelector*:b
  maxFailedIndexes*:i parallelism*:i podFailurePolicy:PodFailurePolicy
  podReplacementPolicy* selector:LabelSelector successPolicy:SuccessPolicy
  suspend*:b template!:PodTemplateSpec ttlSecondsAfterFinished*:i
PodFailurePolicy rules!:[PodFailurePolicyRule~
PodFailurePolicyRule action!
  onExitCodes:PodFailurePolicyOnExitCodesRequirement
  onPodConditions:[PodFailurePolicyOnPodConditionsPattern
PodFailurePolicyOnExitCodesRequirement containerName* operator! values!:[i#
PodFailurePolicyOnPodConditionsPattern status type!
SuccessPolicy rules!:[SuccessPolicyRule~
SuccessPolicyRule succeededIndexes* succeededCount*:i
JobStatus active:i completedIndexes completionTime:t
  conditions:[JobCondition@type~ failed:i failedIndexes* ready*:i startTime:t
  succeeded:i terminating*:i uncountedTerminatedPods:UncountedTerminatedPods
JobCondition status! lastProbeTime:t lastTransitionTime:t message reason type!
UncountedTerminatedPods failed:[s# succeeded:[s#
CronJob metadata+:ObjectMeta spec!:CronJobSpec status+:CronJobStatus
CronJobSpec concurrencyPolicy=Allow failedJobsHistoryLimit*:i=1
  jobTemplate!:JobTemplateSpec schedule! startingDeadlineSeconds*:l
  successfulJobsHistoryLimit*:i=3 suspend*:b=false timeZone*
JobTemplateSpec metadata+:ObjectMeta spec+:JobSpec
CronJobStatus active:[ObjectReference~ lastScheduleTime:t lastSuccessfulTime:t
`;
