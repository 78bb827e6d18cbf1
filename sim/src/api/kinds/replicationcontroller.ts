/**
 * ReplicationController: what ReplicaSets grew out of.
 * Models: pkg/apis/core/v1/defaults.go, pkg/registry/core/replicationcontroller/strategy.go @ v1.36
 */
import { columns } from "../table.ts";
import type { JsonObject } from "../types.ts";
import { at, num, obj } from "./access.ts";
import { labelsText } from "./cells.ts";
import { defineKind, scaleSubresource, statusSubresource } from "./define.ts";
import type { Kind } from "./definition.ts";
import type * as types from "./types/service.ts";
import { controllerErrors } from "./workload-validation.ts";
import { mirrorInTemplate, replicaRow } from "./workloads.ts";

export type ReplicationController = types.ReplicationController;

export const ReplicationController: Kind<ReplicationController> =
  defineKind<ReplicationController>({
    kind: "ReplicationController",
    shortNames: ["rc"],
    categories: ["all"],
    subresources: [scaleSubresource, statusSubresource],
    hooks: { ReplicationController: labelsFromTemplate },
    emptyStatus: { replicas: 0 },
    generationOf: ["spec"],
    selectable: {
      "status.replicas": (object) => `${num(at(object, "status", "replicas"))}`,
    },
    columns: columns(
      "Name|Desired#|Current#|Ready#|Age|Containers+|Images+|Selector+",
    ),
    row: replicaRow(labelsText),
    validate: controllerErrors,
    onCreate: mirrorInTemplate,
    onUpdate: mirrorInTemplate,
  });

/** Without a selector, or labels of its own, it takes those of the template. */
function labelsFromTemplate(object: JsonObject): JsonObject {
  const labels = at(object, "spec", "template", "metadata", "labels");
  if (!labels) return object;
  let next = object;
  const spec = obj(next.spec);
  if (spec.selector === undefined)
    next = { ...next, spec: { ...spec, selector: labels } };
  const metadata = obj(next.metadata);
  if (metadata.labels === undefined)
    next = { ...next, metadata: { ...metadata, labels } };
  return next;
}
