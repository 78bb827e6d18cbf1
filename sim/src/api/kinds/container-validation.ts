/**
 * What a container may say.
 * Models: pkg/apis/core/validation/validation.go @ v1.36
 */
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  required,
} from "../field-error.ts";
import { dns1123Label } from "../names.ts";
import type { JsonObject } from "../types.ts";
import { list, obj, str } from "./access.ts";
import {
  envErrors,
  envFromErrors,
  mountErrors,
} from "./container-inputs-validation.ts";
import {
  hostPortConflicts,
  portsErrors,
} from "./container-ports-validation.ts";
import { lifecycleErrors, probeErrors } from "./probe-validation.ts";
import { resourceErrors } from "./resource-validation.ts";
import { containerSecurityErrors } from "./security-validation.ts";
import { choiceErrors } from "./shared-validation.ts";

const pullPolicies = ["Always", "IfNotPresent", "Never"];

/** What containers of one Pod must know of each other. */
export interface PodNames {
  readonly volumes: ReadonlySet<string>;
  readonly containers: Set<string>;
  readonly graceSeconds: number | undefined;
  /** Not a template's. */
  readonly isPod: boolean;
}

/** All containers of `spec.containers`, in order. */
export function containersErrors(
  containers: readonly JsonObject[],
  names: PodNames,
  path: string,
): FieldError[] {
  if (containers.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  for (let i = 0; i < containers.length; i++) {
    const container = containers[i] ?? {};
    const here = `${path}[${i}]`;
    commonErrors(container, names, here, errors);
    uniqueName(container, names, here, errors);
    if (container.lifecycle !== undefined)
      errors.push(...lifecycleErrors(container, names.graceSeconds, here));
    for (const probe of ["livenessProbe", "readinessProbe", "startupProbe"]) {
      if (container[probe] !== undefined) {
        errors.push(
          ...probeErrors(obj(container[probe]), `${here}.${probe}`, probe),
        );
      }
    }
    const { restartPolicy, restartPolicyRules } = container;
    if (restartPolicyRules !== undefined && restartPolicy === undefined) {
      const rule = "must specify restartPolicy when restart rules are used";
      errors.push(required(`${here}.restartPolicy`, rule));
    }
  }
  hostPortConflicts(containers, path, errors);
  return errors;
}

/** Init containers: probes only for those that go on running. */
export function initContainersErrors(
  containers: readonly JsonObject[],
  names: PodNames,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, container] of containers.entries()) {
    const here = `${path}[${i}]`;
    commonErrors(container, names, here, errors);
    uniqueName(container, names, here, errors);
    const sidecar = container.restartPolicy === "Always";
    for (const field of [
      "lifecycle",
      "livenessProbe",
      "readinessProbe",
      "startupProbe",
    ]) {
      if (container[field] === undefined) continue;
      if (!sidecar) {
        const rule =
          "may not be set for init containers without restartPolicy=Always";
        errors.push(forbidden(`${here}.${field}`, rule));
      } else if (field === "lifecycle") {
        errors.push(...lifecycleErrors(container, names.graceSeconds, here));
      } else {
        errors.push(
          ...probeErrors(obj(container[field]), `${here}.${field}`, field),
        );
      }
    }
  }
  return errors;
}

function uniqueName(
  container: JsonObject,
  names: PodNames,
  path: string,
  errors: FieldError[],
): void {
  const name = str(container.name);
  if (names.containers.has(name)) errors.push(duplicate(`${path}.name`, name));
  names.containers.add(name);
}

function commonErrors(
  container: JsonObject,
  names: PodNames,
  path: string,
  errors: FieldError[],
): void {
  const name = str(container.name);
  const image = str(container.image);
  if (!name) errors.push(required(`${path}.name`));
  else
    for (const text of dns1123Label(name))
      errors.push(invalid(`${path}.name`, name, text));
  if (!image) errors.push(required(`${path}.image`));
  else if (names.isPod && image !== image.trim())
    errors.push(spaced(image, path));
  const { terminationMessagePolicy: policy } = container;
  errors.push(
    ...choiceErrors(policy, `${path}.terminationMessagePolicy`, [
      "File",
      "FallbackToLogsOnError",
    ]),
  );
  inputErrors(container, names, path, errors);
}

function spaced(image: string, path: string): FieldError {
  const rule = "must not have leading or trailing whitespace";
  return invalid(`${path}.image`, image, rule);
}

function inputErrors(
  container: JsonObject,
  names: PodNames,
  path: string,
  errors: FieldError[],
): void {
  if (container.ports !== undefined)
    portsErrors(container, `${path}.ports`, errors);
  for (const [i, env] of list(container.env).entries()) {
    errors.push(...envErrors(env, `${path}.env[${i}]`));
  }
  for (const [i, from] of list(container.envFrom).entries()) {
    errors.push(...envFromErrors(from, `${path}.envFrom[${i}]`));
  }
  if (container.volumeMounts !== undefined) {
    mountErrors(container, names.volumes, `${path}.volumeMounts`, errors);
  }
  errors.push(
    ...choiceErrors(
      container.imagePullPolicy,
      `${path}.imagePullPolicy`,
      pullPolicies,
    ),
  );
  errors.push(...resourceErrors(obj(container.resources), `${path}.resources`));
  if (container.securityContext !== undefined) {
    const context = obj(container.securityContext);
    errors.push(...containerSecurityErrors(context, `${path}.securityContext`));
  }
}
