/**
 * IngressClass: which controller serves an Ingress.
 * Models: pkg/registry/networking/ingressclass/strategy.go @ v1.36
 */
import { invalid, required } from "../field-error.ts";
import { age, columns } from "../table.ts";
import { at, obj, str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
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
  validate: (object) =>
    at(object, "spec", "controller") ? [] : [required("spec.controller")],
  validateChange: (object, old) => {
    const controller = at(object, "spec", "controller");
    const same = controller === at(old, "spec", "controller");
    return same
      ? []
      : [invalid("spec.controller", controller, "field is immutable")];
  },
});

function parametersText(object: Obj): string {
  const parameters = at(object, "spec", "parameters");
  if (parameters === undefined) return "<none>";
  const { kind, apiGroup, name } = obj(parameters);
  const group = apiGroup === undefined ? "" : `.${str(apiGroup)}`;
  return `${str(kind)}${group}/${str(name)}`;
}
