/**
 * What the kinds with a Pod template may say.
 * Models: pkg/apis/apps/validation/validation.go, pkg/apis/core/validation/validation.go @ v1.36
 */
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import type { JsonObject } from "../types.ts";
import { at, num, obj, same } from "./access.ts";
import type { Obj } from "./definition.ts";
import { internalJson } from "./internal-json.ts";
import {
  countOrPercentErrors,
  isZero,
  negativeErrors,
  over100PercentErrors,
} from "./shared-validation.ts";
import {
  matchedTemplate,
  selectedNodesTemplate,
  selectedTemplate,
} from "./template-validation.ts";

export function deploymentErrors(object: Obj): FieldError[] {
  const spec = obj(object.spec);
  const { minReadySeconds, progressDeadlineSeconds: deadline } = spec;
  const errors = [
    ...negativeErrors(spec.replicas, "spec.replicas"),
    ...selectedTemplate(spec, "deployment", "ReplicaSet"),
    ...deploymentStrategyErrors(obj(spec.strategy), "spec.strategy"),
    ...negativeErrors(minReadySeconds, "spec.minReadySeconds"),
    ...negativeErrors(spec.revisionHistoryLimit, "spec.revisionHistoryLimit"),
  ];
  if (deadline === undefined) return errors;
  errors.push(...negativeErrors(deadline, "spec.progressDeadlineSeconds"));
  if (num(deadline) <= num(minReadySeconds)) {
    const rule = "must be greater than minReadySeconds";
    errors.push(invalid("spec.progressDeadlineSeconds", deadline, rule));
  }
  return errors;
}

function deploymentStrategyErrors(
  strategy: JsonObject,
  path: string,
): FieldError[] {
  const { type, rollingUpdate } = strategy;
  const here = `${path}.rollingUpdate`;
  if (type === "Recreate") {
    const rule = "may not be specified when strategy `type` is 'Recreate'";
    return rollingUpdate === undefined ? [] : [forbidden(here, rule)];
  }
  if (type !== "RollingUpdate") {
    const shown = internalJson("DeploymentStrategy", strategy);
    return [notSupported(path, shown, ["Recreate", "RollingUpdate"])];
  }
  if (rollingUpdate === undefined) {
    return [required(here, "this should be defaulted and never be nil")];
  }
  const { maxUnavailable, maxSurge } = obj(rollingUpdate);
  const errors = [
    ...countOrPercentErrors(maxUnavailable, `${here}.maxUnavailable`),
    ...countOrPercentErrors(maxSurge, `${here}.maxSurge`),
  ];
  if (isZero(maxUnavailable) && isZero(maxSurge)) {
    const rule = "may not be 0 when `maxSurge` is 0";
    errors.push(invalid(`${here}.maxUnavailable`, maxUnavailable, rule));
  }
  return [
    ...errors,
    ...over100PercentErrors(maxUnavailable, `${here}.maxUnavailable`),
  ];
}

export function fixedSelector(object: Obj, old: Obj): FieldError[] {
  const selector = at(object, "spec", "selector");
  if (same(selector, at(old, "spec", "selector"))) return [];
  return [invalid("spec.selector", selector ?? null, "field is immutable")];
}

export function replicaSetErrors(object: Obj): FieldError[] {
  const spec = obj(object.spec);
  return [
    ...negativeErrors(spec.replicas, "spec.replicas"),
    ...negativeErrors(spec.minReadySeconds, "spec.minReadySeconds"),
    // The word is upstream's.
    ...selectedTemplate(spec, "deployment", "ReplicaSet"),
  ];
}

export function controllerErrors(object: Obj): FieldError[] {
  const spec = obj(object.spec);
  const errors = negativeErrors(spec.minReadySeconds, "spec.minReadySeconds");
  const selector = obj(spec.selector);
  const empty = Object.keys(selector).length === 0;
  if (empty) errors.push(required("spec.selector"));
  errors.push(...negativeErrors(spec.replicas, "spec.replicas"));
  if (spec.template === undefined)
    return [...errors, required("spec.template")];
  const matchLabels = empty ? {} : selector;
  return [
    ...errors,
    ...matchedTemplate(spec, { matchLabels }, "ReplicationController"),
  ];
}

export function daemonSetErrors(object: Obj): FieldError[] {
  const spec = obj(object.spec);
  return [
    ...selectedNodesTemplate(spec),
    ...negativeErrors(spec.minReadySeconds, "spec.minReadySeconds"),
    ...daemonStrategyErrors(obj(spec.updateStrategy), "spec.updateStrategy"),
    ...negativeErrors(spec.revisionHistoryLimit, "spec.revisionHistoryLimit"),
  ];
}

function daemonStrategyErrors(
  strategy: JsonObject,
  path: string,
): FieldError[] {
  const { type, rollingUpdate } = strategy;
  if (type === "OnDelete") return [];
  if (type !== "RollingUpdate") {
    const shown = internalJson("DaemonSetUpdateStrategy", strategy);
    return [notSupported(path, shown, ["RollingUpdate", "OnDelete"])];
  }
  const here = `${path}.rollingUpdate`;
  if (rollingUpdate === undefined) return [required(here)];
  const { maxUnavailable, maxSurge } = obj(rollingUpdate);
  const errors = [
    ...countOrPercentErrors(maxUnavailable, `${here}.maxUnavailable`),
    ...countOrPercentErrors(maxSurge, `${here}.maxSurge`),
    ...over100PercentErrors(maxUnavailable, `${here}.maxUnavailable`),
    ...over100PercentErrors(maxSurge, `${here}.maxSurge`),
  ];
  if (!isZero(maxUnavailable) && !isZero(maxSurge)) {
    const rule = "may not be set when maxUnavailable is non-zero";
    errors.push(invalid(`${here}.maxSurge`, maxSurge, rule));
  }
  if (isZero(maxUnavailable) && isZero(maxSurge)) {
    const rule = "cannot be 0 when maxSurge is 0";
    errors.push(required(`${here}.maxUnavailable`, rule));
  }
  return errors;
}
