/**
 * CronJob: starts Jobs by the clock.
 * Models: pkg/apis/batch/v1/defaults.go, pkg/registry/batch/cronjob/strategy.go @ v1.36
 */
import { age, columns, since } from "../table.ts";
import { at, list, obj, str } from "./access.ts";
import { boolText, containerCells, selectorText } from "./cells.ts";
import { cronJobChange, newCronJobErrors } from "./cronjob-validation.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import type * as types from "./types/batch.ts";

export type CronJob = types.CronJob;

export const CronJob: Kind<CronJob> = defineKind<CronJob>({
  group: "batch",
  kind: "CronJob",
  shortNames: ["cj"],
  categories: ["all"],
  emptyStatus: {},
  generationOf: ["spec"],
  columns: columns(
    "Name|Schedule|Timezone|Suspend?|Active#|Last Schedule|Age|Containers+|Images+|Selector+",
  ),
  row: (object, now) => {
    const spec = obj(object.spec);
    const last = at(object, "status", "lastScheduleTime");
    const job = at(spec, "jobTemplate", "spec");
    return {
      cells: [
        object.metadata.name,
        str(spec.schedule),
        spec.timeZone === undefined ? "<none>" : str(spec.timeZone),
        boolText(spec.suspend),
        list(at(object, "status", "active")).length,
        last ? since(last, now) : "<none>",
        age(object, now),
        ...containerCells(at(job, "template")),
        selectorText(at(job, "selector")),
      ],
    };
  },
  validateNew: newCronJobErrors,
  validateChange: cronJobChange,
});
