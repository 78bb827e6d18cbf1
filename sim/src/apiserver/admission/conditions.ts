/**
 * Match conditions: expressions that must all be true for a webhook or a
 * policy to be asked.
 * Models: apiserver/pkg/admission/plugin/webhook/matchconditions @ v1.36
 */

import { CelError, evaluateCel } from "../../api/cel/cel.ts";
import { list, str } from "../../api/kinds/access.ts";
import { internalError } from "../../api/status.ts";
import type { JsonObject } from "../../api/types.ts";
import type { RequestContext } from "../context.ts";
import { bindingsOf } from "./bindings.ts";

/** One that is false decides; one that fails is the policy's to judge. */
export function conditionsHold(
  ctx: RequestContext,
  conditions: JsonObject[string],
  failurePolicy: string,
): boolean {
  const all = list(conditions);
  if (all.length === 0) return true;
  const names = bindingsOf(ctx);
  let failed = "";
  for (const { expression } of all) {
    try {
      if (evaluateCel(str(expression), names) === false) return false;
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      failed ||= error.message;
    }
  }
  if (!failed) return true;
  if (failurePolicy === "Ignore") return false;
  throw internalError(failed);
}
