/**
 * The condition that says why Pods could not be created or deleted.
 * Models: pkg/controller/replicaset/replica_set_utils.go @ v1.36
 */
import type { ReplicaSetCondition } from "../../api/kinds/types/apps.ts";
import {
  findCondition,
  withCondition,
  withoutCondition,
} from "./conditions.ts";
import { textOf } from "./pod-control.ts";

const REPLICA_FAILURE = "ReplicaFailure";

/** `missing`: Pods to create; below 0, to delete. The first failure stays. */
export function withFailure(
  conditions: readonly ReplicaSetCondition[] = [],
  missing: number,
  failure: unknown,
  now: string,
): readonly ReplicaSetCondition[] {
  const had = findCondition(conditions, REPLICA_FAILURE);
  if (!failure) return withoutCondition(conditions, REPLICA_FAILURE);
  if (had) return conditions;
  return withCondition(conditions, {
    type: REPLICA_FAILURE,
    status: "True",
    reason: missing > 0 ? "FailedCreate" : "FailedDelete",
    message: textOf(failure),
    lastTransitionTime: now,
  });
}
