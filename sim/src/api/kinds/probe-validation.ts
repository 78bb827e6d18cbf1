/**
 * What a probe may say.
 * Models: pkg/apis/core/validation/validation.go @ v1.36
 */
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import type { JsonObject } from "../types.ts";
import { num, obj, str, strings } from "./access.ts";
import {
  negativeErrors,
  portErrors,
  rangeErrors,
} from "./shared-validation.ts";

const handlers = ["exec", "httpGet", "tcpSocket", "grpc"];
const hooks = ["exec", "httpGet", "tcpSocket", "sleep"];

/** What is done after a container's start and before its stop. */
export function lifecycleErrors(
  container: JsonObject,
  graceSeconds: number | undefined,
  path: string,
): FieldError[] {
  const lifecycle = obj(container.lifecycle);
  return ["postStart", "preStop"].flatMap((name) => {
    if (lifecycle[name] === undefined) return [];
    const where = `${path}.lifecycle.${name}`;
    return handlerErrors(obj(lifecycle[name]), where, hooks, graceSeconds);
  });
}

const counts = [
  ...["initialDelaySeconds", "timeoutSeconds", "periodSeconds"],
  ...["successThreshold", "failureThreshold"],
];

/** `kind` is the field's name: only readiness may want more than one success. */
export function probeErrors(
  probe: JsonObject,
  path: string,
  kind: string,
): FieldError[] {
  const errors = handlerErrors(probe, path);
  for (const count of counts)
    errors.push(...negativeErrors(probe[count], `${path}.${count}`));
  const { terminationGracePeriodSeconds: grace, successThreshold } = probe;
  if (grace !== undefined && num(grace) <= 0) {
    errors.push(
      invalid(
        `${path}.terminationGracePeriodSeconds`,
        grace,
        "must be greater than 0",
      ),
    );
  }
  if (kind === "readinessProbe") {
    if (grace !== undefined) {
      const rule = "must not be set for readinessProbes";
      errors.push(
        invalid(`${path}.terminationGracePeriodSeconds`, grace, rule),
      );
    }
  } else if (num(successThreshold) !== 1) {
    errors.push(
      invalid(`${path}.successThreshold`, num(successThreshold), "must be 1"),
    );
  }
  return errors;
}

function handlerErrors(
  handler: JsonObject,
  path: string,
  known = handlers,
  graceSeconds?: number,
): FieldError[] {
  const given = known.filter((name) => handler[name] !== undefined);
  const [first, ...more] = given;
  if (!first) return [required(path, "must specify a handler type")];
  const errors = more.map((name) =>
    forbidden(`${path}.${name}`, "may not specify more than 1 handler type"),
  );
  return [
    ...(first === "sleep"
      ? sleepErrors(obj(handler.sleep), graceSeconds, `${path}.sleep`)
      : oneHandler(first, obj(handler[first]), `${path}.${first}`)),
    ...errors,
  ];
}

function sleepErrors(
  { seconds }: JsonObject,
  graceSeconds: number | undefined,
  path: string,
): FieldError[] {
  if (graceSeconds === undefined) return [];
  if (num(seconds) >= 0 && num(seconds) <= graceSeconds) return [];
  const rule = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`;
  return [invalid(path, num(seconds), rule)];
}

function oneHandler(
  name: string,
  action: JsonObject,
  path: string,
): FieldError[] {
  if (name === "exec") {
    return strings(action.command).length === 0
      ? [required(`${path}.command`)]
      : [];
  }
  if (name === "grpc")
    return rangeErrors(action.port, `${path}.port`, 1, 65535);
  const errors: FieldError[] = [];
  if (name === "httpGet" && !action.path) errors.push(required(`${path}.path`));
  errors.push(...portErrors(action.port, `${path}.port`));
  const schemes = ["HTTP", "HTTPS"];
  if (name === "httpGet" && !schemes.includes(str(action.scheme))) {
    errors.push(notSupported(`${path}.scheme`, str(action.scheme), schemes));
  }
  return errors;
}
