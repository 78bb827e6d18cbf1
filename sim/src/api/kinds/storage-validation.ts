/**
 * What classes of volumes, and of their attributes, may say.
 * Models: pkg/apis/storage/validation/validation.go @ v1.36
 */
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  required,
  tooLong,
} from "../field-error.ts";
import { labelKey } from "../names.ts";
import type { JsonObject } from "../types.ts";
import { list, map, same, str, strings } from "./access.ts";
import type { Obj } from "./definition.ts";
import { choiceErrors } from "./shared-validation.ts";

const parametersMax = 512;
const parameterBytesMax = 256 * 1024;

export function storageClassErrors(object: Obj): FieldError[] {
  const { reclaimPolicy, volumeBindingMode } = object;
  const modes = ["Immediate", "WaitForFirstConsumer"];
  return [
    ...provisionerErrors(object.provisioner, "provisioner"),
    ...parameterErrors(object.parameters),
    ...(reclaimPolicy
      ? choiceErrors(reclaimPolicy, "reclaimPolicy", ["Delete", "Retain"])
      : []),
    ...choiceErrors(volumeBindingMode, "volumeBindingMode", modes),
    ...topologyErrors(list(object.allowedTopologies)),
  ];
}

export function storageClassChange(object: Obj, old: Obj): FieldError[] {
  const errors = ["parameters", "provisioner", "reclaimPolicy"]
    .filter((field) => !same(object[field], old[field]))
    .map((field) => forbidden(field, `updates to ${field} are forbidden.`));
  const { volumeBindingMode: mode } = object;
  return mode === old.volumeBindingMode
    ? errors
    : [...errors, invalid("volumeBindingMode", mode, "field is immutable")];
}

export function attributesClassErrors(object: Obj): FieldError[] {
  const rule = "must contain at least one key/value pair";
  const none = Object.keys(map(object.parameters)).length === 0;
  return [
    ...provisionerErrors(object.driverName, "driverName"),
    ...parameterErrors(object.parameters),
    ...(none ? [required("parameters", rule)] : []),
  ];
}

export function attributesClassChange(object: Obj, old: Obj): FieldError[] {
  return ["driverName", "parameters"]
    .filter((field) => !same(object[field], old[field]))
    .map((field) => forbidden(field, `updates to ${field} are forbidden.`));
}

function provisionerErrors(value: unknown, path: string): FieldError[] {
  const name = str(value).toLowerCase();
  if (!name) return [required(path)];
  return labelKey(name).map((text) => invalid(path, name, text));
}

function parameterErrors(parameters: unknown): FieldError[] {
  const path = "parameters";
  const all = Object.entries(map(parameters));
  if (all.length > parametersMax) return [tooLong(path, parametersMax)];
  const errors = all
    .filter(([key]) => key === "")
    .map(() => invalid(path, "", "field can not be empty."));
  const bytes = all.reduce((sum, [a, b]) => sum + a.length + b.length, 0);
  return bytes > parameterBytesMax
    ? [...errors, tooLong(path, parameterBytesMax)]
    : errors;
}

/** Terms must differ; an empty one is like those not read yet, upstream too. */
function topologyErrors(terms: readonly JsonObject[]): FieldError[] {
  const before: JsonObject[] = terms.map(() => ({}));
  return terms.flatMap((term, i) => {
    const path = `allowedTopologies[${i}].matchLabelExpressions`;
    const keys: { [key: string]: string[] } = {};
    const errors = list(term.matchLabelExpressions).flatMap((one, j) => {
      const key = str(one.key);
      const again = keys[key] !== undefined;
      keys[key] = strings(one.values).toSorted();
      return [
        ...requirementErrors(one, `${path}[${j}]`),
        ...(again ? [duplicate(`${path}[${j}].key`, key)] : []),
      ];
    });
    const alike = before.filter((other) => same(other, keys));
    before.push(keys);
    return [...errors, ...alike.map(() => duplicate(path, ""))];
  });
}

function requirementErrors(one: JsonObject, path: string): FieldError[] {
  const values = strings(one.values);
  const key = str(one.key);
  return [
    ...(values.length === 0 ? [required(`${path}.values`)] : []),
    ...values.flatMap((value, i) =>
      values.indexOf(value) < i
        ? [duplicate(`${path}.values[${i}]`, value)]
        : [],
    ),
    ...labelKey(key).map((text) => invalid(`${path}.key`, key, text)),
  ];
}
