/**
 * Job: Pods that run to their end.
 * Models: pkg/apis/batch/v1/defaults.go, pkg/registry/batch/job/strategy.go @ v1.36
 */
import { age, columns, humanDuration, since } from "../table.ts";
import type { JsonObject } from "../types.ts";
import { at, list, map, num, obj, str, withFields } from "./access.ts";
import { containerCells, selectorText } from "./cells.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import { jobChange, jobErrors, jobMarks } from "./job-validation.ts";
import type * as types from "./types/batch.ts";
import { mirrorInTemplate } from "./workloads.ts";

export type * from "./types/batch.ts";
export type Job = types.Job;

export const Job: Kind<Job> = defineKind<Job>({
  group: "batch",
  kind: "Job",
  categories: ["all"],
  hooks: {
    Job: jobDefaults,
    PodFailurePolicyOnPodConditionsPattern: conditionDefaults,
  },
  emptyStatus: {},
  generationOf: ["spec"],
  selectable: {
    "status.successful": (object) =>
      `${num(at(object, "status", "succeeded"))}`,
  },
  columns: columns(
    "Name|Status|Completions|Duration|Age|Containers+|Images+|Selector+",
  ),
  row: (object, now) => ({
    cells: [
      object.metadata.name,
      statusText(object),
      completionsText(object),
      durationText(obj(object.status), now),
      age(object, now),
      ...containerCells(at(object, "spec", "template")),
      selectorText(at(object, "spec", "selector")),
    ],
  }),
  validate: jobErrors,
  validateChange: jobChange,
  onCreate: (object) => mirrorInTemplate(withSelector(object)),
  onUpdate: mirrorInTemplate,
});

function jobDefaults(job: JsonObject): JsonObject {
  const spec = obj(job.spec);
  const alone =
    spec.completions === undefined && spec.parallelism === undefined;
  const { parallelism = 1 } = spec;
  const perIndex = spec.backoffLimitPerIndex !== undefined;
  const { backoffLimit = perIndex ? 2147483647 : 6 } = spec;
  const {
    completionMode = "NonIndexed",
    suspend = false,
    manualSelector = false,
  } = spec;
  const onFailed = spec.podFailurePolicy !== undefined;
  const { podReplacementPolicy = onFailed ? "Failed" : "TerminatingOrFailed" } =
    spec;
  let next = withFields<JsonObject>(spec, {
    ...{ parallelism, backoffLimit, completionMode, suspend, manualSelector },
    podReplacementPolicy,
  });
  if (alone) next = withFields<JsonObject>(next, { completions: 1 });
  let out = next === spec ? job : { ...job, spec: next };
  const metadata = obj(out.metadata);
  const labels = at(next, "template", "metadata", "labels");
  if (metadata.labels === undefined && labels) {
    out = { ...out, metadata: { ...metadata, labels } };
  }
  return out;
}

function conditionDefaults(pattern: JsonObject): JsonObject {
  return pattern.status ? pattern : { ...pattern, status: "True" };
}

/** Selects its Pods by its own uid, unless the author selects by hand. */
function withSelector(job: Obj): Obj {
  const spec = obj(job.spec);
  if (spec.manualSelector === true) return job;
  const { uid = "", name } = job.metadata;
  const template = obj(spec.template);
  const metadata = obj(template.metadata);
  // What the author says is kept; validation refuses it if it is another's.
  const said = obj(metadata.labels);
  const labels = { ...said, ...jobMarks(uid, name), ...said };
  const before = obj(spec.selector);
  const matchLabels = {
    "batch.kubernetes.io/controller-uid": uid,
    ...obj(before.matchLabels),
  };
  // A Job without labels of its own has its template's.
  const own = job.metadata.labels ?? map(labels);
  return {
    ...job,
    metadata: { ...job.metadata, labels: own },
    spec: {
      ...spec,
      selector: { ...before, matchLabels },
      template: { ...template, metadata: { ...metadata, labels } },
    },
  };
}

function statusText(job: Obj): string {
  const conditions = list(at(job, "status", "conditions"));
  const is = (type: string) =>
    conditions.find((c) => c.type === type)?.status === "True";
  if (is("Complete")) return "Complete";
  if (is("Failed")) return "Failed";
  if (job.metadata.deletionTimestamp) return "Terminating";
  if (is("Suspended")) return "Suspended";
  return is("FailureTarget") ? "FailureTarget" : "Running";
}

function completionsText(job: Obj): string {
  const succeeded = num(at(job, "status", "succeeded"));
  const completions = at(job, "spec", "completions");
  if (completions !== undefined) return `${succeeded}/${num(completions)}`;
  const parallelism = num(at(job, "spec", "parallelism"));
  return parallelism > 1
    ? `${succeeded}/1 of ${parallelism}`
    : `${succeeded}/1`;
}

function durationText(status: JsonObject, now: number): string {
  if (!status.startTime) return "";
  if (!status.completionTime) return since(status.startTime, now);
  return humanDuration(
    Date.parse(str(status.completionTime)) - Date.parse(str(status.startTime)),
  );
}
