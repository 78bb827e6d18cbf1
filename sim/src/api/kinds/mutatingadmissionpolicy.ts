/**
 * MutatingAdmissionPolicy: a rule in CEL about what comes in.
 * Models: pkg/registry/admissionregistration, pkg/printers/internalversion/printers.go @ v1.36
 */
import { required } from "../field-error.ts";
import { age, columns } from "../table.ts";
import { at, list, obj, str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import type * as types from "./types/admission.ts";

export type MutatingAdmissionPolicy = types.MutatingAdmissionPolicy;

export const MutatingAdmissionPolicy: Kind<MutatingAdmissionPolicy> =
  defineKind<MutatingAdmissionPolicy>({
    group: "admissionregistration.k8s.io",
    kind: "MutatingAdmissionPolicy",
    resource: "mutatingadmissionpolicies",
    namespaced: false,
    categories: ["api-extensions"],
    generationOf: ["spec"],
    columns: columns("Name|Mutations#|ParamKind|Age"),
    row: (policy, now) => {
      const kind = at(policy, "spec", "paramKind");
      const text = `${str(obj(kind).apiVersion)}/${str(obj(kind).kind)}`;
      return {
        cells: [
          policy.metadata.name,
          list(at(policy, "spec", "mutations")).length,
          kind === undefined ? "<unset>" : text,
          age(policy, now),
        ],
      };
    },
    validate: (policy) =>
      at(policy, "spec", "matchConstraints") === undefined
        ? [required("spec.matchConstraints")]
        : [],
  });
