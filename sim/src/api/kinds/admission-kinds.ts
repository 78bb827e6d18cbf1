/**
 * The kinds that configure admission come in twins, one that may change what
 * comes in and one that only looks: policies, their bindings and webhooks.
 * Each pair has one definition here.
 * Models: pkg/registry/admissionregistration, pkg/printers/internalversion/printers.go @ v1.36
 */
import { age, columns, type Row } from "../table.ts";
import type { KubeObject } from "../types.ts";
import { at, list, obj, str } from "./access.ts";
import { defineKind, type KindOptions, metaOfOld } from "./define.ts";
import type { Kind } from "./definition.ts";
import { bindingErrors } from "./policy-binding-validation.ts";
import {
  policyChangeErrors,
  policyErrors,
  policyStatusErrors,
} from "./policy-validation.ts";
import { webhookChangeErrors, webhookErrors } from "./webhook-rules.ts";

function define<T extends KubeObject>(options: KindOptions): Kind<T> {
  return defineKind<T>({
    group: "admissionregistration.k8s.io",
    namespaced: false,
    categories: ["api-extensions"],
    generationOf: ["spec"],
    ...options,
  });
}

/** Rules in CEL. The column shows how many of them there are. */
export function definePolicy<T extends KubeObject>(
  kind: string,
  column: "Mutations" | "Validations",
  emptyStatus?: KindOptions["emptyStatus"],
): Kind<T> {
  return define<T>({
    kind,
    emptyStatus,
    statusKeeps: metaOfOld,
    columns: columns(`Name|${column}#|ParamKind|Age`),
    row: policyRow,
    validateNew: policyErrors,
    validateChange: policyChangeErrors,
    validateStatusChange: policyStatusErrors,
  });
}

const policyRow: Row = (policy, now) => {
  const { paramKind, mutations, validations } = obj(policy.spec);
  const { apiVersion, kind } = obj(paramKind);
  return {
    cells: [
      policy.metadata.name,
      list(mutations ?? validations).length,
      paramKind ? `${str(apiVersion)}/${str(kind)}` : "<unset>",
      age(policy, now),
    ],
  };
};

/** Where a policy holds, and with which parameters. */
export function definePolicyBinding<T extends KubeObject>(
  kind: string,
): Kind<T> {
  return define<T>({
    kind,
    columns: columns("Name|PolicyName|ParamRef|Age"),
    row: bindingRow,
    validate: bindingErrors,
  });
}

const bindingRow: Row = (binding, now) => {
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

/** Servers that are asked. */
export function defineWebhooks<T extends KubeObject>(kind: string): Kind<T> {
  return define<T>({
    kind,
    generationOf: ["webhooks"],
    columns: columns("Name|Webhooks#|Age"),
    row: (object, now) => ({
      cells: [
        object.metadata.name,
        list(object.webhooks).length,
        age(object, now),
      ],
    }),
    validateNew: webhookErrors,
    validateChange: webhookChangeErrors,
  });
}
