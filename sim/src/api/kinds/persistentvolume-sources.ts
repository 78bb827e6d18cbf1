/**
 * Where a PersistentVolume's storage is: exactly one source, with what it needs.
 * Models:     ValidatePersistentVolumeSpec and each source's own rules in
 *             pkg/apis/core/validation/validation.go @ v1.36
 * Leaves out: forms of the registries of quobyte and of the names of iscsi,
 *             scaleIO and azureDisk, which drivers have taken the place of.
 */
import {
  type FieldError,
  forbidden,
  invalid,
  required,
  tooLong,
} from "../field-error.ts";
import { dns1123Label, dns1123Subdomain } from "../names.ts";
import type { JsonObject } from "../types.ts";
import { num, obj, str } from "./access.ts";
import { optionalChoiceErrors } from "./shared-validation.ts";
import { hostPathTypes } from "./volume-validation.ts";

/** In the order in which they are looked at, and fields that each must have. */
const needed: { readonly [source: string]: readonly string[] } = {
  hostPath: ["path"],
  gcePersistentDisk: ["pdName"],
  awsElasticBlockStore: ["volumeID"],
  glusterfs: ["endpoints", "path"],
  flocker: [],
  nfs: ["server", "path"],
  rbd: ["monitors", "image"],
  quobyte: ["registry", "volume"],
  cephfs: ["monitors"],
  iscsi: ["targetPortal", "iqn"],
  cinder: ["volumeID"],
  fc: [],
  flexVolume: ["driver"],
  azureFile: ["secretName", "shareName"],
  vsphereVolume: ["volumePath"],
  photonPersistentDisk: ["pdID"],
  portworxVolume: ["volumeID"],
  azureDisk: ["diskName", "diskURI"],
  scaleIO: ["gateway", "system", "volumeName"],
  local: ["path"],
  storageos: ["volumeName"],
  csi: [],
};
const sources = Object.keys(needed);

/** Names that differ in a path, upstream too. */
const shown: { readonly [source: string]: string } = {
  gcePersistentDisk: "persistentDisk",
};

export function sourceErrors(spec: JsonObject, path: string): FieldError[] {
  const given = sources.filter((source) => spec[source] !== undefined);
  const errors = given.flatMap((source, i) => {
    // The second flexVolume passes, upstream too.
    if (i > 0 && source !== "flexVolume") {
      const where = source === "cephfs" ? "cephFS" : source;
      const rule = "may not specify more than 1 volume type";
      return [forbidden(`${path}.${where}`, rule)];
    }
    const where = `${path}.${shown[source] ?? source}`;
    const own = oneSource(source, obj(spec[source]), where);
    if (source !== "local" || spec.nodeAffinity !== undefined) return own;
    const rule = "Local volume requires node affinity";
    return [...own, required(`${path}.nodeAffinity`, rule)];
  });
  return given.length === 0
    ? [required(path, "must specify a volume type")]
    : errors;
}

function oneSource(
  name: string,
  source: JsonObject,
  path: string,
): FieldError[] {
  const errors = (needed[name] ?? [])
    .filter((field) => isEmpty(source[field]))
    .map((field) => required(`${path}.${field}`));
  return [...errors, ...(special[name]?.(source, path) ?? [])];
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : !value;
}

type Check = (source: JsonObject, path: string) => FieldError[];

/** What some sources ask besides. */
const special: { readonly [source: string]: Check } = {
  hostPath: (source, path) =>
    source.path
      ? [
          ...backstepErrors(source, path),
          ...optionalChoiceErrors(source.type, `${path}.type`, hostPathTypes),
        ]
      : [],
  local: backstepErrors,
  nfs: (source, path) =>
    str(source.path).startsWith("/")
      ? []
      : [invalid(`${path}.path`, str(source.path), "must be an absolute path")],
  gcePersistentDisk: partitionErrors,
  awsElasticBlockStore: partitionErrors,
  cinder: (source, path) => secretNamed(source.secretRef, `${path}.secretRef`),
  csi: csiErrors,
};

function backstepErrors(source: JsonObject, path: string): FieldError[] {
  const { path: place } = source;
  return str(place).split("/").includes("..")
    ? [invalid(`${path}.path`, place, "must not contain '..'")]
    : [];
}

function partitionErrors(source: JsonObject, path: string): FieldError[] {
  const partition = num(source.partition);
  if (partition >= 0 && partition <= 255) return [];
  const rule = "must be between 1 and 255, inclusive";
  return [invalid(`${path}.partition`, partition, rule)];
}

function secretNamed(ref: unknown, path: string): FieldError[] {
  if (ref === undefined) return [];
  return ["name", "namespace"].flatMap((field) =>
    obj(ref)[field] ? [] : [required(`${path}.${field}`)],
  );
}

/** A driver's name: a subdomain, in any case, of 63 letters at most. */
export function driverErrors(value: unknown, path: string): FieldError[] {
  const driver = str(value);
  return [
    ...(driver ? [] : [required(path)]),
    ...(driver.length > 63 ? [tooLong(path, 63)] : []),
    ...dns1123Subdomain(driver.toLowerCase()).map((text) =>
      invalid(path, driver, text),
    ),
  ];
}

const secrets = [
  ...["controllerPublishSecretRef", "controllerExpandSecretRef"],
  ...["nodePublishSecretRef", "nodeExpandSecretRef"],
];

function csiErrors(source: JsonObject, path: string): FieldError[] {
  const errors = driverErrors(source.driver, `${path}.driver`);
  if (!source.volumeHandle) errors.push(required(`${path}.volumeHandle`));
  for (const field of secrets) {
    if (source[field] === undefined) continue;
    const ref = obj(source[field]);
    for (const [name, rule] of [
      ["name", dns1123Subdomain],
      ["namespace", dns1123Label],
    ] as const) {
      const where = `${path}.${field}.${name}`;
      if (!ref[name]) errors.push(required(where));
      for (const text of ref[name] ? rule(str(ref[name])) : [])
        errors.push(invalid(where, ref[name], text));
    }
  }
  return errors;
}
