/**
 * IngressClass: which controller serves an Ingress.
 * Models: pkg/registry/networking/ingressclass/strategy.go,
 *         pkg/apis/networking/validation/validation.go @ v1.36
 */
import {
  type FieldError,
  forbidden,
  invalid,
  required,
  tooLong,
} from "../field-error.ts";
import {
  dns1123Label,
  dns1123Subdomain,
  domainPrefixedPath,
  pathSegmentName,
} from "../names.ts";
import { age, columns } from "../table.ts";
import type { JsonObject } from "../types.ts";
import { at, obj, str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import { choiceErrors } from "./shared-validation.ts";
import type * as types from "./types/network.ts";

export type IngressClass = types.IngressClass;

export const IngressClass: Kind<IngressClass> = defineKind<IngressClass>({
  group: "networking.k8s.io",
  kind: "IngressClass",
  namespaced: false,
  generationOf: ["spec"],
  columns: columns("Name|Controller|Parameters|Age"),
  row: (object, now) => ({
    cells: [
      object.metadata.name,
      str(at(object, "spec", "controller")),
      parametersText(object),
      age(object, now),
    ],
  }),
  validate,
  updateOrder: ["metaChange", "change", "meta", "rules"],
  validateChange: (object, old) => {
    const controller = at(object, "spec", "controller");
    const same = controller === at(old, "spec", "controller");
    return same
      ? []
      : [invalid("spec.controller", controller, "field is immutable")];
  },
});

const controllerBytesMax = 250;

function validate({ spec }: Obj): FieldError[] {
  const { parameters } = obj(spec);
  const controller = str(obj(spec).controller);
  const path = "spec.controller";
  const errors: FieldError[] = [];
  if (controller.length > controllerBytesMax)
    errors.push(tooLong(path, controllerBytesMax));
  if (!controller) errors.push(required(path));
  else {
    for (const [shown, text] of domainPrefixedPath(controller))
      errors.push(invalid(path, shown, text));
  }
  return parameters === undefined
    ? errors
    : [...errors, ...parameterErrors(obj(parameters), "spec.parameters")];
}

function parameterErrors(parameters: JsonObject, path: string): FieldError[] {
  const { apiGroup, scope, namespace } = parameters;
  const errors: FieldError[] = [];
  const named = (field: string, rule: typeof dns1123Label) => {
    const value = str(parameters[field]);
    for (const text of rule(value))
      errors.push(invalid(`${path}.${field}`, value, text));
  };
  if (apiGroup !== undefined) named("apiGroup", dns1123Subdomain);
  for (const field of ["kind", "name"]) {
    if (parameters[field]) named(field, pathSegmentName);
    else errors.push(required(`${path}.${field}`, `${field} is required`));
  }
  const wrong = choiceErrors(scope, `${path}.scope`, ["Cluster", "Namespace"]);
  if (wrong.length > 0) return [...errors, ...wrong];
  const why = `\`parameters.scope\` is set to '${str(scope)}'`;
  if (scope === "Cluster" && namespace !== undefined) {
    errors.push(forbidden(`${path}.namespace`, why));
  } else if (scope === "Namespace") {
    if (namespace !== undefined) named("namespace", dns1123Label);
    else errors.push(required(`${path}.namespace`, why));
  }
  return errors;
}

function parametersText(object: Obj): string {
  const parameters = at(object, "spec", "parameters");
  if (parameters === undefined) return "<none>";
  const { kind, apiGroup, name } = obj(parameters);
  const group = apiGroup === undefined ? "" : `.${str(apiGroup)}`;
  return `${str(kind)}${group}/${str(name)}`;
}
