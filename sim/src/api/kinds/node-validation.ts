/**
 * What a Node may say, and what may change in it.
 * Models: pkg/apis/core/validation/validation.go @ v1.36
 */
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import { labelKey, labelValue } from "../names.ts";
import { list, obj, same, str, strings } from "./access.ts";
import type { Obj } from "./definition.ts";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

export function nodeErrors(node: Obj): FieldError[] {
  const spec = obj(node.spec);
  const errors: FieldError[] = [];
  const used = new Set<string>();
  for (const [i, taint] of list(spec.taints).entries()) {
    const path = `metadata.taints[${i}]`;
    const [key, value, effect] = [
      str(taint.key),
      str(taint.value),
      str(taint.effect),
    ];
    for (const text of labelKey(key))
      errors.push(invalid(`${path}.key`, key, text));
    for (const text of labelValue(value))
      errors.push(invalid(`${path}.value`, value, text));
    if (!effect) errors.push(required(`${path}.effect`));
    else if (!effects.includes(effect)) {
      errors.push(notSupported(`${path}.effect`, effect, effects));
    }
    const pair = `${key} ${effect}`;
    if (used.has(pair)) errors.push(duplicate(path, taint));
    used.add(pair);
  }
  return errors;
}

export function nodeChange(node: Obj, old: Obj): FieldError[] {
  const [spec, before] = [obj(node.spec), obj(old.spec)];
  const errors: FieldError[] = [];
  const cidrs = strings(before.podCIDRs);
  if (cidrs.length > 0 && !same(spec.podCIDRs, before.podCIDRs)) {
    const rule = 'node updates may not change podCIDR except from "" to valid';
    errors.push(forbidden("spec.podCIDRs", rule));
  }
  if (before.providerID && spec.providerID !== before.providerID) {
    const rule =
      'node updates may not change providerID except from "" to valid';
    errors.push(forbidden("spec.providerID", rule));
  }
  return errors;
}
