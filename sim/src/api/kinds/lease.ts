/**
 * Lease: who leads, or who is alive, until when.
 * Models: pkg/registry/coordination/lease/strategy.go, pkg/apis/coordination/validation @ v1.36
 */
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
} from "../field-error.ts";
import { labelKey } from "../names.ts";
import { age, columns } from "../table.ts";
import { at, obj, str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import type * as types from "./types/service.ts";

export type { LeaseSpec } from "./types/service.ts";
export type Lease = types.Lease;

export const Lease: Kind<Lease> = defineKind<Lease>({
  group: "coordination.k8s.io",
  kind: "Lease",
  metaBy: "extension",
  updateOrder: ["metaChange", "rules"],
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  columns: columns("Name|Holder|Age"),
  row: (lease, now) => ({
    cells: [
      lease.metadata.name,
      str(at(lease, "spec", "holderIdentity")),
      age(lease, now),
    ],
  }),
  validate,
});

function validate(lease: Obj): FieldError[] {
  const spec = obj(lease.spec);
  const errors: FieldError[] = [];
  const { leaseDurationSeconds: seconds, leaseTransitions: changes } = spec;
  if (typeof seconds === "number" && seconds <= 0) {
    errors.push(
      invalid("spec.leaseDurationSeconds", seconds, "must be greater than 0"),
    );
  }
  if (typeof changes === "number" && changes < 0) {
    const rule = "must be greater than or equal to 0";
    errors.push(invalid("spec.leaseTransitions", changes, rule));
  }
  const strategy = str(spec.strategy);
  const known = ["OldestEmulationVersion"];
  // The word stands twice in the path, upstream too.
  const path = "spec.strategy.strategy";
  if (strategy.includes("/")) {
    for (const text of labelKey(strategy))
      errors.push(invalid(path, strategy, text));
  } else if (spec.strategy !== undefined && !known.includes(strategy))
    errors.push(notSupported(path, strategy, known));
  if (!strategy && spec.preferredHolder) {
    const rule = "may only be specified if `strategy` is defined";
    errors.push(forbidden("spec.preferredHolder", rule));
  }
  return errors;
}
