/**
 * Lists of conditions: one of each type, never changed in place.
 * Models: pkg/controller/deployment/util, pkg/controller/replicaset @ v1.36
 */

interface HasType {
  readonly type: string;
}

interface Transition extends HasType {
  readonly status: string;
  readonly reason?: string;
  readonly lastTransitionTime?: string;
}

export function findCondition<C extends HasType>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function withoutCondition<C extends HasType>(
  conditions: readonly C[] | undefined,
  type: string,
): readonly C[] {
  return (conditions ?? []).filter((condition) => condition.type !== type);
}

/**
 * Puts `condition` at the end of the list. Nothing changes if status and
 * reason are the same; the transition time stays while the status does.
 */
export function withCondition<C extends Transition>(
  conditions: readonly C[] | undefined,
  condition: C,
): readonly C[] {
  const old = findCondition(conditions, condition.type);
  const sameStatus = old?.status === condition.status;
  if (old && sameStatus && old.reason === condition.reason) {
    return conditions ?? [];
  }
  const lastTransitionTime = sameStatus
    ? old?.lastTransitionTime
    : condition.lastTransitionTime;
  const kept = withoutCondition(conditions, condition.type);
  return [...kept, { ...condition, lastTransitionTime }];
}
