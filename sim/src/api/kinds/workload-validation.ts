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
import type { Json, JsonObject, Labels } from "../types.ts";
import { at, list, num, obj, same, str } from "./access.ts";
import type { Obj } from "./definition.ts";
import { validateAnnotations, validateLabels } from "./metadata.ts";
import { podSpecErrors } from "./pod-validation.ts";
import {
  countOrPercentErrors,
  isZero,
  negativeErrors,
  over100PercentErrors,
  readSelector,
  selectorErrors,
} from "./shared-validation.ts";

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
function selectedTemplate(
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

function matchedTemplate(
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
    return [
      notSupported(`${path}.type`, str(type), ["Recreate", "RollingUpdate"]),
    ];
  }
  if (rollingUpdate === undefined)
    return [required(here, "this should be defaulted")];
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
    ...selectedTemplate(spec, "replicaset", "ReplicaSet"),
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

export function statefulSetErrors(object: Obj): FieldError[] {
  const spec = obj(object.spec);
  const errors: FieldError[] = [];
  const management = spec.podManagementPolicy;
  const policies = ["OrderedReady", "Parallel"];
  if (!management) errors.push(required("spec.podManagementPolicy"));
  else if (!policies.includes(str(management))) {
    const rule = `must be '${policies[0]}' or '${policies[1]}'`;
    errors.push(invalid("spec.podManagementPolicy", management, rule));
  }
  const { type, rollingUpdate } = obj(spec.updateStrategy);
  if (type === "OnDelete" && rollingUpdate !== undefined) {
    const rule = "only allowed for updateStrategy 'RollingUpdate'";
    errors.push(
      invalid("spec.updateStrategy.rollingUpdate", rollingUpdate, rule),
    );
  } else if (type !== "OnDelete" && type !== "RollingUpdate") {
    const rule = "must be 'RollingUpdate' or 'OnDelete'";
    errors.push(invalid("spec.updateStrategy", spec.updateStrategy, rule));
  }
  const { partition } = obj(rollingUpdate);
  const here = "spec.updateStrategy.rollingUpdate.partition";
  return [
    ...errors,
    ...negativeErrors(partition, here),
    ...negativeErrors(spec.replicas, "spec.replicas"),
    ...negativeErrors(spec.minReadySeconds, "spec.minReadySeconds"),
    ...selectedTemplate(spec, "statefulset", "StatefulSet"),
  ];
}

const changeable = [
  ...[
    "replicas",
    "ordinals",
    "template",
    "updateStrategy",
    "revisionHistoryLimit",
  ],
  ...["persistentVolumeClaimRetentionPolicy", "minReadySeconds"],
];

export function statefulSetChange(object: Obj, old: Obj): FieldError[] {
  const fixed = (spec: JsonObject) =>
    Object.fromEntries(
      Object.entries(spec).filter(([name]) => !changeable.includes(name)),
    );
  if (same(fixed(obj(object.spec)), fixed(obj(old.spec)))) return [];
  const rule =
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', " +
    "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and " +
    "'minReadySeconds' are forbidden";
  return [forbidden("spec", rule)];
}

export function daemonSetErrors(object: Obj): FieldError[] {
  const spec = obj(object.spec);
  return [
    ...selectedTemplate(spec, "daemonset", "DaemonSet"),
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
    return [
      notSupported(`${path}.type`, str(type), ["RollingUpdate", "OnDelete"]),
    ];
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
    errors.push(invalid(`${here}.maxUnavailable`, maxUnavailable, rule));
  }
  return errors;
}
