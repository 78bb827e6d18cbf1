/**
 * Policies and their bindings that concern a write, each with its parameters
 * and the names that its expressions may use.
 * Models:     apiserver/pkg/admission/plugin/policy/generic @ v1.36
 * Leaves out: type checking of expressions when a policy is written.
 */

import { evaluateCel } from "../../../api/cel/cel.ts";
import type { Bindings } from "../../../api/cel/evaluate.ts";
import { list, obj, str } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import { labelSelector } from "../../../api/selector.ts";
import type { JsonObject } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import { bindingsOf } from "../bindings.ts";
import { conditionsHold } from "../conditions.ts";
import { namespaceMatches, objectMatches, rulesMatch } from "../matching.ts";
import { refuse } from "../plugin.ts";

export interface Matched {
  readonly policy: Obj;
  readonly binding: Obj;
  readonly spec: JsonObject;
  readonly names: Bindings;
}

/** In the order of the policies' names; several parameters, several entries. */
export function matchedPolicies(
  ctx: RequestContext,
  policies: string,
): Matched[] {
  const { cache } = ctx.server.storageOf(policies);
  if (cache.size === 0) return [];
  const all = ctx.server.storageOf(policies.replace(/ies$/, "ybindings"));
  const bindings = all.cache.list("") as Obj[];
  return (cache.list("") as Obj[]).flatMap((policy) => {
    const spec = obj(policy.spec);
    if (!concerns(ctx, obj(spec.matchConstraints), true)) return [];
    const own = bindings.filter(
      ({ spec: of }) => obj(of).policyName === policy.metadata.name,
    );
    return own.flatMap((binding) => boundOf(ctx, policy, binding, spec));
  });
}

function boundOf(
  ctx: RequestContext,
  policy: Obj,
  binding: Obj,
  spec: JsonObject,
): Matched[] {
  const resources = obj(binding.spec).matchResources;
  if (resources && !concerns(ctx, obj(resources), false)) return [];
  const failurePolicy = str(spec.failurePolicy);
  if (!conditionsHold(ctx, spec.matchConditions, failurePolicy)) return [];
  return paramsOf(ctx, spec, obj(obj(binding.spec).paramRef)).map((params) => {
    const names: Record<string, unknown> = { ...bindingsOf(ctx), params };
    names.variables = variablesOf(list(spec.variables), names);
    return { policy, binding, spec, names };
  });
}

function concerns(ctx: RequestContext, match: JsonObject, needsRules: boolean) {
  const rules = list(match.resourceRules);
  if ((needsRules || rules.length > 0) && !rulesMatch(rules, ctx)) return false;
  if (rulesMatch(match.excludeResourceRules, ctx)) return false;
  return (
    namespaceMatches(match.namespaceSelector, ctx) &&
    objectMatches(match.objectSelector, ctx)
  );
}

/** Worked out when an expression first asks for one. */
function variablesOf(
  variables: readonly JsonObject[],
  names: Bindings,
): Record<string, () => unknown> {
  const known = new Map<string, unknown>();
  return Object.fromEntries(
    variables.map(({ name, expression }) => [
      str(name),
      () => {
        const key = str(name);
        if (!known.has(key))
          known.set(key, evaluateCel(str(expression), names));
        return known.get(key);
      },
    ]),
  );
}

/** Objects that the binding gives as parameters; null where none is asked. */
function paramsOf(
  ctx: RequestContext,
  spec: JsonObject,
  ref: JsonObject,
): (Obj | null)[] {
  const { apiVersion, kind } = obj(spec.paramKind);
  if (!kind || Object.keys(ref).length === 0) return [null];
  const resource = ctx.server.resources.ofKind(str(apiVersion), str(kind));
  const namespace = resource?.kind.namespaced
    ? str(ref.namespace) || ctx.namespace
    : "";
  const all = (resource?.storage?.cache.list(namespace) ?? []) as Obj[];
  const selector = ref.selector ? labelSelector(obj(ref.selector)) : undefined;
  const found = all.filter(({ metadata }) =>
    selector ? selector.matches(metadata.labels) : metadata.name === ref.name,
  );
  if (found.length > 0 || ref.parameterNotFoundAction === "Allow") return found;
  const why =
    "no params found for policy binding with `Deny` parameterNotFoundAction";
  throw refuse(ctx, `failed to configure binding: ${why}`);
}
