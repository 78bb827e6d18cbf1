/**
 * ValidatingAdmissionPolicy: rules written as expressions, in the cluster,
 * without a webhook.
 * Models: apiserver/pkg/admission/plugin/policy/validating/{dispatcher,
 *         validator}.go @ v1.36
 */

import { CelError, evaluateCel } from "../../../api/cel/cel.ts";
import { list, str, strings } from "../../../api/kinds/access.ts";
import { StatusError } from "../../../api/status.ts";
import type { JsonObject } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import { type AdmissionPlugin, refuse } from "../plugin.ts";
import { type Matched, matchedPolicies } from "./matched.ts";

const CODES: { readonly [reason: string]: number } = {
  Unauthorized: 401,
  Forbidden: 403,
  Invalid: 422,
  RequestEntityTooLarge: 413,
};

export const validatingAdmissionPolicy: AdmissionPlugin = {
  name: "ValidatingAdmissionPolicy",
  handles: ({ group, resource }) =>
    group !== "admissionregistration.k8s.io" || !resource.includes("polic"),
  validate(ctx) {
    for (const matched of matchedPolicies(ctx, "validatingadmissionpolicies")) {
      for (const validation of list(matched.spec.validations)) {
        const message = problem(matched, validation);
        if (message) act(ctx, matched, message, str(validation.reason));
      }
    }
  },
};

/** What is wrong; "" if the validation holds. */
function problem({ names, spec }: Matched, validation: JsonObject): string {
  const expression = str(validation.expression);
  try {
    if (evaluateCel(expression, names) === true) return "";
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    if (spec.failurePolicy === "Ignore") return "";
    return `expression '${expression}' resulted in error: ${error.message}`;
  }
  const worked = messageOf(str(validation.messageExpression), names);
  return (
    worked || str(validation.message) || `failed expression: ${expression}`
  );
}

function messageOf(expression: string, names: Matched["names"]): string {
  if (!expression) return "";
  try {
    const message = evaluateCel(expression, names);
    return typeof message === "string" ? message.trim() : "";
  } catch (error) {
    if (error instanceof CelError) return "";
    throw error;
  }
}

/** Refuses, warns or notes, as the binding says. */
function act(
  ctx: RequestContext,
  { policy, binding }: Matched,
  message: string,
  reason: string,
): void {
  const of = `ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}'`;
  const { validationActions } = binding.spec as JsonObject;
  const actions = strings(validationActions);
  if (actions.includes("Warn")) {
    ctx.warnings.push(`Validation failed for ${of}: ${message}`);
  }
  if (!actions.includes("Deny")) return;
  const text = `${of} denied request: ${message}`;
  const { status } = refuse(ctx, text);
  const code = CODES[reason] ?? 422;
  throw new StatusError({
    ...status,
    reason: reason || "Invalid",
    code,
    details: { ...status.details, causes: [{ message: text }] },
  });
}
