/**
 * What metadata may say, of any object.
 * Models: apimachinery/pkg/api/validation/objectmeta.go,
 *         apimachinery/pkg/apis/meta/v1/validation @ v1.36
 */
import {
  type FieldError,
  forbidden,
  invalid,
  required,
  tooLong,
} from "../field-error.ts";
import { goValue, quote } from "../go-text.ts";
import { dns1123Label, labelKey, labelValue } from "../names.ts";
import type { Labels, ObjectMeta, OwnerReference } from "../types.ts";
import { noted } from "./sound.ts";

const soundLabels = new WeakSet<object>();
const soundAnnotations = new WeakSet<object>();
const soundOwners = new WeakSet<object>();

/** What is wrong with a name; nothing if it is good. */
export type NameRule = (name: string) => readonly string[];

const annotationBytesMax = 256 * 1024;

export function validateMeta(
  meta: ObjectMeta,
  namespaced: boolean,
  rule: NameRule,
): FieldError[] {
  const errors: FieldError[] = [];
  if (meta.generateName) {
    // A generated name may end in a dash: characters follow it.
    const stem = meta.generateName.replace(/-$/, "a");
    for (const text of rule(stem)) {
      errors.push(invalid("metadata.generateName", meta.generateName, text));
    }
  }
  if (!meta.name)
    errors.push(required("metadata.name", "name or generateName is required"));
  else
    for (const text of rule(meta.name))
      errors.push(invalid("metadata.name", meta.name, text));
  if (namespaced) {
    if (!meta.namespace) errors.push(required("metadata.namespace"));
    else {
      for (const text of dns1123Label(meta.namespace)) {
        errors.push(invalid("metadata.namespace", meta.namespace, text));
      }
    }
  } else if (meta.namespace) {
    errors.push(forbidden("metadata.namespace", "not allowed on this type"));
  }
  errors.push(...common(meta));
  return errors;
}

function common(meta: ObjectMeta): FieldError[] {
  if (
    !meta.labels &&
    !meta.annotations &&
    !meta.ownerReferences &&
    !meta.finalizers
  )
    return [];
  return [
    ...validateLabels(meta.labels, "metadata.labels"),
    ...validateAnnotations(meta.annotations, "metadata.annotations"),
    ...ownerErrors(meta.ownerReferences),
    ...finalizerErrors(meta.finalizers ?? []),
  ];
}

export function validateLabels(
  labels: Labels | undefined,
  path: string,
): FieldError[] {
  if (!labels || soundLabels.has(labels)) return [];
  const errors: FieldError[] = [];
  for (const key in labels) {
    const value = labels[key] ?? "";
    for (const text of labelKey(key)) errors.push(invalid(path, key, text));
    for (const text of labelValue(value))
      errors.push(invalid(path, value, text));
  }
  return noted(labels, errors, soundLabels);
}

export function validateAnnotations(
  annotations: Labels | undefined,
  path: string,
): FieldError[] {
  if (!annotations || soundAnnotations.has(annotations)) return [];
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const key in annotations) {
    for (const text of labelKey(key.toLowerCase()))
      errors.push(invalid(path, key, text));
    bytes += key.length + (annotations[key] ?? "").length;
  }
  if (bytes > annotationBytesMax)
    errors.push(tooLong(path, annotationBytesMax));
  return noted(annotations, errors, soundAnnotations);
}

function ownerErrors(
  owners: readonly OwnerReference[] | undefined,
): FieldError[] {
  if (!owners || soundOwners.has(owners)) return [];
  const path = "metadata.ownerReferences";
  const errors: FieldError[] = [];
  const controllers: string[] = [];
  for (const owner of owners) {
    const empty = "must not be empty";
    const version = owner.apiVersion.split("/").at(-1);
    if (!version) {
      errors.push(
        invalid(
          `${path}.apiVersion`,
          owner.apiVersion,
          "version must not be empty",
        ),
      );
    }
    if (!owner.kind) errors.push(invalid(`${path}.kind`, owner.kind, empty));
    if (!owner.name) errors.push(invalid(`${path}.name`, owner.name, empty));
    if (!owner.uid) errors.push(invalid(`${path}.uid`, owner.uid, empty));
    if (owner.apiVersion === "v1" && owner.kind === "Event") {
      errors.push(
        invalid(
          path,
          owner,
          "/v1, Kind=Event is disallowed from being an owner",
        ),
      );
    }
    if (owner.controller) controllers.push(owner.name);
  }
  const [first, second] = controllers;
  if (second !== undefined) {
    const found = `Found "true" in references for ${first} and ${second}`;
    const rule = `Only one reference can have Controller set to true. ${found}`;
    errors.push(invalid(path, owners, rule));
  }
  return owners.every(Object.isFrozen)
    ? noted(owners, errors, soundOwners)
    : errors;
}

function finalizerErrors(finalizers: readonly string[]): FieldError[] {
  const path = "metadata.finalizers";
  if (finalizers.length === 0) return [];
  const errors = finalizers.flatMap((name) =>
    labelKey(name).map((text) => invalid(path, name, text)),
  );
  if (
    finalizers.includes("orphan") &&
    finalizers.includes("foregroundDeletion")
  ) {
    const both = "finalizer orphan and foregroundDeletion cannot be both set";
    errors.push(invalid(path, goValue(finalizers), both));
  }
  return errors;
}

const fixed = ["name", "namespace", "uid", "creationTimestamp"] as const;
const fixedOnceSet = [
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
] as const;

/** What an update may do to metadata; in upstream's order. */
export function validateMetaUpdate(
  meta: ObjectMeta,
  old: ObjectMeta,
): FieldError[] {
  const errors = newFinalizers(meta, old);
  if (!meta.resourceVersion) {
    const rule = "must be specified for an update";
    errors.push(invalid("metadata.resourceVersion", "", rule));
  }
  const { generation = 0 } = meta;
  if (generation < (old.generation ?? 0)) {
    const rule = "must not be decremented";
    errors.push(invalid("metadata.generation", generation, rule));
  }
  for (const field of fixed) {
    const value = meta[field] ?? "";
    if (value === (old[field] ?? "")) continue;
    errors.push(invalid(`metadata.${field}`, value, "field is immutable"));
  }
  for (const field of fixedOnceSet) {
    const value = meta[field] ?? null;
    if (value === (old[field] ?? null)) continue;
    errors.push(invalid(`metadata.${field}`, value, "field is immutable"));
  }
  const found = common(meta);
  return found.length > 0 ? [...errors, ...found] : errors;
}

function newFinalizers(meta: ObjectMeta, old: ObjectMeta): FieldError[] {
  if (!old.deletionTimestamp) return [];
  const before = old.finalizers ?? [];
  const added = (meta.finalizers ?? []).filter(
    (name) => !before.includes(name),
  );
  if (added.length === 0) return [];
  const shown = `[]string{${added.map(quote).join(", ")}}`;
  const rule = "no new finalizers can be added if the object is being deleted";
  return [
    forbidden("metadata.finalizers", `${rule}, found new finalizers ${shown}`),
  ];
}
