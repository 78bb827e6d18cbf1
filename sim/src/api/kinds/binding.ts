/**
 * Binding: puts a Pod on a Node.
 * Models: pkg/registry/core/pod/storage/storage.go @ v1.36
 */
import { type FieldError, notSupported, required } from "../field-error.ts";
import { obj, str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import type * as types from "./types/pod.ts";

export type Binding = types.Binding;

export const Binding: Kind<Binding> = defineKind<Binding>({
  kind: "Binding",
  verbs: ["create"],
  nameless: true,
  validate,
});

function validate(binding: Obj): FieldError[] {
  const { kind, name } = obj(binding.target);
  const errors: FieldError[] = [];
  if (kind && kind !== "Node") {
    errors.push(notSupported("target.kind", str(kind), ["Node", "<empty>"]));
  }
  if (!name) errors.push(required("target.name"));
  return errors;
}
