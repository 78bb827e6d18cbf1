/**
 * What a Pod template may say, and the selector that finds its Pods.
 * Models: pkg/apis/apps/validation/validation.go, pkg/apis/core/validation/validation.go @ v1.36
 */
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import type { Json, JsonObject, Labels } from "../types.ts";
import { at, list, obj } from "./access.ts";
import { validateAnnotations, validateLabels } from "./metadata.ts";
import { podSpecErrors } from "./pod-validation.ts";
import { readSelector, selectorErrors } from "./shared-validation.ts";

export function templateErrors(template: unknown, path: string): FieldError[] {
  const metadata = obj(obj(template).metadata);
  return [
    ...validateLabels(
      metadata.labels as Labels | undefined,
      `${path}.metadata.labels`,
    ),
    ...validateAnnotations(
      metadata.annotations as Labels | undefined,
      `${path}.metadata.annotations`,
    ),
    ...podSpecErrors(obj(obj(template).spec), `${path}.spec`),
  ];
}

/** The selector is there, and its template's labels match it. */
export function selectedTemplate(
  spec: JsonObject,
  owner: string,
  kind: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const { selector } = spec;
  if (selector === undefined) errors.push(required("spec.selector"));
  else {
    errors.push(...selectorErrors(selector, "spec.selector"));
    if (isEmptySelector(selector)) {
      errors.push(
        invalid(
          "spec.selector",
          selector,
          `empty selector is invalid for ${owner}`,
        ),
      );
    }
  }
  // A selector that cannot be read has been told of already.
  if (errors.length > 0 && selector !== undefined && !isEmptySelector(selector))
    return errors;
  return [...errors, ...matchedTemplate(spec, selector, kind)];
}

function isEmptySelector(selector: Json): boolean {
  const { matchLabels, matchExpressions } = obj(selector);
  return (
    Object.keys(obj(matchLabels)).length === 0 &&
    list(matchExpressions).length === 0
  );
}

export function matchedTemplate(
  spec: JsonObject,
  selector: Json,
  kind: string,
): FieldError[] {
  const path = "spec.template";
  const labels = obj(at(spec, "template", "metadata", "labels")) as Labels;
  const errors: FieldError[] = [];
  const wanted = readSelector(selector);
  if (wanted && !wanted.empty && !wanted.matches(labels)) {
    const rule = "`selector` does not match template `labels`";
    errors.push(invalid(`${path}.metadata.labels`, labels, rule));
  }
  errors.push(...templateErrors(spec.template, path));
  return [...errors, ...alwaysRestarts(spec, kind)];
}

function alwaysRestarts(spec: JsonObject, kind: string): FieldError[] {
  const path = "spec.template.spec";
  const { restartPolicy, activeDeadlineSeconds } = obj(
    at(spec, "template", "spec"),
  );
  const errors: FieldError[] = [];
  if (restartPolicy && restartPolicy !== "Always") {
    errors.push(
      notSupported(`${path}.restartPolicy`, restartPolicy, ["Always"]),
    );
  }
  if (activeDeadlineSeconds !== undefined) {
    const rule = `activeDeadlineSeconds in ${kind} is not Supported`;
    errors.push(forbidden(`${path}.activeDeadlineSeconds`, rule));
  }
  return errors;
}
