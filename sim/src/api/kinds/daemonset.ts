/**
 * DaemonSet: a Pod on each Node.
 * Models: pkg/apis/apps/v1/defaults.go, pkg/registry/apps/daemonset/strategy.go @ v1.36
 */
import { age, columns } from "../table.ts";
import type { JsonObject } from "../types.ts";
import { at, num, obj, same, withFields } from "./access.ts";
import { containerCells, labelsText, selectorText } from "./cells.ts";
import { defineKind, statusSubresource } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import type * as types from "./types/apps.ts";
import { daemonSetErrors, fixedSelector } from "./workload-validation.ts";
import { mirrorInTemplate } from "./workloads.ts";

export type * from "./types/apps.ts";
export type DaemonSet = types.DaemonSet;

export const DaemonSet: Kind<DaemonSet> = defineKind<DaemonSet>({
  group: "apps",
  kind: "DaemonSet",
  shortNames: ["ds"],
  categories: ["all"],
  subresources: [statusSubresource],
  hooks: { DaemonSetUpdateStrategy: strategyDefaults },
  emptyStatus: {
    currentNumberScheduled: 0,
    numberMisscheduled: 0,
    desiredNumberScheduled: 0,
    numberReady: 0,
  },
  generationOf: ["spec"],
  columns: columns(
    "Name|Desired#|Current#|Ready#|Up-to-date#|Available#|Node Selector|Age|Containers+|Images+|Selector+",
  ),
  row: (object, now) => {
    const status = obj(object.status);
    const template = at(object, "spec", "template");
    return {
      cells: [
        object.metadata.name,
        num(status.desiredNumberScheduled),
        num(status.currentNumberScheduled),
        num(status.numberReady),
        num(status.updatedNumberScheduled),
        num(status.numberAvailable),
        labelsText(at(template, "spec", "nodeSelector")),
        age(object, now),
        ...containerCells(template),
        selectorText(at(object, "spec", "selector")),
      ],
    };
  },
  validate: daemonSetErrors,
  validateChange: fixedSelector,
  onCreate: (object) => numbered(mirrorInTemplate(object), 1),
  onUpdate: (object, old) => {
    const before = Number(old.metadata.annotations?.[GENERATION] ?? 1);
    const changed = !same(
      at(object, "spec", "template"),
      at(old, "spec", "template"),
    );
    return numbered(mirrorInTemplate(object), before + Number(changed));
  },
});

/** The number of the template, counted up with every change of it. */
const GENERATION = "deprecated.daemonset.template.generation";

function numbered(object: Obj, generation: number): Obj {
  const { metadata } = object;
  const annotations = {
    ...metadata.annotations,
    [GENERATION]: `${generation}`,
  };
  return { ...object, metadata: { ...metadata, annotations } };
}

function strategyDefaults(strategy: JsonObject): JsonObject {
  const { type = "RollingUpdate" } = strategy;
  const next = withFields<JsonObject>(strategy, { type });
  if (type !== "RollingUpdate") return next;
  const { maxUnavailable = 1, maxSurge = 0 } = obj(next.rollingUpdate);
  const limits = withFields<JsonObject>(obj(next.rollingUpdate), {
    maxUnavailable,
    maxSurge,
  });
  return withFields<JsonObject>(next, { rollingUpdate: limits });
}
