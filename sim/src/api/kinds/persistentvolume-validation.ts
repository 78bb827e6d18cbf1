/**
 * What a PersistentVolume may say, and what of it stays.
 * Models: ValidatePersistentVolume, ValidatePersistentVolumeUpdate of
 *         pkg/apis/core/validation/validation.go @ v1.36
 */
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import { dns1123Subdomain } from "../names.ts";
import { compareQuantities, parseQuantity, value } from "../quantity.ts";
import { jsonDiff } from "../text-diff.ts";
import type { JsonObject } from "../types.ts";
import { map, obj, same, str, strings } from "./access.ts";
import type { Obj } from "./definition.ts";
import { internalFields, internalJson } from "./internal-json.ts";
import { sourceErrors } from "./persistentvolume-sources.ts";
import { nodeSelectorErrors } from "./scheduling-validation.ts";
import { optionalChoiceErrors } from "./shared-validation.ts";

const accessModes = [
  ...["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"],
];
export const volumeModes = ["Block", "Filesystem"];
const policies = ["Delete", "Recycle", "Retain"];

export function volumeErrors(volume: Obj): FieldError[] {
  const spec = obj(volume.spec);
  const { accessModes: modes, nodeAffinity, hostPath } = spec;
  const { persistentVolumeReclaimPolicy: policy } = spec;
  const where = "spec.persistentVolumeReclaimPolicy";
  const recyclesRoot =
    policy === "Recycle" && /^\/[/.]*$/.test(str(obj(hostPath).path));
  const rootRule = "may not be 'recycle' for a hostPath mount of '/'";
  return [
    ...(strings(modes).length > 0 ? [] : [required("spec.accessModes")]),
    ...modeErrors(modes, "spec.accessModes"),
    ...capacityErrors(spec.capacity),
    ...optionalChoiceErrors(policy, where, policies),
    ...(nodeAffinity ? affinityErrors(obj(nodeAffinity)) : []),
    ...sourceErrors(spec, "spec"),
    ...(recyclesRoot ? [forbidden(where, rootRule)] : []),
    ...classErrors(spec.storageClassName || undefined, "storageClassName"),
    ...optionalChoiceErrors(spec.volumeMode, "spec.volumeMode", volumeModes),
    ...attributesErrors(spec),
  ];
}

/** Of a volume, or of a claim on one. */
export function modeErrors(modes: unknown, path: string): FieldError[] {
  const all = strings(modes);
  const errors = all
    .filter((mode) => !accessModes.includes(mode))
    .map((mode) => notSupported(path, mode, accessModes));
  const known = new Set(all.filter((mode) => accessModes.includes(mode)));
  if (known.has("ReadWriteOncePod") && known.size > 1) {
    const rule = "may not use ReadWriteOncePod with other access modes";
    errors.push(forbidden(path, rule));
  }
  return errors;
}

function capacityErrors(capacity: unknown): FieldError[] {
  const path = "spec.capacity";
  const amounts = map(capacity);
  const names = Object.keys(amounts);
  const errors = names.length > 0 ? [] : [required(path)];
  if (amounts.storage === undefined || names.length > 1)
    errors.push(notSupported(path, capacity ?? null, ["storage"]));
  for (const [name, text] of Object.entries(amounts)) {
    const whole = value(parseQuantity(text));
    const rule = "must be a valid resource quantity";
    const where = `${path}[${name}]`;
    if (whole < 0n) errors.push(invalid(where, Number(whole), rule));
    errors.push(...positiveErrors(text, where));
  }
  return errors;
}

/** More than nothing. */
export function positiveErrors(text: string, path: string): FieldError[] {
  const amount = parseQuantity(text);
  return compareQuantities(amount, parseQuantity("0")) > 0
    ? []
    : [invalid(path, text, "must be greater than zero")];
}

function affinityErrors({ required: nodes }: JsonObject): FieldError[] {
  const path = "spec.nodeAffinity.required";
  return nodes === undefined
    ? [required(path, "must specify required node constraints")]
    : nodeSelectorErrors(obj(nodes), path);
}

/** A class is called as the object of its name. */
export function classErrors(name: unknown, field: string): FieldError[] {
  if (name === undefined) return [];
  const texts = dns1123Subdomain(str(name));
  return texts.map((text) => invalid(`spec.${field}`, name, text));
}

function attributesErrors(spec: JsonObject): FieldError[] {
  const { volumeAttributesClassName: name, csi } = spec;
  if (name === undefined) return [];
  const field = "volumeAttributesClassName";
  const rule = `has to be specified when using ${field}`;
  return [
    ...(name === ""
      ? [required(`spec.${field}`, "an empty string is disallowed")]
      : classErrors(name, field)),
    ...(csi === undefined ? [required("spec.csi", rule)] : []),
  ];
}

/** In the order of the internal struct. */
const sourceFields = [
  ...["gcePersistentDisk", "awsElasticBlockStore", "hostPath", "glusterfs"],
  ...["nfs", "rbd", "quobyte", "iscsi", "flexVolume", "cinder", "cephfs"],
  ...["fc", "flocker", "azureFile", "vsphereVolume", "azureDisk"],
  ...["photonPersistentDisk", "portworxVolume", "scaleIO", "local"],
  ...["storageos", "csi"],
];

export function volumeChange(volume: Obj, old: Obj): FieldError[] {
  const [spec, before] = [obj(volume.spec), obj(old.spec)];
  const errors: FieldError[] = [];
  const sourceOf = (one: JsonObject) => {
    return Object.fromEntries(sourceFields.map((name) => [name, one[name]]));
  };
  const [source, last] = [sourceOf(withoutNewSecret(spec, before)), before];
  if (!same(source, sourceOf(last))) {
    const shown = (one: JsonObject) =>
      internalFields("PersistentVolumeSpec", sourceFields, one);
    const rule = "spec.persistentvolumesource is immutable after creation";
    const diff = jsonDiff(shown(last), shown(source as JsonObject));
    errors.push(forbidden("spec.persistentvolumesource", `${rule}\n${diff}`));
  }
  const fixed = "field is immutable";
  if (spec.volumeMode !== before.volumeMode)
    errors.push(invalid("volumeMode", spec.volumeMode, fixed));
  const { nodeAffinity } = before;
  if (nodeAffinity && !same(spec.nodeAffinity, nodeAffinity)) {
    const shown = spec.nodeAffinity
      ? internalJson("VolumeNodeAffinity", obj(spec.nodeAffinity))
      : null;
    errors.push(invalid("nodeAffinity", shown, fixed));
  }
  return [...errors, ...attributesChange(spec, before)];
}

/** A secret to grow the volume with may be added later. */
function withoutNewSecret(spec: JsonObject, before: JsonObject): JsonObject {
  const { csi } = spec;
  const had = obj(before.csi).controllerExpandSecretRef !== undefined;
  if (!csi || !before.csi || had) return spec;
  const { controllerExpandSecretRef: _, ...rest } = obj(csi);
  return { ...spec, csi: rest };
}

export function attributesChange(
  spec: JsonObject,
  before: JsonObject,
): FieldError[] {
  const field = "volumeAttributesClassName";
  if (before[field] === undefined || spec[field] !== undefined) return [];
  const rule = "update from non-nil value to nil is forbidden";
  return [forbidden(`spec.${field}`, rule)];
}
