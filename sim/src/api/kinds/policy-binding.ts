/**
 * What the bindings of all admission policies have in common: all but the name.
 * Models: pkg/registry/admissionregistration, pkg/printers/internalversion/printers.go @ v1.36
 */
import { required } from "../field-error.ts";
import { age, columns, type Row } from "../table.ts";
import type { KubeObject } from "../types.ts";
import { at, obj, str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";

export function definePolicyBinding<T extends KubeObject>(
  kind: string,
): Kind<T> {
  return defineKind<T>({
    group: "admissionregistration.k8s.io",
    kind,
    namespaced: false,
    categories: ["api-extensions"],
    generationOf: ["spec"],
    columns: columns("Name|PolicyName|ParamRef|Age"),
    row,
    validate: (binding) =>
      at(binding, "spec", "policyName") ? [] : [required("spec.policyName")],
  });
}

const row: Row = (binding, now) => {
  const ref = at(binding, "spec", "paramRef");
  const { namespace, name } = obj(ref);
  const text = namespace ? `${str(namespace)}/${str(name)}` : str(name);
  return {
    cells: [
      binding.metadata.name,
      str(at(binding, "spec", "policyName")),
      ref === undefined ? "<unset>" : text,
      age(binding, now),
    ],
  };
};
