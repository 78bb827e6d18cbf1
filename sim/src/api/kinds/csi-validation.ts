/**
 * What drivers of storage, their Nodes and their attachments may say.
 * Models: pkg/apis/storage/validation/validation.go @ v1.36
 */
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  required,
} from "../field-error.ts";
import { dns1123Subdomain, labelKey } from "../names.ts";
import type { JsonObject } from "../types.ts";
import { list, num, obj, same, str, strings } from "./access.ts";
import type { Obj } from "./definition.ts";
import { driverErrors } from "./persistentvolume-sources.ts";
import { choiceErrors, negativeErrors } from "./shared-validation.ts";

const drivers = "spec.drivers";
const nodeIdMax = 256;

export function csiNodeErrors({ spec }: Obj): FieldError[] {
  const names = new Set<string>();
  return list(obj(spec).drivers).flatMap((driver, i) => {
    const path = `${drivers}[${i}]`;
    const [name, id] = [str(driver.name), str(driver.nodeID)];
    const errors = driverErrors(name, `${path}.name`);
    if (!id) errors.push(required(`${path}.nodeID`));
    if (id.length > nodeIdMax) {
      const rule = `must be ${nodeIdMax} characters or less`;
      errors.push(invalid(`${path}.nodeID`, id, rule));
    }
    const { count } = obj(driver.allocatable);
    errors.push(...negativeErrors(count, `${path}.allocatable.count`));
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
    const keys = strings(driver.topologyKeys);
    return [
      ...errors,
      ...keys.flatMap((key, j) => [
        ...(key ? [] : [required(path)]),
        ...(keys.indexOf(key) < j ? [duplicate(path, key)] : []),
        ...labelKey(key).map((text) => invalid(path, key, text)),
      ]),
    ];
  });
}

/** Of a driver that is known, only what it can take may change. */
export function csiNodeChange({ spec }: Obj, old: Obj): FieldError[] {
  const fixed = ({ name, nodeID, topologyKeys }: JsonObject) => ({
    Name: str(name),
    NodeID: str(nodeID),
    TopologyKeys: topologyKeys ?? null,
    Allocatable: null,
  });
  return list(obj(old.spec).drivers).flatMap((last) =>
    list(obj(spec).drivers)
      .filter(({ name }) => name === last.name)
      .filter((next) => !same(fixed(next), fixed(last)))
      .map((next) => invalid(drivers, fixed(next), "field is immutable")),
  );
}

const minutes10 = 600;

export function csiDriverErrors({ spec }: Obj): FieldError[] {
  const { fsGroupPolicy, tokenRequests, volumeLifecycleModes } = obj(spec);
  const period = obj(spec).nodeAllocatableUpdatePeriodSeconds;
  const policies = ["File", "None", "ReadWriteOnceWithFSType"];
  const audiences = new Set<string>();
  const errors = fsGroupPolicy
    ? choiceErrors(fsGroupPolicy, "spec.fsGroupPolicy", policies)
    : [];
  for (const [i, request] of list(tokenRequests).entries()) {
    const path = `spec.tokenRequests[${i}]`;
    const { audience, expirationSeconds: seconds } = request;
    const again = audiences.has(str(audience));
    audiences.add(str(audience));
    const wrong = (why: string) => {
      const rule = `may not specify a duration ${why}`;
      errors.push(invalid(`${path}.expirationSeconds`, seconds, rule));
    };
    if (again) errors.push(duplicate(`${path}.audience`, str(audience)));
    else if (seconds !== undefined && num(seconds) < minutes10)
      wrong("less than 10 minutes");
    else if (num(seconds) > 2 ** 32) wrong("larger than 2^32 seconds");
  }
  const modes = ["Persistent", "Ephemeral"];
  for (const mode of strings(volumeLifecycleModes))
    errors.push(...choiceErrors(mode, "spec.volumeLifecycleModes", modes));
  if (period === undefined || num(period) >= 10) return errors;
  const where = "spec.nodeAllocatableUpdatePeriodSeconds";
  const rule = "must be greater than or equal to 10 seconds";
  return [...errors, invalid(where, period, rule)];
}

export function csiDriverChange({ spec }: Obj, old: Obj): FieldError[] {
  const [next, before] = [obj(spec), obj(old.spec)];
  // The first path's word is upstream's.
  return [
    ["attachRequired", "attachedRequired"],
    ["volumeLifecycleModes", "volumeLifecycleModes"],
  ]
    .filter(([field]) => !same(next[field!], before[field!]))
    .map(([field, shown]) => {
      const value = next[field!] ?? null;
      return invalid(`spec.${shown}`, value, "field is immutable");
    });
}

export function attachmentErrors({ spec, status }: Obj): FieldError[] {
  const { attacher, nodeName } = obj(spec);
  const { persistentVolumeName: name, inlineVolumeSpec } = obj(
    obj(spec).source,
  );
  const path = "spec.source";
  const rule =
    "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  const errors = attacher ? [] : [required("spec.attacher")];
  if (name === undefined && inlineVolumeSpec === undefined)
    errors.push(required(path, rule));
  else if (name !== undefined && inlineVolumeSpec !== undefined)
    errors.push(forbidden(path, rule));
  else if (name === "") {
    const empty = "must specify non empty persistentVolumeName";
    errors.push(required(`${path}.persistentVolumeName`, empty));
  }
  for (const text of dns1123Subdomain(str(nodeName)))
    errors.push(invalid("spec.nodeName", str(nodeName), text));
  for (const field of ["attachError", "detachError"]) {
    const { errorCode: code } = obj(obj(status)[field]);
    if (num(code) >= 0) continue;
    const range = "must be between 0 and 2147483647, inclusive";
    errors.push(invalid(`status.${field}.errorCode`, code, range));
  }
  return errors;
}

/** What v1 asks besides, of a new one. */
export function newAttachmentErrors({ spec }: Obj): FieldError[] {
  const { attacher, source } = obj(spec);
  const { persistentVolumeName: name } = obj(source);
  const errors = driverErrors(attacher, "spec.attacher");
  if (name === undefined) return errors;
  const path = "spec.source.persistentVolumeName";
  const texts = dns1123Subdomain(str(name));
  return [...errors, ...texts.map((text) => invalid(path, name, text))];
}
