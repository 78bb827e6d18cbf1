/**
 * ControllerRevision: one version of a DaemonSet or StatefulSet.
 * Models: pkg/registry/apps/controllerrevision/strategy.go @ v1.36
 */
import { type FieldError, invalid } from "../field-error.ts";
import { age, columns } from "../table.ts";
import { controllerOf } from "../types.ts";
import { num, same } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import type * as types from "./types/apps.ts";

export type ControllerRevision = types.ControllerRevision;

export const ControllerRevision: Kind<ControllerRevision> =
  defineKind<ControllerRevision>({
    group: "apps",
    kind: "ControllerRevision",
    columns: columns("Name|Controller|Revision|Age"),
    row: (object, now) => {
      const owner = controllerOf(object);
      const group = owner?.apiVersion.includes("/")
        ? `.${owner.apiVersion.split("/")[0]}`
        : "";
      const by = owner ? `${owner.kind}${group}`.toLowerCase() : "";
      const controller = owner ? `${by}/${owner.name}` : "<none>";
      return {
        cells: [
          object.metadata.name,
          controller,
          num(object.revision),
          age(object, now),
        ],
      };
    },
    validate: (object) =>
      num(object.revision) < 0
        ? [
            invalid(
              "revision",
              num(object.revision),
              "must be greater than or equal to 0",
            ),
          ]
        : [],
    validateChange,
  });

function validateChange(object: Obj, old: Obj): FieldError[] {
  if (same(object.data, old.data)) return [];
  return [invalid("data", object.data, "field is immutable")];
}
