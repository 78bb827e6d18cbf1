/**
 * ReplicationController: what ReplicaSets grew out of.
 * Models: pkg/apis/core/v1/defaults.go, pkg/registry/core/replicationcontroller/strategy.go @ v1.36
 */
import { type FieldError, invalid } from "../field-error.ts";
import { columns } from "../table.ts";
import type { JsonObject } from "../types.ts";
import { at, num, obj } from "./access.ts";
import { labelsText } from "./cells.ts";
import { defineKind, scaleSubresource, statusSubresource } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import { negativeErrors } from "./shared-validation.ts";
import type * as types from "./types/service.ts";
import { controllerErrors } from "./workload-validation.ts";
import { mirrorInTemplate, replicaRow } from "./workloads.ts";

export type ReplicationController = types.ReplicationController;

export const ReplicationController: Kind<ReplicationController> =
  defineKind<ReplicationController>({
    kind: "ReplicationController",
    updateOrder: ["meta", "rules", "metaChange", "rules"],
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
    validateStatusChange: statusErrors,
    onCreate: mirrorInTemplate,
    onUpdate: mirrorInTemplate,
  });

/** Of all Pods, some are ready, and of these some available. */
function statusErrors({ status }: Obj): FieldError[] {
  const counts = obj(status);
  const parts = ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"];
  const more = (part: string, whole: string, rule: string) =>
    num(counts[part]) > num(counts[whole])
      ? [invalid(`status.${part}`, counts[part], rule)]
      : [];
  return [
    ...["replicas", ...parts, "observedGeneration"].flatMap((name) =>
      negativeErrors(counts[name], `status.${name}`),
    ),
    ...parts.flatMap((part) =>
      more(part, "replicas", "cannot be greater than status.replicas"),
    ),
    ...more(
      "availableReplicas",
      "readyReplicas",
      "cannot be greater than readyReplicas",
    ),
  ];
}

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
