/**
 * What a container may say.
 * Models: pkg/apis/core/validation/validation.go @ v1.36
 */
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notFoundField,
  notSupported,
  required,
} from "../field-error.ts";
import { dns1123Label, envVarName, portName, portNumber } from "../names.ts";
import type { JsonObject } from "../types.ts";
import { list, num, obj, str } from "./access.ts";
import { probeErrors } from "./probe-validation.ts";
import { resourceErrors } from "./resource-validation.ts";
import { containerSecurityErrors } from "./security-validation.ts";
import { choiceErrors } from "./shared-validation.ts";

const protocols = ["SCTP", "TCP", "UDP"];
const pullPolicies = ["Always", "IfNotPresent", "Never"];

/** What containers of one Pod must know of each other. */
export interface PodNames {
  readonly volumes: ReadonlySet<string>;
  readonly containers: Set<string>;
  readonly hostNetwork: boolean;
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
      } else if (field !== "lifecycle") {
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
  else if (image !== image.trim()) {
    errors.push(
      invalid(
        `${path}.image`,
        image,
        "must not have leading or trailing whitespace",
      ),
    );
  }
  const { terminationMessagePolicy: policy } = container;
  errors.push(
    ...choiceErrors(policy, `${path}.terminationMessagePolicy`, [
      "File",
      "FallbackToLogsOnError",
    ]),
  );
  if (container.ports !== undefined)
    portsErrors(container, names, `${path}.ports`, errors);
  for (const [i, env] of list(container.env).entries()) {
    errors.push(...envErrors(env, `${path}.env[${i}]`));
  }
  for (const [i, from] of list(container.envFrom).entries()) {
    errors.push(...envFromErrors(from, `${path}.envFrom[${i}]`));
  }
  if (container.volumeMounts !== undefined) {
    mountErrors(container, names, `${path}.volumeMounts`, errors);
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

function portsErrors(
  container: JsonObject,
  names: PodNames,
  path: string,
  errors: FieldError[],
): void {
  const used = new Set<string>();
  for (const [i, port] of list(container.ports).entries()) {
    const here = `${path}[${i}]`;
    const name = str(port.name);
    const texts = name ? portName(name) : [];
    for (const text of texts) errors.push(invalid(`${here}.name`, name, text));
    if (used.has(name)) errors.push(duplicate(`${here}.name`, name));
    else if (name && texts.length === 0) used.add(name);
    const number = num(port.containerPort);
    if (number === 0) errors.push(required(`${here}.containerPort`));
    else {
      for (const text of portNumber(number)) {
        errors.push(invalid(`${here}.containerPort`, number, text));
      }
    }
    if (port.hostPort !== undefined) {
      for (const text of portNumber(num(port.hostPort))) {
        errors.push(invalid(`${here}.hostPort`, port.hostPort, text));
      }
    }
    if (names.hostNetwork && port.hostPort !== port.containerPort) {
      const rule = "must match `hostPort` when `hostNetwork` is true";
      errors.push(invalid(`${here}.containerPort`, number, rule));
    }
    errors.push(...choiceErrors(port.protocol, `${here}.protocol`, protocols));
  }
}

function hostPortConflicts(
  containers: readonly JsonObject[],
  path: string,
  errors: FieldError[],
): void {
  const used = new Set<string>();
  for (const [i, container] of containers.entries()) {
    for (const [j, port] of list(container.ports).entries()) {
      if (!port.hostPort) continue;
      const key = `${str(port.protocol)}/${str(port.hostIP)}/${num(port.hostPort)}`;
      if (used.has(key))
        errors.push(duplicate(`${path}[${i}].ports[${j}].hostPort`, key));
      used.add(key);
    }
  }
}

const sources = [
  "fieldRef",
  "resourceFieldRef",
  "configMapKeyRef",
  "secretKeyRef",
  "fileKeyRef",
];

function envErrors(env: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const name = str(env.name);
  if (!name) errors.push(required(`${path}.name`));
  else
    for (const text of envVarName(name))
      errors.push(invalid(`${path}.name`, name, text));
  if (env.valueFrom === undefined) return errors;
  const from = obj(env.valueFrom);
  const given = sources.filter((source) => from[source] !== undefined);
  if (given.length === 0) {
    const rule =
      "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
    errors.push(invalid(`${path}.valueFrom`, "", rule));
  }
  if (env.value) {
    const rule = "may not be specified when `value` is not empty";
    errors.push(invalid(`${path}.valueFrom`, "", rule));
  } else if (given.length > 1) {
    const rule = "may not have more than one field specified at a time";
    errors.push(invalid(`${path}.valueFrom`, "", rule));
  }
  for (const source of ["configMapKeyRef", "secretKeyRef"]) {
    const ref = from[source];
    if (ref === undefined) continue;
    if (!obj(ref).name)
      errors.push(required(`${path}.valueFrom.${source}.name`));
    if (!obj(ref).key) errors.push(required(`${path}.valueFrom.${source}.key`));
  }
  if (from.fieldRef !== undefined && !obj(from.fieldRef).fieldPath) {
    errors.push(required(`${path}.valueFrom.fieldRef.fieldPath`));
  }
  return errors;
}

function envFromErrors(from: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const given = ["configMapRef", "secretRef"].filter(
    (ref) => from[ref] !== undefined,
  );
  for (const ref of given) {
    if (!obj(from[ref]).name) errors.push(required(`${path}.${ref}.name`));
  }
  if (given.length === 0) {
    const rule = "must specify one of: `configMapRef` or `secretRef`";
    errors.push(invalid(path, "", rule));
  } else if (given.length > 1) {
    errors.push(
      invalid(path, "", "may not have more than one field specified at a time"),
    );
  }
  return errors;
}

function mountErrors(
  container: JsonObject,
  names: PodNames,
  path: string,
  errors: FieldError[],
): void {
  const used = new Set<string>();
  for (const [i, mount] of list(container.volumeMounts).entries()) {
    const here = `${path}[${i}]`;
    const name = str(mount.name);
    const where = str(mount.mountPath);
    if (!name) errors.push(required(`${here}.name`));
    else if (!names.volumes.has(name))
      errors.push(notFoundField(`${here}.name`, name));
    if (!where) errors.push(required(`${here}.mountPath`));
    if (used.has(where))
      errors.push(invalid(`${here}.mountPath`, where, "must be unique"));
    used.add(where);
    for (const field of ["subPath", "subPathExpr"]) {
      const inner = str(mount[field]);
      if (inner.startsWith("/")) {
        errors.push(
          invalid(`${here}.${field}`, inner, "must be a relative path"),
        );
      }
      if (inner.split("/").includes("..")) {
        errors.push(
          invalid(`${here}.${field}`, inner, "must not contain '..'"),
        );
      }
    }
    const modes = ["None", "HostToContainer", "Bidirectional"];
    const { mountPropagation } = mount;
    if (
      mountPropagation !== undefined &&
      !modes.includes(str(mountPropagation))
    ) {
      const sorted = ["Bidirectional", "HostToContainer", "None"];
      errors.push(
        notSupported(`${here}.mountPropagation`, mountPropagation, sorted),
      );
    }
  }
}
