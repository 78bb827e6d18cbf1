/**
 * What a HorizontalPodAutoscaler may say.
 * Models: pkg/apis/autoscaling/validation/validation.go @ v1.36
 */
import {
  type FieldError,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import { isMore } from "../quantity.ts";
import type { JsonObject } from "../types.ts";
import { list, num, obj, str } from "./access.ts";
import type { Obj } from "./definition.ts";
import { metricErrors, referenceErrors } from "./hpa-metric-validation.ts";
import { notNegative, optionalChoiceErrors } from "./shared-validation.ts";

export function autoscalerErrors(object: Obj): FieldError[] {
  const spec = obj(object.spec);
  const errors: FieldError[] = [];
  const { minReplicas } = spec;
  const max = num(spec.maxReplicas);
  if (minReplicas !== undefined && num(minReplicas) < 1) {
    errors.push(
      invalid(
        "spec.minReplicas",
        minReplicas,
        "must be greater than or equal to 1",
      ),
    );
  }
  if (max < 1)
    errors.push(invalid("spec.maxReplicas", max, "must be greater than 0"));
  if (minReplicas !== undefined && max < num(minReplicas)) {
    const rule = "must be greater than or equal to `minReplicas`";
    errors.push(invalid("spec.maxReplicas", max, rule));
  }
  errors.push(
    ...referenceErrors(obj(spec.scaleTargetRef), "spec.scaleTargetRef"),
  );
  for (const [i, metric] of list(spec.metrics).entries()) {
    errors.push(...metricErrors(metric, `spec.metrics[${i}]`));
  }
  return [...errors, ...behaviorErrors(obj(spec.behavior))];
}

function behaviorErrors(behavior: JsonObject): FieldError[] {
  return ["scaleUp", "scaleDown"].flatMap((name) => {
    const rules = obj(behavior[name]);
    const path = `spec.behavior.${name}`;
    const errors: FieldError[] = [];
    const window = rules.stabilizationWindowSeconds;
    if (window !== undefined && num(window) < 0) {
      const rule = "must be greater than or equal to zero";
      errors.push(invalid(`${path}.stabilizationWindowSeconds`, window, rule));
    }
    if (window !== undefined && num(window) > 3600) {
      const rule = "must be less than or equal to 3600";
      errors.push(invalid(`${path}.stabilizationWindowSeconds`, window, rule));
    }
    const policies = ["Disabled", "Max", "Min"];
    const { selectPolicy } = rules;
    errors.push(
      ...optionalChoiceErrors(selectPolicy, `${path}.selectPolicy`, policies),
    );
    if (rules.policies !== undefined && list(rules.policies).length === 0) {
      const rule = "must specify at least one Policy";
      errors.push(required(`${path}.policies`, rule));
    }
    list(rules.policies).forEach((policy, i) => {
      errors.push(...policyErrors(policy, `${path}.policies[${i}]`));
    });
    const { tolerance } = rules;
    if (typeof tolerance === "string" && isMore("0", tolerance)) {
      errors.push(invalid(`${path}.tolerance`, tolerance, notNegative));
    }
    return errors;
  });
}

function policyErrors(policy: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const kinds = ["Percent", "Pods"];
  if (!kinds.includes(str(policy.type))) {
    errors.push(notSupported(`${path}.type`, policy.type, kinds));
  }
  const { value, periodSeconds } = policy;
  const positive = "must be greater than zero";
  if (num(value) <= 0) errors.push(invalid(`${path}.value`, value, positive));
  const here = `${path}.periodSeconds`;
  if (num(periodSeconds) <= 0) {
    errors.push(invalid(here, periodSeconds, positive));
  } else if (num(periodSeconds) > 1800) {
    const rule = "must be less than or equal to 1800";
    errors.push(invalid(here, periodSeconds, rule));
  }
  return errors;
}
