/**
 * What a CronJob may say.
 * Models: pkg/apis/batch/validation/validation.go @ v1.36
 */
import {
  type FieldError,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import type { JsonObject } from "../types.ts";
import { at, obj, str } from "./access.ts";
import { readSchedule } from "./cronjob-schedule.ts";
import type { Obj } from "./definition.ts";
import { jobSpecErrors } from "./job-spec-validation.ts";
import { choiceErrors, negativeErrors } from "./shared-validation.ts";

const concurrency = ["Allow", "Forbid", "Replace"];

export function newCronJobErrors(job: Obj): FieldError[] {
  const errors = specErrors(obj(job.spec), undefined);
  // Its Jobs get eleven more characters.
  if (job.metadata.name.length > 52) {
    const rule = "must be no more than 52 characters";
    errors.push(invalid("metadata.name", job.metadata.name, rule));
  }
  return errors;
}

/** What an old one has it may keep: a long name, a zone in its schedule. */
export function cronJobChange(job: Obj, old: Obj): FieldError[] {
  return specErrors(obj(job.spec), obj(old.spec));
}

function specErrors(
  spec: JsonObject,
  before: JsonObject | undefined,
): FieldError[] {
  const { schedule, timeZone, startingDeadlineSeconds: deadline } = spec;
  const errors: FieldError[] = [];
  if (!schedule) errors.push(required("spec.schedule"));
  else errors.push(...scheduleErrors(spec, before));
  errors.push(...negativeErrors(deadline, "spec.startingDeadlineSeconds"));
  if (timeZone !== undefined && timeZone !== before?.timeZone)
    errors.push(...zoneErrors(str(timeZone)));
  errors.push(
    ...choiceErrors(
      spec.concurrencyPolicy,
      "spec.concurrencyPolicy",
      concurrency,
    ),
    ...templateErrors(obj(at(spec, "jobTemplate", "spec"))),
  );
  for (const field of [
    "successfulJobsHistoryLimit",
    "failedJobsHistoryLimit",
  ]) {
    errors.push(...negativeErrors(spec[field], `spec.${field}`));
  }
  return errors;
}

function scheduleErrors(
  { schedule: value, timeZone }: JsonObject,
  before: JsonObject | undefined,
): FieldError[] {
  const path = "spec.schedule";
  const schedule = str(value);
  const why = scheduleProblem(schedule);
  const errors = why ? [invalid(path, schedule, why)] : [];
  if (!schedule.includes("TZ")) return errors;
  const had = str(before?.schedule).includes("TZ");
  if (!had) {
    const rule =
      "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
    errors.push(invalid(path, schedule, rule));
  } else if (timeZone !== undefined) {
    const rule = "cannot use both timeZone field and TZ or CRON_TZ in schedule";
    errors.push(invalid(path, schedule, rule));
  }
  return errors;
}

function scheduleProblem(schedule: string): string {
  const zone = /^(?:CRON_)?TZ=(\S*) /.exec(schedule)?.[1];
  if (zone !== undefined && !isZone(zone)) {
    return `provided bad location ${zone}: unknown time zone ${zone}`;
  }
  try {
    readSchedule(schedule.replace(/^(CRON_)?TZ=\S* /, "").trim());
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A part of a zone's name, as the files of zones are called. */
const zonePart = /^(?!-|\.{1,2}$)[A-Za-z._0-9+-]{1,14}$/;

function zoneErrors(zone: string): FieldError[] {
  const path = "spec.timeZone";
  if (!zone)
    return [invalid(path, zone, "timeZone must be nil or non-empty string")];
  const unknown = invalid(path, zone, `unknown time zone ${zone}`);
  if (!zone.split("/").every((part) => zonePart.test(part))) return [unknown];
  const local =
    "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
  if (zone.toLowerCase() === "local") return [invalid(path, zone, local)];
  return isZone(zone) ? [] : [unknown];
}

function isZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: zone }));
  } catch {
    return false;
  }
}

function templateErrors(spec: JsonObject): FieldError[] {
  const path = "spec.jobTemplate.spec";
  const errors = jobSpecErrors(spec, path);
  if (spec.selector !== undefined) {
    const rule = "`selector` will be auto-generated";
    errors.push(invalid(`${path}.selector`, spec.selector, rule));
  }
  if (spec.manualSelector === true) {
    const known = ["nil", "false"];
    errors.push(notSupported(`${path}.manualSelector`, true, known));
  }
  return errors;
}
