/**
 * Options of writes that have no such value, or no place in such a request.
 * Models: apimachinery/pkg/apis/meta/v1/validation/validation.go @ v1.36
 */
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
} from "../../api/field-error.ts";
import { invalidObject } from "../../api/status.ts";
import type { RequestOptions } from "../../api/transport.ts";
import type { RequestContext } from "../context.ts";

const APPLY = "application/apply-patch+yaml";

/** Throws 422. */
export function checkOptions({ options, request }: RequestContext): void {
  const { dryRun, fieldManager, fieldValidation, propagationPolicy } = options;
  const said =
    dryRun ||
    fieldManager ||
    fieldValidation ||
    propagationPolicy !== undefined ||
    options.force !== undefined;
  if (said || request.patchType === APPLY) refuseOptions(options, request);
}

const OPTIONS_KIND: { readonly [verb: string]: string } = {
  create: "CreateOptions",
  update: "UpdateOptions",
  patch: "PatchOptions",
  delete: "DeleteOptions",
  deletecollection: "DeleteOptions",
};

function refuseOptions(
  options: RequestOptions,
  { verb, patchType }: RequestContext["request"],
): void {
  const kind = OPTIONS_KIND[verb] ?? "CreateOptions";
  const errors =
    kind === "DeleteOptions"
      ? deleteErrors(options)
      : [
          ...(verb === "patch" ? patchErrors(options, patchType) : []),
          ...managerErrors(options.fieldManager ?? ""),
          ...dryRunErrors(options),
          ...validationErrors(options),
        ];
  if (errors.length === 0) return;
  throw invalidObject({ group: "meta.k8s.io", kind }, "", errors);
}

function patchErrors(
  { fieldManager, force }: RequestOptions,
  patchType: string | undefined,
): FieldError[] {
  if (patchType === APPLY) {
    if (fieldManager) return [];
    return [required("fieldManager", "is required for apply patch")];
  }
  if (force === undefined) return [];
  return [forbidden("force", "may not be specified for non-apply patch")];
}

const MANAGER_BYTES_MAX = 128;
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

function managerErrors(manager: string): FieldError[] {
  const field = "fieldManager";
  const errors: FieldError[] = [];
  let at = 0;
  for (const char of manager) {
    if (UNPRINTABLE.test(char)) {
      const code = char.codePointAt(0)!.toString(16).toUpperCase();
      const why = `invalid character U+${code.padStart(4, "0")} (at position ${at})`;
      errors.push(invalid(field, manager, why));
    }
    at += new TextEncoder().encode(char).length;
  }
  if (at <= MANAGER_BYTES_MAX) return errors;
  return [tooLong(field, MANAGER_BYTES_MAX), ...errors];
}

function dryRunErrors({ dryRun = [] }: RequestOptions): FieldError[] {
  if (dryRun.every((value) => value === "All")) return [];
  return [notSupported("dryRun", dryRun, ["All"])];
}

const VALIDATIONS = ["", "Ignore", "Strict", "Warn"];

function validationErrors({
  fieldValidation = "" as "Warn",
}: RequestOptions): FieldError[] {
  if (VALIDATIONS.includes(fieldValidation)) return [];
  return [notSupported("fieldValidation", fieldValidation, VALIDATIONS)];
}

const POLICIES = ["Foreground", "Background", "Orphan"];

function deleteErrors(options: RequestOptions): FieldError[] {
  const { orphanDependents, propagationPolicy: policy } = options;
  const field = "propagationPolicy";
  const errors: FieldError[] = [];
  if (policy !== undefined && orphanDependents !== undefined) {
    const why = "orphanDependents and deletionPropagation cannot be both set";
    errors.push(invalid(field, policy, why));
  }
  if (policy !== undefined && !POLICIES.includes(policy)) {
    errors.push(notSupported(field, policy, [...POLICIES, "nil"]));
  }
  return [...errors, ...dryRunErrors(options)];
}
