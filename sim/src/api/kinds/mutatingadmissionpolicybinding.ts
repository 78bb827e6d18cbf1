/**
 * MutatingAdmissionPolicyBinding: where a policy holds, and with which parameters.
 * Models: pkg/registry/admissionregistration, pkg/printers/internalversion/printers.go @ v1.36
 */
import { required } from "../field-error.ts";
import { age, columns } from "../table.ts";
import { at, obj, str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import type * as types from "./types/admission.ts";

export type MutatingAdmissionPolicyBinding =
  types.MutatingAdmissionPolicyBinding;

export const MutatingAdmissionPolicyBinding: Kind<MutatingAdmissionPolicyBinding> =
  defineKind<MutatingAdmissionPolicyBinding>({
    group: "admissionregistration.k8s.io",
    kind: "MutatingAdmissionPolicyBinding",
    namespaced: false,
    categories: ["api-extensions"],
    generationOf: ["spec"],
    columns: columns("Name|PolicyName|ParamRef|Age"),
    row: (binding, now) => {
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
    },
    validate: (binding) =>
      at(binding, "spec", "policyName") ? [] : [required("spec.policyName")],
  });
