/**
 * StatefulSet: Pods with a name, an order and volumes of their own.
 * Models: pkg/apis/apps/v1/defaults.go, pkg/registry/apps/statefulset/strategy.go @ v1.36
 */
import { dns1123Label } from "../names.ts";
import { age, columns } from "../table.ts";
import type { JsonObject } from "../types.ts";
import { at, num, obj, withFields } from "./access.ts";
import { containerCells } from "./cells.ts";
import { defineKind, scaleSubresource, statusSubresource } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import {
  statefulSetChange,
  statefulSetErrors,
} from "./statefulset-validation.ts";
import type * as types from "./types/apps.ts";
import { mirrorInTemplate } from "./workloads.ts";

export type * from "./types/apps.ts";
export type StatefulSet = types.StatefulSet;

export const StatefulSet: Kind<StatefulSet> = defineKind<StatefulSet>({
  group: "apps",
  kind: "StatefulSet",
  shortNames: ["sts"],
  categories: ["all"],
  subresources: [scaleSubresource, statusSubresource],
  hooks: { StatefulSetUpdateStrategy: strategyDefaults },
  // Its Pods are called after it, and their hosts.
  nameRule: dns1123Label,
  emptyStatus: { replicas: 0, availableReplicas: 0 },
  generationOf: ["spec"],
  columns: columns("Name|Ready|Age|Containers+|Images+"),
  row: (object, now) => {
    const ready = num(at(object, "status", "readyReplicas"));
    return {
      cells: [
        object.metadata.name,
        `${ready}/${num(at(object, "spec", "replicas"))}`,
        age(object, now),
        ...containerCells(at(object, "spec", "template")),
      ],
    };
  },
  validate: statefulSetErrors,
  validateChange: statefulSetChange,
  onCreate: (object) => mirrorInTemplate(withoutDisabled(object)),
  onUpdate: (object) => mirrorInTemplate(withoutDisabled(object)),
});

/** maxUnavailable is off by default in 1.36: the field is dropped. */
function withoutDisabled(object: Obj): Obj {
  const { maxUnavailable, ...rollingUpdate } = obj(
    at(object, "spec", "updateStrategy", "rollingUpdate"),
  );
  if (maxUnavailable === undefined) return object;
  const spec = obj(object.spec);
  const updateStrategy = { ...obj(spec.updateStrategy), rollingUpdate };
  return { ...object, spec: { ...spec, updateStrategy } };
}

function strategyDefaults(strategy: JsonObject): JsonObject {
  const { type = "RollingUpdate" } = strategy;
  const next = withFields<JsonObject>(strategy, { type });
  if (type !== "RollingUpdate") return next;
  const { partition = 0 } = obj(next.rollingUpdate);
  const rollingUpdate = withFields<JsonObject>(obj(next.rollingUpdate), {
    partition,
  });
  return withFields<JsonObject>(next, { rollingUpdate });
}
