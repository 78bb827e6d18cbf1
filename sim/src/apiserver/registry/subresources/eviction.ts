/**
 * Eviction: a delete that asks the PodDisruptionBudgets first.
 * Models: pkg/registry/core/pod/storage/eviction.go @ v1.36
 */
import { at, list, num, obj, str } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import { labelSelector } from "../../../api/selector.ts";
import { badRequest, internalError, statusError } from "../../../api/status.ts";
import type { Json, JsonObject } from "../../../api/types.ts";
import { admit, mutate } from "../../admission/stages.ts";
import type { RequestContext } from "../../context.ts";
import { andThen, type MaybePromise } from "../../maybe.ts";
import { commitUpdate } from "../commit.ts";
import { decodeBody } from "../decode.ts";
import { loadObject } from "../load.ts";
import { LostRace } from "../lost-race.ts";
import { SUCCESS } from "./binding.ts";

export function answerEviction(ctx: RequestContext): MaybePromise<void> {
  const eviction = decodeBody(ctx, ctx.server.evictionResource, versioned(ctx));
  const { name } = eviction.metadata;
  if (name && name !== ctx.name) {
    throw badRequest("name in URL does not match name in Eviction object");
  }
  ctx.object = eviction;
  const asUpdate = { ...ctx.request, verb: "patch" as const };
  return andThen(mutate(ctx), () =>
    andThen(admit(ctx), () => {
      const reading = { ...ctx, request: asUpdate };
      return andThen(loadObject(reading), () =>
        evict(ctx, reading.old!, eviction),
      );
    }),
  );
}

/** Old clients post policy/v1beta1: the shape is the same. */
function versioned(ctx: RequestContext): Json {
  const body = obj(ctx.body);
  if (body.apiVersion !== "policy/v1beta1") return body;
  return { ...body, apiVersion: "policy/v1" };
}

function evict(
  ctx: RequestContext,
  pod: Obj,
  eviction: Obj,
): MaybePromise<void> {
  const options = obj(eviction.deleteOptions);
  if (!spared(pod)) {
    const budgets = budgetsOf(ctx, pod);
    if (budgets.length > 1) {
      const why =
        "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
      throw internalError(why);
    }
    const [budget] = budgets;
    if (budget && !unhealthyAllowed(budget, pod)) {
      return andThen(spend(ctx, budget, pod), () => go(ctx, pod, options));
    }
  }
  return go(ctx, pod, options);
}

/** Pods that no budget counts: ended, not started, or on their way out. */
function spared(pod: Obj): boolean {
  const phase = str(at(pod.status as Json, "phase"));
  if (pod.metadata.deletionTimestamp) return true;
  return ["Succeeded", "Failed", "Pending"].includes(phase);
}

function budgetsOf({ server, namespace }: RequestContext, pod: Obj): Obj[] {
  const all = server.storageOf("poddisruptionbudgets").cache.list(namespace);
  return (all as Obj[]).filter(({ spec }) => {
    const selector = labelSelector(at(spec as Json, "selector") as never);
    return selector.matches(pod.metadata.labels);
  });
}

/** A Pod that is not ready may go if the budget is met without it. */
function unhealthyAllowed({ spec, status }: Obj, pod: Obj): boolean {
  const conditions = list(at(pod.status as Json, "conditions"));
  const ready = conditions.find(({ type }) => type === "Ready");
  if (ready?.status === "True") return false;
  const policy = at(spec as Json, "unhealthyPodEvictionPolicy");
  if (policy === "AlwaysAllow") return true;
  const { currentHealthy, desiredHealthy } = obj(status);
  return num(desiredHealthy) > 0 && num(currentHealthy) >= num(desiredHealthy);
}

/** Takes one disruption out of the budget; 429 if there is none left. */
function spend(ctx: RequestContext, budget: Obj, pod: Obj): MaybePromise<void> {
  const status = obj(budget.status);
  const { name, generation = 0 } = budget.metadata;
  const violation = (message: string, retryAfterSeconds = 0) =>
    tooMany(name, message, retryAfterSeconds);
  if (num(status.observedGeneration) < generation) {
    const message = `The disruption budget ${name} is still being processed by the server.`;
    throw violation(message, 10);
  }
  const allowed = num(status.disruptionsAllowed);
  if (allowed <= 0) {
    const needs = `The disruption budget ${name} needs ${num(status.desiredHealthy)} healthy pods and has ${num(status.currentHealthy)} currently`;
    throw violation(needs);
  }
  if (ctx.dryRun) return;
  const disruptedPods = {
    ...obj(status.disruptedPods),
    [pod.metadata.name]: ctx.server.kernel.timestamp(),
  };
  const next: Obj = {
    ...budget,
    status: { ...status, disruptionsAllowed: allowed - 1, disruptedPods },
  };
  const resource = ctx.server.resourceOf(
    "policy",
    "v1",
    "poddisruptionbudgets",
  )!;
  const done = commitUpdate({ ...ctx, resource }, next, budget);
  return andThen(done, (stored) => {
    if (!stored) throw new LostRace();
  });
}

function tooMany(budget: string, why: string, retryAfterSeconds: number) {
  const message =
    "Cannot evict pod as it would violate the pod's disruption budget.";
  const causes = [{ reason: "DisruptionBudget", message: why, field: budget }];
  const retry = retryAfterSeconds ? { retryAfterSeconds } : {};
  const { field: _, ...cause } = causes[0]!;
  return statusError(429, "TooManyRequests", message, {
    causes: [cause],
    ...retry,
  });
}

/** Writes why it goes, then deletes it as a client would. */
function go(
  ctx: RequestContext,
  pod: Obj,
  deleteOptions: JsonObject,
): MaybePromise<void> {
  if (ctx.dryRun || deleteOptions.dryRun) return succeed(ctx);
  const marked = withCondition(ctx, pod);
  return andThen(commitUpdate(ctx, marked, pod), (stored) => {
    if (!stored) throw new LostRace();
    const { server, request, resource, user } = ctx;
    const { gracePeriodSeconds, propagationPolicy } = deleteOptions;
    const options = { gracePeriodSeconds, propagationPolicy } as never;
    const rest = { ...request, subresource: undefined, body: undefined };
    const one = { ...rest, verb: "delete" as const, options };
    const deleting = server.contextFor(one, resource, user);
    return andThen(server.runFrom(deleting, "storage", stored), () =>
      succeed(ctx),
    );
  });
}

function succeed(ctx: RequestContext): void {
  ctx.response = { code: 201, body: SUCCESS };
}

function withCondition({ server }: RequestContext, pod: Obj): Obj {
  const status = obj(pod.status);
  const condition = {
    type: "DisruptionTarget",
    status: "True",
    lastProbeTime: null,
    lastTransitionTime: server.kernel.timestamp(),
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
  };
  const others = list(status.conditions).filter(
    ({ type }) => type !== condition.type,
  );
  return { ...pod, status: { ...status, conditions: [...others, condition] } };
}
