/**
 * kubectl describe job, and cronjob.
 * Models:     kubectl/pkg/describe/describe.go (JobDescriber) @ v1.36
 */
import { at, list, num, obj, str } from "../../api/kinds/access.ts";
import { humanDuration } from "../../api/table.ts";
import { longTime } from "../time.ts";
import {
  type Describer,
  type Subject,
  selectorOf,
  writeController,
  writeEventsOf,
  writeLabelsOf,
  writeName,
} from "./subject.ts";
import { writeTemplate } from "./template.ts";

/** Longest list of indexes that is shown whole. */
const INDEXES_MAX = 50;

export const describeJob: Describer = async (subject) => {
  const { w, spec } = subject;
  writeName(subject);
  if (spec.selector) w.field(0, "Selector", selectorOf(subject));
  writeLabelsOf(subject);
  writeController(subject);
  writeSettings(subject);
  writeTimes(subject);
  writeStatuses(subject);
  writeTemplate(w, spec.template);
  await writeEventsOf(subject);
};

function writeSettings({ w, spec }: Subject): void {
  const { parallelism, completions, completionMode, suspend } = spec;
  if (typeof parallelism === "number") w.field(0, "Parallelism", parallelism);
  w.field(0, "Completions", completions ?? "<unset>");
  if (completionMode) w.field(0, "Completion Mode", completionMode);
  if (suspend !== undefined) w.field(0, "Suspend", suspend);
  if (spec.backoffLimit !== undefined)
    w.field(0, "Backoff Limit", spec.backoffLimit);
  if (spec.ttlSecondsAfterFinished !== undefined)
    w.field(0, "TTL Seconds After Finished", spec.ttlSecondsAfterFinished);
}

function writeTimes({ w, spec, status }: Subject): void {
  const { startTime, completionTime } = status;
  if (startTime) w.field(0, "Start Time", longTime(startTime));
  if (completionTime) w.field(0, "Completed At", longTime(completionTime));
  if (startTime && completionTime) {
    const ms = Date.parse(str(completionTime)) - Date.parse(str(startTime));
    w.field(0, "Duration", humanDuration(ms));
  }
  const deadline = spec.activeDeadlineSeconds;
  if (deadline !== undefined)
    w.field(0, "Active Deadline Seconds", `${deadline}s`);
}

function writeStatuses({ w, spec, status }: Subject): void {
  const { active, ready, succeeded, failed } = status;
  const readyText = ready === undefined ? "" : ` (${num(ready)} Ready)`;
  w.line(
    0,
    `Pods Statuses:\t${num(active)} Active${readyText} / ` +
      `${num(succeeded)} Succeeded / ${num(failed)} Failed`,
  );
  if (spec.completionMode !== "Indexed") return;
  const indexes = str(status.completedIndexes);
  const shown =
    indexes.length > INDEXES_MAX
      ? `${indexes.slice(0, indexes.lastIndexOf(",", INDEXES_MAX) + 1)}...`
      : indexes;
  w.field(0, "Completed Indexes", shown || "<none>");
}

export const describeCronJob: Describer = async (subject) => {
  const { w, spec, status } = subject;
  writeName(subject);
  writeLabelsOf(subject);
  const job = obj(at(spec.jobTemplate, "spec"));
  w.field(0, "Schedule", spec.schedule);
  w.field(0, "Concurrency Policy", spec.concurrencyPolicy);
  w.field(0, "Suspend", spec.suspend ? "True" : "False");
  for (const [title, field] of [
    ["Successful Job History Limit", "successfulJobsHistoryLimit"],
    ["Failed Job History Limit", "failedJobsHistoryLimit"],
  ] as const) {
    w.field(0, title, spec[field] ?? "<unset>");
  }
  const deadline = spec.startingDeadlineSeconds;
  w.field(
    0,
    "Starting Deadline Seconds",
    deadline === undefined ? "<unset>" : `${deadline}s`,
  );
  w.field(0, "Selector", job.selector ? "" : "<unset>");
  w.field(0, "Parallelism", job.parallelism ?? "<unset>");
  w.field(0, "Completions", job.completions ?? "<unset>");
  writeTemplate(w, job.template);
  const last = status.lastScheduleTime;
  w.field(0, "Last Schedule Time", last ? longTime(last) : "<unset>");
  const active = list(status.active).map(({ name }) => str(name));
  w.field(0, "Active Jobs", active.join(", ") || "<none>");
  await writeEventsOf(subject);
};
