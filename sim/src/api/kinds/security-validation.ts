/**
 * What the security context of a container, and of a Pod, may say.
 * Models: pkg/apis/core/validation/validation.go @ v1.36
 */
import {
  type FieldError,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import type { JsonObject } from "../types.ts";
import { obj, str, strings } from "./access.ts";
import { internalJson } from "./internal-json.ts";
import { optionalChoiceErrors, rangeErrors } from "./shared-validation.ts";

const idMax = 2147483647;

export function containerSecurityErrors(
  context: JsonObject,
  path: string,
): FieldError[] {
  const errors = userErrors(context, path);
  const { allowPrivilegeEscalation: allow, privileged, procMount } = context;
  const types = ["Default", "Unmasked"];
  errors.push(
    ...optionalChoiceErrors(procMount, `${path}.procMount`, types),
    ...seccompErrors(context, path),
  );
  if (allow !== false) return errors;
  const rule = "cannot set `allowPrivilegeEscalation` to false and";
  if (privileged === true)
    errors.push(shown(context, path, `${rule} \`privileged\` to true`));
  if (strings(obj(context.capabilities).add).includes("CAP_SYS_ADMIN"))
    errors.push(
      shown(context, path, `${rule} \`capabilities.Add\` CAP_SYS_ADMIN`),
    );
  return errors;
}

function shown(context: JsonObject, path: string, rule: string): FieldError {
  return invalid(path, internalJson("SecurityContext", context), rule);
}

export function podSecurityErrors(
  context: JsonObject,
  path: string,
): FieldError[] {
  const errors = userErrors(context, path);
  errors.push(...rangeErrors(context.fsGroup, `${path}.fsGroup`, 0, idMax));
  const groups = Array.isArray(context.supplementalGroups)
    ? context.supplementalGroups
    : [];
  for (const [i, group] of groups.entries()) {
    errors.push(
      ...rangeErrors(group, `${path}.supplementalGroups[${i}]`, 0, idMax),
    );
  }
  const policies = ["Always", "OnRootMismatch"];
  const { fsGroupChangePolicy: policy } = context;
  return [
    ...errors,
    ...optionalChoiceErrors(policy, `${path}.fsGroupChangePolicy`, policies),
    ...seccompErrors(context, path),
  ];
}

function userErrors(context: JsonObject, path: string): FieldError[] {
  return [
    ...rangeErrors(context.runAsUser, `${path}.runAsUser`, 0, idMax),
    ...rangeErrors(context.runAsGroup, `${path}.runAsGroup`, 0, idMax),
  ];
}

const profiles = ["Localhost", "RuntimeDefault", "Unconfined"];

function seccompErrors(context: JsonObject, path: string): FieldError[] {
  if (context.seccompProfile === undefined) return [];
  const profile = obj(context.seccompProfile);
  const here = `${path}.seccompProfile`;
  const type = str(profile.type);
  if (!type)
    return [
      required(`${here}.type`, "type is required when seccompProfile is set"),
    ];
  if (!profiles.includes(type))
    return [notSupported(`${here}.type`, type, profiles)];
  if (type === "Localhost" && !profile.localhostProfile) {
    const rule = "must be set when seccomp type is Localhost";
    return [required(`${here}.localhostProfile`, rule)];
  }
  if (type !== "Localhost" && profile.localhostProfile !== undefined) {
    const rule = "can only be set when seccomp type is Localhost";
    return [
      invalid(`${here}.localhostProfile`, profile.localhostProfile, rule),
    ];
  }
  return [];
}
