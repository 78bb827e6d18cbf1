/**
 * Success policy: a Job may be done before all its indexes are.
 * Models: pkg/controller/job/success_policy.go @ v1.36
 */
import type { SuccessPolicy } from "../../api/kinds/types/batch.ts";
import {
  countIndexes,
  hasIndex,
  type Indexes,
  parseIndexes,
} from "./indexes.ts";

/** Which rule is met, as the condition's message; undefined if none is. */
export function metSuccessRule(
  policy: SuccessPolicy | undefined,
  completions: number,
  succeeded: Indexes,
): string | undefined {
  if (succeeded.length === 0) return undefined;
  const rules = policy?.rules ?? [];
  const index = rules.findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) {
      return countIndexes(succeeded) >= (succeededCount ?? Number.MAX_VALUE);
    }
    const wanted = parseIndexes(succeededIndexes, completions);
    if (wanted.length === 0) return false; // All lie beyond `completions`.
    const common = countCommon(wanted, succeeded);
    const enough = succeededCount ?? Number.MAX_VALUE;
    return common === countIndexes(wanted) || common >= enough;
  });
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}

function countCommon(a: Indexes, b: Indexes): number {
  let count = 0;
  for (const { first, last } of a) {
    for (let index = first; index <= last; index++) {
      if (hasIndex(b, index)) count++;
    }
  }
  return count;
}
