/**
 * ControllerRevision: one version of a DaemonSet or StatefulSet.
 * Models: pkg/registry/apps/controllerrevision/strategy.go @ v1.36
 */
import { type FieldError, invalid, required } from "../field-error.ts";
import { age, columns } from "../table.ts";
import { controllerOf } from "../types.ts";
import { num, same } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import { negativeErrors } from "./shared-validation.ts";
import type * as types from "./types/apps.ts";

export type ControllerRevision = types.ControllerRevision;

export const ControllerRevision: Kind<ControllerRevision> =
  defineKind<ControllerRevision>({
    group: "apps",
    kind: "ControllerRevision",
    updateOrder: ["metaChange", "meta", "rules", "change"],
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
    validate: ({ data, revision }) => [
      ...(data === undefined ? [required("data", "data is mandatory")] : []),
      ...negativeErrors(revision, "revision"),
    ],
    validateChange,
  });

function validateChange(object: Obj, old: Obj): FieldError[] {
  if (same(object.data, old.data)) return [];
  return [invalid("data", object.data, "field is immutable")];
}
