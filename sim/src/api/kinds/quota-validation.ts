/**
 * What a ResourceQuota may say.
 * Models: ValidateResourceQuota{,Update,StatusUpdate} of
 *         pkg/apis/core/validation/validation.go @ v1.36
 */
import { type FieldError, invalid, required } from "../field-error.ts";
import type { JsonObject } from "../types.ts";
import { list, map, obj, str, strings } from "./access.ts";
import type { Obj } from "./definition.ts";
import { internalJson } from "./internal-json.ts";
import {
  amountErrors,
  isQuotaName,
  resourceNameErrors,
} from "./resource-names.ts";

const computed = [
  ...["pods", "cpu", "memory", "limits.cpu", "limits.memory"],
  ...["requests.cpu", "requests.memory"],
];

/** Resources that a quota with a scope may bound. */
const scoped: { readonly [scope: string]: readonly string[] } = {
  Terminating: computed,
  NotTerminating: computed,
  BestEffort: ["pods"],
  NotBestEffort: computed,
  PriorityClass: computed,
  CrossNamespacePodAffinity: computed,
  VolumeAttributesClass: ["persistentvolumeclaims", "requests.storage"],
};
const opposed = [
  ["BestEffort", "NotBestEffort"],
  ["NotTerminating", "Terminating"],
];

export function quotaErrors(quota: Obj): FieldError[] {
  const spec = obj(quota.spec);
  return [
    ...amountsErrors(spec.hard, "spec.hard"),
    ...scopeErrors(spec),
    ...(spec.scopeSelector ? selectorErrors(spec) : []),
  ];
}

function amountsErrors(amounts: unknown, path: string): FieldError[] {
  return Object.entries(map(amounts)).flatMap(([name, amount]) => {
    const where = `${path}[${name}]`;
    const errors = resourceNameErrors(name, where);
    if (!name.includes("/") && !isQuotaName(name)) {
      const rule = "must be a standard resource for quota";
      errors.push(invalid(where, name, rule));
    }
    return [...errors, ...amountErrors(name, amount, where)];
  });
}

/** Scopes that what is bounded does not have. */
function unfit(spec: JsonObject, scope: string): readonly string[] {
  const fitting = scoped[scope];
  return Object.keys(map(spec.hard)).filter(
    (name) => isQuotaName(name) && fitting && !fitting.includes(name),
  );
}

function scopeErrors(spec: JsonObject): FieldError[] {
  const scopes = strings(spec.scopes);
  const wrong = (rule: string) => invalid("spec.scopes", scopes, rule);
  const errors = scopes.flatMap((scope) => [
    ...(scoped[scope] ? [] : [wrong("unsupported scope")]),
    ...unfit(spec, scope).map(() =>
      wrong("unsupported scope applied to resource"),
    ),
  ]);
  return [...errors, ...conflictErrors(spec, scopes)];
}

function conflictErrors(
  spec: JsonObject,
  scopes: readonly string[],
): FieldError[] {
  return opposed
    .filter((pair) => pair.every((scope) => scopes.includes(scope)))
    .map(() =>
      invalid("spec.scopes", spec.scopes ?? null, "conflicting scopes"),
    );
}

const existing =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, " +
  "ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
const whole = [
  ...["BestEffort", "NotBestEffort", "Terminating", "NotTerminating"],
  "CrossNamespacePodAffinity",
];

function selectorErrors(spec: JsonObject): FieldError[] {
  const path = "spec.scopeSelector.matchExpressions";
  const selector = obj(spec.scopeSelector);
  const expressions = list(selector.matchExpressions);
  const errors = expressions.flatMap((one) => {
    const [scope, operator] = [str(one.scopeName), str(one.operator)];
    const shown = internalJson("ScopeSelector", selector);
    const known = scoped[scope] !== undefined;
    return [
      ...(known
        ? []
        : [invalid(`${path}.scopeName`, scope, "unsupported scope")]),
      ...unfit(spec, scope).map(() =>
        invalid(path, shown, "unsupported scope applied to resource"),
      ),
      ...(whole.includes(scope) && operator !== "Exists"
        ? [invalid(`${path}.operator`, operator, existing)]
        : []),
      ...operatorErrors(operator, strings(one.values), path),
    ];
  });
  const scopes = expressions.map(({ scopeName }) => str(scopeName));
  return [...errors, ...conflictErrors(spec, scopes)];
}

function operatorErrors(
  operator: string,
  values: readonly string[],
  path: string,
): FieldError[] {
  if (operator === "In" || operator === "NotIn") {
    const rule =
      "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
    return values.length > 0 ? [] : [required(`${path}.values`, rule)];
  }
  if (operator === "Exists" || operator === "DoesNotExist") {
    const rule =
      "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
    return values.length > 0 ? [invalid(`${path}.values`, values, rule)] : [];
  }
  const rule = "not a valid selector operator";
  return [invalid(`${path}.operator`, operator, rule)];
}

/** What a quota counts stays: its scopes. */
export function quotaChange({ spec }: Obj, old: Obj): FieldError[] {
  const [next, before] = [obj(spec), obj(old.spec)].map(
    ({ scopes }) => new Set(strings(scopes)),
  ) as [Set<string>, Set<string>];
  const same =
    next.size === before.size && [...next].every((scope) => before.has(scope));
  const shown = obj(spec).scopes ?? null;
  return same ? [] : [invalid("spec.scopes", shown, "field is immutable")];
}

export function quotaStatusErrors({ status }: Obj): FieldError[] {
  return ["hard", "used"].flatMap((field) =>
    amountsErrors(obj(status)[field], `status.${field}`),
  );
}
