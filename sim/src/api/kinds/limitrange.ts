/**
 * LimitRange: bounds and defaults for what one Pod may ask.
 * Models: pkg/registry/core/limitrange/strategy.go, pkg/apis/core/v1/defaults.go @ v1.36
 */
import type { Json, JsonObject } from "../types.ts";
import { obj, same } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import { limitRangeErrors } from "./limits-validation.ts";
import type * as types from "./types/service.ts";

export type LimitRange = types.LimitRange;

export const LimitRange: Kind<LimitRange> = defineKind<LimitRange>({
  kind: "LimitRange",
  shortNames: ["limits"],
  hooks: { LimitRangeItem: itemDefaults },
  validate: limitRangeErrors,
  updateOrder: ["meta", "rules"],
  allowCreateOnUpdate: true,
});

/** For containers: the default limit is at most max; the default request, that or min. */
function itemDefaults(item: JsonObject): JsonObject {
  if (item.type !== "Container") return item;
  const limits: { [name: string]: Json } = {
    ...obj(item.max),
    ...obj(item.default),
  };
  const requests: { [name: string]: Json } = {
    ...obj(item.min),
    ...limits,
    ...obj(item.defaultRequest),
  };
  const next = {
    ...item,
    ...filled("default", limits),
    ...filled("defaultRequest", requests),
  };
  return same(next, item) ? item : next;
}

function filled(field: string, values: JsonObject): JsonObject {
  return Object.keys(values).length > 0 ? { [field]: values } : {};
}
