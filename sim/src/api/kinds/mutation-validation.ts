/**
 * What a MutatingAdmissionPolicy changes.
 * Models: pkg/apis/admissionregistration/validation/validation.go @ v1.36
 */
import { compileErrors } from "../cel/compile.ts";
import {
  type FieldError,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import type { JsonObject } from "../types.ts";
import { list, obj, str } from "./access.ts";
import { choiceErrors } from "./shared-validation.ts";
import { REINVOCATION_POLICIES } from "./webhook-rules.ts";

/** Type of a patch, and the field that says it. */
const FIELDS: { readonly [patchType: string]: string } = {
  ApplyConfiguration: "applyConfiguration",
  JSONPatch: "jsonPatch",
};

export function mutationErrors(
  spec: JsonObject,
  names: readonly string[],
): FieldError[] {
  const mutations = list(spec.mutations);
  const none = required(
    "spec.mutations",
    "mutations must contain at least one item",
  );
  const { reinvocationPolicy } = spec;
  const path = "spec.reinvocationPolicy";
  return [
    ...(mutations.length === 0 ? [none] : []),
    ...mutations.flatMap((mutation, i) =>
      oneErrors(mutation, `spec.mutations[${i}]`, names),
    ),
    ...choiceErrors(reinvocationPolicy, path, REINVOCATION_POLICIES),
  ];
}

function oneErrors(
  mutation: JsonObject,
  path: string,
  names: readonly string[],
): FieldError[] {
  const patchType = str(mutation.patchType);
  if (!patchType) return [required(`${path}.patchType`)];
  const field = FIELDS[patchType];
  if (!field) {
    const known = Object.keys(FIELDS);
    return [notSupported(`${path}.patchType`, patchType, known)];
  }
  const when = `when patchType is ${patchType}`;
  const others = Object.values(FIELDS)
    .filter((other) => other !== field && mutation[other] !== undefined)
    .map((other) => {
      const rule = `must not be specified ${when}`;
      return invalid(`${path}.${other}`, `{${other}}`, rule);
    });
  const own =
    mutation[field] === undefined
      ? [required(`${path}.${field}`, `must be specified ${when}`)]
      : patchErrors(
          str(obj(mutation[field]).expression).trim(),
          `${path}.${field}.expression`,
          names,
        );
  return [...own, ...others];
}

function patchErrors(
  expression: string,
  path: string,
  names: readonly string[],
): FieldError[] {
  if (!expression) return [required(path)];
  return compileErrors(expression, names, []).map((text) =>
    invalid(path, expression, text),
  );
}
