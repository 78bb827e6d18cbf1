/**
 * Metrics and behavior of an autoscaler in the words of autoscaling/v1, which
 * has them in annotations alone.
 * Models: pkg/apis/autoscaling/v1/conversion.go @ v1.36
 */
import { goJson } from "../go-text.ts";
import type { Json, JsonObject } from "../types.ts";
import { list, obj, str } from "./access.ts";

/**
 * v1's fields of each source in their order, and where v2 has them. `@` is
 * `target` or, of what was measured, `current`. `!` is written in any case,
 * as "0" if there is nothing; `+` only of what was measured.
 */
const FORMS: { readonly [source: string]: string } = {
  object:
    "target=describedObject metricName=metric.name @Value!=@.value " +
    "selector=metric.selector averageValue=@.averageValue",
  pods: "metricName=metric.name @AverageValue!=@.averageValue selector=metric.selector",
  resource:
    "name=name @AverageUtilization=@.averageUtilization @AverageValue+=@.averageValue",
  containerResource:
    "name=name @AverageUtilization=@.averageUtilization " +
    "@AverageValue+=@.averageValue container=container",
  external:
    "metricName=metric.name metricSelector=metric.selector @Value+=@.value " +
    "@AverageValue=@.averageValue",
};

interface Place {
  readonly older: string;
  readonly newer: readonly string[];
  readonly always: boolean;
}

function placesOf(source: string, word: "target" | "current"): Place[] {
  return FORMS[source]!.split(" ").map((text) => {
    const [older = "", newer = ""] = text.split("=");
    const mark = /[!+]$/.exec(older)?.[0];
    return {
      older: older.replace("@", word).replace(/[!+]$/, ""),
      newer: newer.replace("@", word).split("."),
      always: mark === "!" || (mark === "+" && word === "current"),
    };
  });
}

/** A metric of v2 in v1's words. */
export function sourceOfV2(
  metric: JsonObject,
  word: "target" | "current",
): JsonObject {
  const out: Record<string, Json> = { type: str(metric.type) };
  for (const source of Object.keys(FORMS)) {
    if (metric[source] === undefined) continue;
    const fields: Record<string, Json> = {};
    for (const { older, newer, always } of placesOf(source, word)) {
      const value = newer.reduce<Json>(
        (host, name) => obj(host)[name],
        metric[source],
      );
      if (value !== undefined) fields[older] = value;
      else if (always) fields[older] = "0";
    }
    out[source] = fields;
  }
  return out;
}

/** A metric of v1 in v2's words. */
export function sourceOfV1(
  metric: JsonObject,
  word: "target" | "current",
): JsonObject {
  const out: Record<string, Json> = { type: str(metric.type) };
  for (const source of Object.keys(FORMS)) {
    if (metric[source] === undefined) continue;
    const given = obj(metric[source]);
    const fields: Record<string, Json> = {};
    for (const { older, newer, always } of placesOf(source, word)) {
      const value = given[older] ?? (always ? "0" : undefined);
      const [host = "", name] = newer;
      if (name === undefined) {
        if (value !== undefined) fields[host] = value;
        continue;
      }
      const more = value === undefined ? {} : { [name]: value };
      fields[host] = { ...obj(fields[host]), ...more };
    }
    if (word === "target") {
      fields.target = { type: typeOf(source, given), ...obj(fields.target) };
    }
    out[source] = fields;
  }
  return out;
}

/** What of a target is meant. */
function typeOf(source: string, given: JsonObject): string {
  if (source === "object") return given.averageValue ? "AverageValue" : "Value";
  if (source === "external") {
    return given.targetValue ? "Value" : "AverageValue";
  }
  const isPart = given.targetAverageUtilization !== undefined;
  return isPart ? "Utilization" : "AverageValue";
}

/** Go's names of the fields, for this annotation is of the internal type. */
const RULES = [
  ["StabilizationWindowSeconds", "stabilizationWindowSeconds"],
  ["SelectPolicy", "selectPolicy"],
  ["Policies", "policies"],
  ["Tolerance", "tolerance"],
] as const;
const POLICY = [
  ["Type", "type"],
  ["Value", "value"],
  ["PeriodSeconds", "periodSeconds"],
] as const;

export function behaviorText(behavior: JsonObject): string {
  const rules = (given: Json): Json => {
    if (given === undefined) return null;
    return renamed(RULES, (field) => {
      const value = obj(given)[field];
      if (field !== "policies" || value === undefined) return value ?? null;
      return list(value).map((one) => renamed(POLICY, (name) => one[name]));
    });
  };
  const { scaleUp, scaleDown } = behavior;
  return goJson({ ScaleUp: rules(scaleUp), ScaleDown: rules(scaleDown) });
}

function renamed(
  names: readonly (readonly [string, string])[],
  read: (name: string) => Json,
): JsonObject {
  return Object.fromEntries(names.map(([go, name]) => [go, read(name)]));
}

/** The inverse; undefined if nothing is said. */
export function behaviorOf(told: JsonObject): JsonObject | undefined {
  const fields = (
    given: JsonObject,
    names: readonly (readonly [string, string])[],
  ) =>
    Object.fromEntries(
      names.flatMap(([go, name]) => {
        const value = given[go] ?? given[name];
        return value === undefined || value === null ? [] : [[name, value]];
      }),
    );
  const rules = (given: Json): JsonObject => {
    const own = fields(obj(given), RULES);
    if (own.policies === undefined) return own;
    const policies = list(own.policies).map((one) => fields(one, POLICY));
    return { ...own, policies };
  };
  const sides = [
    ["scaleUp", told.ScaleUp ?? told.scaleUp],
    ["scaleDown", told.ScaleDown ?? told.scaleDown],
  ] as const;
  const given = sides.filter(([, side]) => side !== undefined && side !== null);
  if (given.length === 0) return undefined;
  return Object.fromEntries(given.map(([name, side]) => [name, rules(side)]));
}
