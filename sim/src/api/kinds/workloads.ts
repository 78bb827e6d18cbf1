/**
 * What the kinds with a Pod template share.
 * Models: pkg/registry/apps, pkg/printers/internalversion/printers.go @ v1.36
 */
import { age, type Row } from "../table.ts";
import { at, num, obj } from "./access.ts";
import { containerCells } from "./cells.ts";
import type { Obj } from "./definition.ts";
import { mirrorServiceAccount } from "./pod-template-defaults.ts";

/** Keeps both names of the ServiceAccount alike in `spec.template`. */
export function mirrorInTemplate(object: Obj): Obj {
  const spec = obj(object.spec);
  const template = obj(spec.template);
  const inner = obj(template.spec);
  const mirrored = mirrorServiceAccount(inner);
  if (mirrored === inner) return object;
  return {
    ...object,
    spec: { ...spec, template: { ...template, spec: mirrored } },
  };
}

/** The row of a ReplicaSet or ReplicationController. */
export function replicaRow(selectorCell: (selector: unknown) => string): Row {
  return (object, now) => ({
    cells: [
      object.metadata.name,
      num(at(object, "spec", "replicas")),
      num(at(object, "status", "replicas")),
      num(at(object, "status", "readyReplicas")),
      age(object, now),
      ...containerCells(at(object, "spec", "template")),
      selectorCell(at(object, "spec", "selector")),
    ],
  });
}
