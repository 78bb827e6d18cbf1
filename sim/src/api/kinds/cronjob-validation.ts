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
import type { Obj } from "./definition.ts";
import { jobSpecErrors } from "./job-validation.ts";
import { negativeErrors } from "./shared-validation.ts";

const concurrency = ["Allow", "Forbid", "Replace"];

export function cronJobErrors(job: Obj): FieldError[] {
  const spec = obj(job.spec);
  const errors: FieldError[] = [];
  const schedule = str(spec.schedule);
  if (!schedule) errors.push(required("spec.schedule"));
  else errors.push(...scheduleErrors(schedule));
  errors.push(
    ...negativeErrors(
      spec.startingDeadlineSeconds,
      "spec.startingDeadlineSeconds",
    ),
  );
  if (!concurrency.includes(str(spec.concurrencyPolicy))) {
    const policy = str(spec.concurrencyPolicy);
    errors.push(notSupported("spec.concurrencyPolicy", policy, concurrency));
  }
  for (const field of [
    "successfulJobsHistoryLimit",
    "failedJobsHistoryLimit",
  ]) {
    errors.push(...negativeErrors(spec[field], `spec.${field}`));
  }
  errors.push(
    ...jobSpecErrors(
      obj(at(spec, "jobTemplate", "spec")),
      "spec.jobTemplate.spec",
    ),
  );
  return [...errors, ...nameAndZoneErrors(job, spec)];
}

function nameAndZoneErrors(job: Obj, spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  // Its Jobs get eleven more characters.
  if (job.metadata.name.length > 52) {
    const rule = "must be no more than 52 characters";
    errors.push(invalid("metadata.name", job.metadata.name, rule));
  }
  const { timeZone } = spec;
  if (timeZone === "") {
    errors.push(
      invalid("spec.timeZone", "", "timeZone must be nil or non-empty string"),
    );
  }
  return errors;
}

function scheduleErrors(schedule: string): FieldError[] {
  const path = "spec.schedule";
  if (/^\s*(CRON_)?TZ=/.test(schedule)) {
    const rule =
      "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
    return [invalid(path, schedule, rule)];
  }
  if (schedule.startsWith("@")) {
    const known =
      /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$|^@every \d+/;
    if (known.test(schedule)) return [];
    return [invalid(path, schedule, `unrecognized descriptor: ${schedule}`)];
  }
  const fields = schedule.trim().split(/\s+/);
  if (fields.length !== 5) {
    const listed = `[${fields.join(" ")}]`;
    const rule = `expected exactly 5 fields, found ${fields.length}: ${listed}`;
    return [invalid(path, schedule, rule)];
  }
  return [];
}
