/**
 * Pod failure policy: what one failed Pod means for its Job.
 * Models: pkg/controller/job/pod_failure_policy.go @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import type {
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
} from "../../api/kinds/types/batch.ts";
import type { ContainerStatus } from "../../api/kinds/types/pod.ts";

export interface Verdict {
  /** FailJob, FailIndex, Ignore or Count; absent: no rule matched. */
  readonly action?: string;
  /** It counts towards the backoff limit. */
  readonly counts: boolean;
  /** Why the Job fails, with FailJob. */
  readonly message?: string;
}

// region: judge
/** The first rule that matches decides. */
export function judgeFailure(
  policy: PodFailurePolicy | undefined,
  pod: Pod,
): Verdict {
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    const why = rule.onExitCodes
      ? exitCodeMatch(pod, rule.onExitCodes)
      : conditionMatch(pod, rule.onPodConditions ?? []);
    if (!why) continue;
    const { action } = rule;
    if (action === "Ignore") return { action, counts: false };
    if (action !== "FailJob") return { action, counts: true };
    const message = `${why} matching ${action} rule at index ${index}`;
    return { action, counts: true, message };
  }
  return { counts: true };
}
// endregion: judge

function exitCodeMatch(
  { metadata, status }: Pod,
  requirement: PodFailurePolicyOnExitCodesRequirement,
): string | undefined {
  const statuses = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []),
  ];
  const found = statuses.find((one) => matches(one, requirement));
  const exitCode = found?.state?.terminated?.exitCode;
  if (!found) return undefined;
  const { namespace, name } = metadata;
  return `Container ${found.name} for pod ${namespace}/${name} failed with exit code ${exitCode}`;
}

function matches(
  { name, state }: ContainerStatus,
  requirement: PodFailurePolicyOnExitCodesRequirement,
): boolean {
  const { containerName, operator, values } = requirement;
  if (containerName && containerName !== name) return false;
  const exitCode = state?.terminated?.exitCode ?? 0;
  if (exitCode === 0) return false;
  return values.includes(exitCode) === (operator === "In");
}

function conditionMatch(
  { metadata, status }: Pod,
  patterns: readonly PodFailurePolicyOnPodConditionsPattern[],
): string | undefined {
  const found = status?.conditions?.find((condition) =>
    patterns.some(
      (pattern) =>
        pattern.type === condition.type &&
        (pattern.status ?? "True") === condition.status,
    ),
  );
  const { namespace, name } = metadata;
  return found && `Pod ${namespace}/${name} has condition ${found.type}`;
}
