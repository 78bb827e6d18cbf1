/**
 * RuntimeClass: which container runtime handler runs a Pod.
 * Models: pkg/registry/node/runtimeclass/strategy.go @ v1.36
 */
import { duplicate, type FieldError, invalid } from "../field-error.ts";
import { dns1123Label } from "../names.ts";
import { age, columns } from "../table.ts";
import type { Labels } from "../types.ts";
import { list, obj, same, str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import { internalFields } from "./internal-json.ts";
import { validateLabels } from "./metadata.ts";
import { resourceErrors } from "./resource-validation.ts";
import { tolerationErrors } from "./scheduling-validation.ts";
import type * as types from "./types/policy.ts";

export type RuntimeClass = types.RuntimeClass;

export const RuntimeClass: Kind<RuntimeClass> = defineKind<RuntimeClass>({
  group: "node.k8s.io",
  kind: "RuntimeClass",
  namespaced: false,
  columns: columns("Name|Handler|Age"),
  row: (object, now) => ({
    cells: [object.metadata.name, str(object.handler), age(object, now)],
  }),
  validate,
  updateOrder: ["meta", "rules", "metaChange", "change"],
  allowUnconditionalUpdate: false,
  validateChange: (object, old) =>
    object.handler === old.handler
      ? []
      : [invalid("handler", str(object.handler), "field is immutable")],
});

const tolerationFields = [
  ...["key", "operator", "value", "effect", "tolerationSeconds"],
];

function validate(object: Obj): FieldError[] {
  const { overhead, scheduling } = object;
  const handler = str(object.handler);
  const { nodeSelector, tolerations } = obj(scheduling);
  const limits = obj(overhead).podFixed;
  const path = "scheduling.tolerations";
  const all = list(tolerations);
  return [
    ...dns1123Label(handler).map((text) => invalid("handler", handler, text)),
    ...(limits ? resourceErrors({ limits }, "overhead.podFixed") : []),
    ...validateLabels(nodeSelector as Labels, "scheduling.nodeSelector"),
    ...all.flatMap((one, i) => tolerationErrors(one, `${path}[${i}]`)),
    ...all.flatMap((one, i) => {
      const again = all.slice(0, i).some((other) => same(other, one));
      const shown = internalFields("Toleration", tolerationFields, one);
      return again ? [duplicate(`${path}[${i}]`, shown)] : [];
    }),
  ];
}
