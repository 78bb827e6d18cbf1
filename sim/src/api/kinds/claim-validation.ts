/**
 * What a PersistentVolumeClaim may say, and what of it may change.
 * Models:     ValidatePersistentVolumeClaim{,Update,StatusUpdate} of
 *             pkg/apis/core/validation/validation.go @ v1.36
 * Leaves out: states of a resize in a status.
 */
import {
  type FieldError,
  forbidden,
  invalid,
  required,
} from "../field-error.ts";
import { OLD_CLASS } from "../helpers/storage-class.ts";
import { dns1123Label, dns1123Subdomain } from "../names.ts";
import { isMore, parseQuantity, value } from "../quantity.ts";
import { jsonDiff } from "../text-diff.ts";
import type { JsonObject } from "../types.ts";
import { at, map, obj, same, str, strings } from "./access.ts";
import type { Obj } from "./definition.ts";
import { internalFields } from "./internal-json.ts";
import {
  attributesChange,
  classErrors,
  modeErrors,
  positiveErrors,
  volumeModes,
} from "./persistentvolume-validation.ts";
import { optionalChoiceErrors, selectorErrors } from "./shared-validation.ts";

export function claimErrors(claim: Obj): FieldError[] {
  const spec = obj(claim.spec);
  const { accessModes, volumeMode, dataSource, dataSourceRef: ref } = spec;
  const errors: FieldError[] = [];
  if (strings(accessModes).length === 0) {
    const rule = "at least 1 access mode is required";
    errors.push(required("spec.accessModes", rule));
  }
  errors.push(
    ...selectorErrors(spec.selector, "spec.selector"),
    ...modeErrors(accessModes, "spec.accessModes"),
  );
  const size = sizeOf(spec);
  const where = "spec.resources[storage]";
  errors.push(
    ...(size === undefined ? [required(where)] : positiveErrors(size, where)),
    ...classErrors(spec.storageClassName || undefined, "storageClassName"),
    ...optionalChoiceErrors(volumeMode, "spec.volumeMode", volumeModes),
    ...(dataSource ? sourceErrors(obj(dataSource), "spec.dataSource") : []),
    ...(ref ? sourceErrors(obj(ref), "spec.dataSourceRef") : []),
    ...pairErrors(dataSource, ref),
  );
  const name = spec.volumeAttributesClassName || undefined;
  return [...errors, ...classErrors(name, "volumeAttributesClassName")];
}

function sizeOf(spec: JsonObject): string | undefined {
  return map(at(spec, "resources", "requests")).storage;
}

/** What the volume is to be filled from. */
function sourceErrors(source: JsonObject, path: string): FieldError[] {
  const { kind, apiGroup, namespace } = source;
  const errors = ["name", "kind"]
    .filter((field) => !source[field])
    .map((field) => required(`${path}.${field}`));
  if (!apiGroup && kind !== "PersistentVolumeClaim") {
    const rule =
      "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    errors.push(invalid(path, str(kind), rule));
  }
  for (const text of apiGroup ? dns1123Subdomain(str(apiGroup)) : [])
    errors.push(invalid(`${path}.apiGroup`, apiGroup, text));
  for (const text of namespace ? dns1123Label(str(namespace)) : [])
    errors.push(invalid(`${path}.namespace`, namespace, text));
  return errors;
}

/** Both fields name one source; their value is shown as a path, upstream too. */
function pairErrors(source: unknown, ref: unknown): FieldError[] {
  if (!source || !ref) return [];
  const { namespace, ...rest } = obj(ref);
  const wrong = (rule: string) => [invalid("spec", "spec.dataSource", rule)];
  if (namespace) {
    return wrong(
      "may not be specified when dataSourceRef.namespace is specified",
    );
  }
  return same(source, rest) ? [] : wrong("must match dataSourceRef");
}

/** In the order of the internal struct. */
const specFields = [
  ...["accessModes", "selector", "resources", "volumeName"],
  ...["storageClassName", "volumeMode", "dataSource", "dataSourceRef"],
  "volumeAttributesClassName",
];

export function claimChange(claim: Obj, old: Obj): FieldError[] {
  const [spec, before] = [obj(claim.spec), obj(old.spec)];
  const errors: FieldError[] = [];
  const fixed = { ...before, volumeName: before.volumeName || spec.volumeName };
  const next: { [field: string]: unknown } = { ...spec };
  const [was, is] = [old, claim].map(
    ({ metadata }) => metadata.annotations?.[OLD_CLASS],
  );
  const { storageClassName: name } = spec;
  const unnamed = before.storageClassName === undefined && name !== undefined;
  // A class may be named late, or move here from the annotation.
  const late = unnamed && (was ?? name) === name;
  if (late) next.storageClassName = undefined;
  const moved = late && was !== undefined && (is ?? was) === was;
  if (!moved && (is ?? "") !== (was ?? "")) {
    const path = `metadata.annotations.${OLD_CLASS}`;
    errors.push(invalid(path, is ?? "", "field is immutable"));
  }
  const resources = obj(spec.resources);
  if (at(claim, "status", "phase") === "Bound" && resources.requests) {
    const storage = sizeOf(before);
    const requests = { ...obj(resources.requests), storage };
    next.resources = { ...resources, requests };
  }
  next.volumeAttributesClassName = before.volumeAttributesClassName;
  if (!same(next, fixed)) errors.push(changedSpec(fixed, next as JsonObject));
  errors.push(...shrinkErrors(spec, old));
  if (spec.volumeMode !== before.volumeMode)
    errors.push(invalid("volumeMode", spec.volumeMode, "field is immutable"));
  return [...errors, ...attributesErrors(spec, before)];
}

function changedSpec(before: JsonObject, next: JsonObject): FieldError {
  const shown = (spec: JsonObject) =>
    internalFields("PersistentVolumeClaimSpec", specFields, spec);
  const rule =
    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
  const diff = jsonDiff(shown(before), shown(next));
  return forbidden("spec", `${rule}\n${diff}`);
}

/** A wish that cannot be met may be taken back, but no volume shrinks. */
function shrinkErrors(spec: JsonObject, old: Obj): FieldError[] {
  const wanted = sizeOf(spec) ?? "0";
  const has = map(at(old, "status", "capacity")).storage ?? "0";
  const less = isMore(sizeOf(obj(old.spec)) ?? "0", wanted);
  if (!less || isMore(wanted, has)) return [];
  const path = "spec.resources.requests.storage";
  return [forbidden(path, "field can not be less than status.capacity")];
}

function attributesErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const field = "volumeAttributesClassName";
  if (!before[field] || spec[field] !== "")
    return attributesChange(spec, before);
  const rule = "update from non-nil value to an empty string is forbidden";
  return [forbidden(`spec.${field}`, rule)];
}

export function claimStatusErrors({ status }: Obj): FieldError[] {
  const rule = "must be a valid resource quantity";
  return Object.entries(map(obj(status).capacity)).flatMap(([name, text]) => {
    const whole = value(parseQuantity(text));
    const path = `status.capacity[${name}]`;
    return whole < 0n ? [invalid(path, Number(whole), rule)] : [];
  });
}
