/**
 * Deployment: a wanted number of Pods, and how to roll from one template to the next.
 * Models: pkg/apis/apps/v1/defaults.go, pkg/registry/apps/deployment/strategy.go @ v1.36
 */
import { age, columns } from "../table.ts";
import type { JsonObject } from "../types.ts";
import { at, num, obj, withFields } from "./access.ts";
import { bareSelectorText, containerCells } from "./cells.ts";
import { defineKind, scaleSubresource, statusSubresource } from "./define.ts";
import type { Kind } from "./definition.ts";
import type * as types from "./types/apps.ts";
import { deploymentErrors, fixedSelector } from "./workload-validation.ts";
import { mirrorInTemplate } from "./workloads.ts";

export type * from "./types/apps.ts";
export type Deployment = types.Deployment;

export const Deployment: Kind<Deployment> = defineKind<Deployment>({
  group: "apps",
  kind: "Deployment",
  shortNames: ["deploy"],
  categories: ["all"],
  subresources: [scaleSubresource, statusSubresource],
  hooks: { DeploymentStrategy: strategyDefaults },
  emptyStatus: {},
  statusKeeps: ["labels"],
  // Annotations count: they record what a rollout was scaled from.
  generationOf: ["spec", "annotations"],
  columns: columns(
    "Name|Ready|Up-to-date|Available|Age|Containers+|Images+|Selector+",
  ),
  row: (object, now) => {
    const status = obj(object.status);
    const wanted = num(at(object, "spec", "replicas"));
    return {
      cells: [
        object.metadata.name,
        `${num(status.readyReplicas)}/${wanted}`,
        num(status.updatedReplicas),
        num(status.availableReplicas),
        age(object, now),
        ...containerCells(at(object, "spec", "template")),
        bareSelectorText(at(object, "spec", "selector")),
      ],
    };
  },
  validate: deploymentErrors,
  validateChange: fixedSelector,
  onCreate: mirrorInTemplate,
  onUpdate: mirrorInTemplate,
});

function strategyDefaults(strategy: JsonObject): JsonObject {
  const { type = "RollingUpdate" } = strategy;
  const next = withFields<JsonObject>(strategy, { type });
  if (type !== "RollingUpdate") return next;
  const { maxUnavailable = "25%", maxSurge = "25%" } = obj(next.rollingUpdate);
  const limits = withFields<JsonObject>(obj(next.rollingUpdate), {
    maxUnavailable,
    maxSurge,
  });
  return withFields<JsonObject>(next, { rollingUpdate: limits });
}
