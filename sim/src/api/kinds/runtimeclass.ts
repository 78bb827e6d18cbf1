/**
 * RuntimeClass: which container runtime handler runs a Pod.
 * Models: pkg/registry/node/runtimeclass/strategy.go @ v1.36
 */
import { invalid } from "../field-error.ts";
import { dns1123Label } from "../names.ts";
import { age, columns } from "../table.ts";
import { str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
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
  validate: (object) =>
    dns1123Label(str(object.handler)).map((text) =>
      invalid("handler", str(object.handler), text),
    ),
  validateChange: (object, old) =>
    object.handler === old.handler
      ? []
      : [invalid("handler", str(object.handler), "field is immutable")],
});
