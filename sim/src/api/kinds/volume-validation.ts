/**
 * What volumes may say.
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
import { list, num, obj, str } from "./access.ts";
import { optionalChoiceErrors } from "./shared-validation.ts";

/** The volumes of a Pod. Adds their names to `names`. */
export function volumesErrors(
  volumes: unknown,
  names: Set<string>,
  path: string,
): FieldError[] {
  if (volumes === undefined) return [];
  const errors: FieldError[] = [];
  for (const [i, volume] of list(volumes).entries()) {
    const here = `${path}[${i}]`;
    const name = str(volume.name);
    const texts = name ? dns1123Label(name) : [];
    const before = errors.length;
    errors.push(...sourceErrors(volume, here));
    if (!name) errors.push(required(`${here}.name`));
    for (const text of texts) errors.push(invalid(`${here}.name`, name, text));
    if (names.has(name)) errors.push(duplicate(`${here}.name`, name));
    // What is wrong cannot be mounted.
    if (errors.length === before) names.add(name);
  }
  return errors;
}

function sourceErrors(volume: JsonObject, path: string): FieldError[] {
  const given = Object.keys(volume).filter((field) => field !== "name");
  const [first, ...more] = given;
  if (!first) return [required(path, "must specify a volume type")];
  const errors = oneSource(first, obj(volume[first]), `${path}.${first}`);
  for (const field of more) {
    errors.push(
      forbidden(`${path}.${field}`, "may not specify more than 1 volume type"),
    );
  }
  return errors;
}

/** Fields that a source must have, for the sources in use. */
const needed: { readonly [source: string]: readonly string[] } = {
  configMap: ["name"],
  secret: ["secretName"],
  persistentVolumeClaim: ["claimName"],
  hostPath: ["path"],
  nfs: ["server", "path"],
  csi: ["driver"],
  gitRepo: ["repository"],
  local: ["path"],
};

export const hostPathTypes = [
  ...["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate"],
  ...["File", "FileOrCreate", "Socket"],
];

function oneSource(
  name: string,
  source: JsonObject,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of needed[name] ?? []) {
    if (!source[field]) errors.push(required(`${path}.${field}`));
  }
  const { defaultMode: mode, type } = source;
  if (mode !== undefined && (num(mode) < 0 || num(mode) > 0o777)) {
    const rule = "must be a number between 0 and 0777 (octal), both inclusive";
    errors.push(invalid(`${path}.defaultMode`, mode, rule));
  }
  if (name === "hostPath") {
    if (str(source.path).split("/").includes("..")) {
      errors.push(
        invalid(`${path}.path`, source.path, "must not contain '..'"),
      );
    }
    errors.push(...optionalChoiceErrors(type, `${path}.type`, hostPathTypes));
  }
  for (const [i, item] of list(source.items).entries()) {
    const isField = name === "downwardAPI";
    if (!isField && !item.key) errors.push(required(`${path}.items[${i}].key`));
    if (!item.path) errors.push(required(`${path}.items[${i}].path`));
  }
  return errors;
}
