/**
 * Eviction: a delete that asks the PodDisruptionBudgets first.
 * Models: pkg/registry/core/pod/storage/eviction.go @ v1.36
 */
import { at, list, obj, str } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import { badRequest, internalError } from "../../../api/status.ts";
import type { RequestOptions } from "../../../api/transport.ts";
import type { Json } from "../../../api/types.ts";
import { admit, mutate } from "../../admission/stages.ts";
import type { RequestContext } from "../../context.ts";
import { andThen, type MaybePromise } from "../../maybe.ts";
import { commitUpdate } from "../commit.ts";
import { decodeBody } from "../decode.ts";
import { checkPreconditions } from "../delete.ts";
import { loadObject } from "../load.ts";
import { LostRace } from "../lost-race.ts";
import { SUCCESS } from "./binding.ts";
import { budgetsOf, spend, unhealthyAllowed } from "./eviction-budget.ts";

export function answerEviction(ctx: RequestContext): MaybePromise<void> {
  const eviction = decodeBody(ctx, ctx.server.evictionResource, versioned(ctx));
  if (eviction.metadata.name !== ctx.name) {
    throw badRequest("name in URL does not match name in Eviction object");
  }
  const options = deleteOptionsOf(ctx, obj(eviction.deleteOptions));
  ctx.object = eviction;
  const asUpdate = { ...ctx.request, verb: "patch" as const };
  return andThen(mutate(ctx), () =>
    andThen(admit(ctx), () => {
      const reading = { ...ctx, request: asUpdate };
      return andThen(loadObject(reading), () =>
        evict(ctx, reading.old!, options),
      );
    }),
  );
}

/** A dry run may be asked for in the address, in the body, or in both. */
function deleteOptionsOf(
  { options: { dryRun = [] } }: RequestContext,
  options: RequestOptions,
): RequestOptions {
  const inBody = options.dryRun ?? [];
  if (inBody.length === 0) return { ...options, dryRun };
  if (dryRun.length > 0 && dryRun.join() !== inBody.join()) {
    const both = `[${dryRun.join(" ")}] and [${inBody.join(" ")}]`;
    throw internalError(
      `Non-matching dry-run options in request and content: ${both}`,
    );
  }
  return options;
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
  options: RequestOptions,
): MaybePromise<void> {
  if (!spared(pod)) {
    const budgets = budgetsOf(ctx, pod);
    if (budgets.length > 1) {
      const why =
        "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
      throw internalError(why);
    }
    const [budget] = budgets;
    if (budget && !unhealthyAllowed(budget, pod)) {
      const spent = spend(ctx, budget, pod, isDryRun(options));
      return andThen(spent, () => go(ctx, pod, options));
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

/** Writes why it goes, then deletes it as a client would. */
function go(
  ctx: RequestContext,
  pod: Obj,
  options: RequestOptions,
): MaybePromise<void> {
  checkPreconditions(options, ctx.resource, pod);
  if (isDryRun(options)) return succeed(ctx);
  const marked = withCondition(ctx, pod);
  return andThen(commitUpdate(ctx, marked, pod), (stored) => {
    if (!stored) throw new LostRace();
    const { server, request, resource, user } = ctx;
    const { gracePeriodSeconds, propagationPolicy } = options;
    const asDelete = {
      ...request,
      verb: "delete" as const,
      subresource: undefined,
      body: undefined,
      options: { gracePeriodSeconds, propagationPolicy },
    };
    const deleting = server.contextFor(asDelete, resource, user);
    return andThen(server.runFrom(deleting, "storage", stored), () =>
      succeed(ctx),
    );
  });
}

function isDryRun({ dryRun = [] }: RequestOptions): boolean {
  return dryRun.length > 0;
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
  const known = list(status.conditions);
  const at = known.findIndex(({ type }) => type === condition.type);
  const conditions = at < 0 ? [...known, condition] : known.with(at, condition);
  return { ...pod, status: { ...status, conditions } };
}
