/**
 * ConfigMap: settings for Pods.
 * Models: pkg/registry/core/configmap/strategy.go, pkg/apis/core/validation @ v1.36
 */
import {
  type FieldError,
  forbidden,
  invalid,
  tooLong,
} from "../field-error.ts";
import { configMapKey, utf8Length } from "../names.ts";
import { age, columns } from "../table.ts";
import { map, obj, same } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import type * as types from "./types/core.ts";

export type ConfigMap = types.ConfigMap;

const bytesMax = 1024 * 1024;

export const ConfigMap: Kind<ConfigMap> = defineKind<ConfigMap>({
  kind: "ConfigMap",
  shortNames: ["cm"],
  columns: columns("Name|Data|Age"),
  row: (object, now) => {
    const keys = [
      ...Object.keys(obj(object.data)),
      ...Object.keys(obj(object.binaryData)),
    ];
    return { cells: [object.metadata.name, keys.length, age(object, now)] };
  },
  validate,
  validateChange,
  updateOrder: ["metaChange", "change", "meta", "rules"],
});

function validate(object: Obj): FieldError[] {
  const errors: FieldError[] = [];
  const [data, binary] = [map(object.data), map(object.binaryData)];
  let bytes = 0;
  for (const key in data) {
    for (const text of configMapKey(key))
      errors.push(invalid(`data[${key}]`, key, text));
    if (binary[key] !== undefined) {
      errors.push(
        invalid(`data[${key}]`, key, "duplicate of key present in binaryData"),
      );
    }
    bytes += utf8Length(data[key] ?? "");
  }
  for (const key in binary) {
    for (const text of configMapKey(key))
      errors.push(invalid(`binaryData[${key}]`, key, text));
    bytes += Math.floor(
      ((binary[key] ?? "").replace(/=+$/, "").length * 3) / 4,
    );
  }
  if (bytes > bytesMax) errors.push(tooLong("[]", bytesMax));
  return errors;
}

function validateChange(object: Obj, old: Obj): FieldError[] {
  if (!old.immutable) return [];
  const rule = "field is immutable when `immutable` is set";
  const errors: FieldError[] = [];
  if (!object.immutable) errors.push(forbidden("immutable", rule));
  for (const field of ["data", "binaryData"]) {
    if (!same(object[field], old[field])) errors.push(forbidden(field, rule));
  }
  return errors;
}
