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
  const spec = obj(obj(template).spec);
  // Upstream's paths here leave the metadata out.
  return [
    ...validateLabels(metadata.labels as Labels | undefined, `${path}.labels`),
    ...validateAnnotations(
      metadata.annotations as Labels | undefined,
      `${path}.annotations`,
    ),
    ...podSpecErrors(spec, `${path}.spec`),
    ...(spec.ephemeralContainers ? ephemeralErrors(path) : []),
  ];
}

function ephemeralErrors(path: string): FieldError[] {
  const rule = "ephemeral containers not allowed in pod template";
  return [forbidden(`${path}.spec.ephemeralContainers`, rule)];
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
  if (selector !== undefined && !readSelector(selector)) {
    const why = owner === "statefulset" ? "" : "invalid label selector";
    return [...errors, invalid("spec.selector", selector, why)];
  }
  return [...errors, ...matchedTemplate(spec, selector, kind)];
}

/** The same for a DaemonSet. */
export function selectedNodesTemplate(spec: JsonObject): FieldError[] {
  const { selector } = spec;
  const errors = unselectedErrors(spec);
  if (selector !== undefined && isEmptySelector(selector)) {
    const rule = "empty selector is invalid for daemonset";
    errors.push(invalid("spec.selector", selector, rule));
  }
  errors.push(...templateErrors(spec.template, "spec.template"));
  return [...errors, ...alwaysRestarts(spec, "DaemonSet")];
}

/** A selector that is not there selects nothing, the template's Pods neither. */
export function unselectedErrors(spec: JsonObject): FieldError[] {
  const { selector } = spec;
  const errors = selectorErrors(selector, "spec.selector");
  const labels = templateLabels(spec);
  const wanted = readSelector(selector);
  return wanted && !wanted.matches(labels)
    ? [...errors, mismatch(labels)]
    : errors;
}

function templateLabels(spec: JsonObject): Labels {
  return obj(at(spec, "template", "metadata", "labels")) as Labels;
}

function mismatch(labels: Labels): FieldError {
  const rule = "`selector` does not match template `labels`";
  return invalid("spec.template.metadata.labels", labels, rule);
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
  const labels = templateLabels(spec);
  const errors: FieldError[] = [];
  const wanted = readSelector(selector);
  if (wanted && !wanted.empty && !wanted.matches(labels)) {
    errors.push(mismatch(labels));
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
