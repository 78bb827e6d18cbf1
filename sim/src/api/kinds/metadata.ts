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
import { goValue } from "../go-text.ts";
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
  errors.push(...commonErrors(meta));
  return errors;
}

/** What is wrong on create and on update alike. */
export function commonErrors(meta: ObjectMeta): FieldError[] {
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

const standardFinalizers = ["kubernetes", "orphan", "foregroundDeletion"];

/** Names without a domain are Kubernetes' own. Models: validateKubeFinalizerName */
export function finalizerNames(finalizers: readonly string[]): FieldError[] {
  const rule =
    "name is neither a standard finalizer name nor is it fully qualified";
  return finalizers.flatMap((name, i) =>
    name.includes("/") || standardFinalizers.includes(name)
      ? []
      : [invalid(`metadata.finalizers[${i}]`, name, rule)],
  );
}
