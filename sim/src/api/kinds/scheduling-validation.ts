/**
 * What affinity, tolerations and spread constraints may say.
 * Models: pkg/apis/core/validation/validation.go @ v1.36
 */
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import {
  dns1123Label,
  dns1123Subdomain,
  labelKey,
  labelValue,
} from "../names.ts";
import type { JsonObject } from "../types.ts";
import { list, num, obj, str, strings } from "./access.ts";
import { labelKeyErrors } from "./label-key-validation.ts";
import { selectorErrors } from "./shared-validation.ts";

const hard = "requiredDuringSchedulingIgnoredDuringExecution";
const soft = "preferredDuringSchedulingIgnoredDuringExecution";
const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

export function tolerationErrors(
  toleration: JsonObject,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const { key, value, effect, tolerationSeconds } = toleration;
  const operator = str(toleration.operator);
  if (key)
    for (const text of labelKey(str(key)))
      errors.push(invalid(`${path}.key`, key, text));
  if (!key && operator !== "Exists") {
    const rule =
      'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(invalid(`${path}.operator`, operator, rule));
  }
  if (tolerationSeconds !== undefined && effect !== "NoExecute") {
    const rule = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    errors.push(invalid(`${path}.effect`, str(effect), rule));
  }
  if (operator === "Equal" || operator === "") {
    const texts = labelValue(str(value));
    if (texts.length > 0)
      errors.push(invalid(`${path}.operator`, str(value), texts.join(";")));
  } else if (operator === "Exists") {
    if (value) {
      const rule = "value must be empty when `operator` is 'Exists'";
      errors.push(invalid(`${path}.operator`, str(value), rule));
    }
  } else {
    errors.push(
      notSupported(`${path}.operator`, operator, ["Equal", "Exists"]),
    );
  }
  if (effect && !effects.includes(str(effect))) {
    errors.push(notSupported(`${path}.effect`, effect, effects));
  }
  return errors;
}

export function affinityErrors(
  affinity: JsonObject,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const node = obj(affinity.nodeAffinity);
  if (node[hard] !== undefined) {
    const where = `${path}.nodeAffinity.${hard}`;
    errors.push(...nodeSelectorErrors(obj(node[hard]), where));
  }
  for (const [i, term] of list(node[soft]).entries()) {
    const where = `${path}.nodeAffinity.${soft}[${i}]`;
    errors.push(...weightErrors(term, where));
    errors.push(...termErrors(obj(term.preference), `${where}.preference`));
  }
  for (const name of ["podAffinity", "podAntiAffinity"]) {
    const pods = obj(affinity[name]);
    for (const [i, term] of list(pods[hard]).entries()) {
      errors.push(...podTermErrors(term, `${path}.${name}.${hard}[${i}]`));
    }
    for (const [i, term] of list(pods[soft]).entries()) {
      const where = `${path}.${name}.${soft}[${i}]`;
      errors.push(...weightErrors(term, where));
      errors.push(
        ...podTermErrors(obj(term.podAffinityTerm), `${where}.podAffinityTerm`),
      );
    }
  }
  return errors;
}

function weightErrors(term: JsonObject, path: string): FieldError[] {
  const weight = num(term.weight);
  if (weight >= 1 && weight <= 100) return [];
  return [invalid(`${path}.weight`, weight, "must be in the range 1-100")];
}

export function nodeSelectorErrors(
  selector: JsonObject,
  path: string,
): FieldError[] {
  const terms = list(selector.nodeSelectorTerms);
  const where = `${path}.nodeSelectorTerms`;
  if (terms.length === 0) {
    return [required(where, "must have at least one node selector term")];
  }
  return terms.flatMap((term, i) => termErrors(term, `${where}[${i}]`, true));
}

/** A field of a Node is asked for by one value: its name. */
function fieldErrors(field: JsonObject, path: string): FieldError[] {
  const [key, operator] = [str(field.key), str(field.operator)];
  const values = strings(field.values);
  const errors: FieldError[] = [];
  if (operator !== "In" && operator !== "NotIn") {
    const rule = "not a valid selector operator";
    errors.push(invalid(`${path}.operator`, operator, rule));
  } else if (values.length !== 1) {
    const rule =
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(required(`${path}.values`, rule));
  }
  if (key !== "metadata.name") {
    const rule = "not a valid field selector key";
    return [...errors, invalid(`${path}.key`, key, rule)];
  }
  for (const [i, value] of values.entries())
    for (const text of dns1123Subdomain(value))
      errors.push(invalid(`${path}.values[${i}]`, value, text));
  return errors;
}

/** `firm`: what must match can match, so its values are those of labels. */
function termErrors(
  term: JsonObject,
  path: string,
  firm = false,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, requirement] of list(term.matchExpressions).entries()) {
    errors.push(
      ...requirementErrors(requirement, `${path}.matchExpressions[${i}]`, firm),
    );
  }
  for (const [i, field] of list(term.matchFields).entries()) {
    errors.push(...fieldErrors(field, `${path}.matchFields[${i}]`));
  }
  return errors;
}

function requirementErrors(
  requirement: JsonObject,
  path: string,
  firm: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const operator = str(requirement.operator);
  const count = strings(requirement.values).length;
  const where = `${path}.values`;
  if (operator === "In" || operator === "NotIn") {
    const rule = "must be specified when `operator` is 'In' or 'NotIn'";
    if (count === 0) errors.push(required(where, rule));
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    const rule =
      "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    if (count > 0) errors.push(forbidden(where, rule));
  } else if (operator === "Gt" || operator === "Lt") {
    const rule =
      "must be specified single value when `operator` is 'Lt' or 'Gt'";
    if (count !== 1) errors.push(required(where, rule));
  } else {
    errors.push(
      invalid(`${path}.operator`, operator, "not a valid selector operator"),
    );
  }
  const key = str(requirement.key);
  for (const text of labelKey(key))
    errors.push(invalid(`${path}.key`, key, text));
  for (const [i, value] of firm ? strings(requirement.values).entries() : []) {
    for (const text of labelValue(value))
      errors.push(invalid(`${where}[${i}]`, value, text));
  }
  return errors;
}

function podTermErrors(term: JsonObject, path: string): FieldError[] {
  const errors = selectorErrors(term.labelSelector, `${path}.labelSelector`);
  errors.push(
    ...selectorErrors(term.namespaceSelector, `${path}.namespaceSelector`),
  );
  for (const name of strings(term.namespaces)) {
    for (const text of dns1123Label(name))
      errors.push(invalid(`${path}.namespace`, name, text));
  }
  errors.push(...labelKeyErrors(term, path));
  const key = str(term.topologyKey);
  if (!key) errors.push(required(`${path}.topologyKey`, "can not be empty"));
  for (const text of labelKey(key))
    errors.push(invalid(`${path}.topologyKey`, key, text));
  return errors;
}
