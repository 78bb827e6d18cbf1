/**
 * What a container may be given: variables and mounts.
 * Models: pkg/apis/core/validation/validation.go @ v1.36
 */
import {
  type FieldError,
  invalid,
  notFoundField,
  notSupported,
  required,
} from "../field-error.ts";
import { envVarName } from "../names.ts";
import type { JsonObject } from "../types.ts";
import { list, obj, str } from "./access.ts";

const sources = [
  "fieldRef",
  "resourceFieldRef",
  "configMapKeyRef",
  "secretKeyRef",
  "fileKeyRef",
];

export function envErrors(env: JsonObject, path: string): FieldError[] {
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

export function envFromErrors(from: JsonObject, path: string): FieldError[] {
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

export function mountErrors(
  container: JsonObject,
  volumes: ReadonlySet<string>,
  path: string,
  errors: FieldError[],
): void {
  const used = new Set<string>();
  for (const [i, mount] of list(container.volumeMounts).entries()) {
    const here = `${path}[${i}]`;
    const name = str(mount.name);
    const where = str(mount.mountPath);
    if (!name) errors.push(required(`${here}.name`));
    else if (!volumes.has(name))
      errors.push(notFoundField(`${here}.name`, name));
    if (!where) errors.push(required(`${here}.mountPath`));
    if (used.has(where))
      errors.push(invalid(`${here}.mountPath`, where, "must be unique"));
    used.add(where);
    mountDetailErrors(mount, here, errors);
  }
}

function mountDetailErrors(
  mount: JsonObject,
  here: string,
  errors: FieldError[],
): void {
  for (const field of ["subPath", "subPathExpr"]) {
    const inner = str(mount[field]);
    if (inner.startsWith("/")) {
      errors.push(
        invalid(`${here}.${field}`, inner, "must be a relative path"),
      );
    }
    if (inner.split("/").includes("..")) {
      errors.push(invalid(`${here}.${field}`, inner, "must not contain '..'"));
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
