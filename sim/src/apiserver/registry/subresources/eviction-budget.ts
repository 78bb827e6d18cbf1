/**
 * The PodDisruptionBudget of a Pod that is to be evicted, and what it says.
 * Models: pkg/registry/core/pod/storage/eviction.go (checkAndDecrement)
 *         @ v1.36
 */
import { withDisruptionAllowed } from "../../../api/helpers/disruption-allowed.ts";
import { at, list, num, obj } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import { labelSelector } from "../../../api/selector.ts";
import { forbidden, statusError } from "../../../api/status.ts";
import type { Json, JsonObject } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import { andThen, type MaybePromise } from "../../maybe.ts";
import { commitUpdate } from "../commit.ts";
import { LostRace } from "../lost-race.ts";

/** More evictions than these that the controller has not confirmed. */
const DISRUPTED_MAX = 2000;

export function budgetsOf(
  { server, namespace }: RequestContext,
  pod: Obj,
): Obj[] {
  const all = server.storageOf("poddisruptionbudgets").cache.list(namespace);
  return (all as Obj[]).filter(({ spec }) => {
    const selector = labelSelector(at(spec as Json, "selector") as never);
    return selector.matches(pod.metadata.labels);
  });
}

/** A Pod that is not ready may go if the budget is met without it. */
export function unhealthyAllowed({ spec, status }: Obj, pod: Obj): boolean {
  const conditions = list(at(pod.status as Json, "conditions"));
  const ready = conditions.find(({ type }) => type === "Ready");
  if (ready?.status === "True") return false;
  const policy = at(spec as Json, "unhealthyPodEvictionPolicy");
  if (policy === "AlwaysAllow") return true;
  const { currentHealthy, desiredHealthy } = obj(status);
  return num(desiredHealthy) > 0 && num(currentHealthy) >= num(desiredHealthy);
}

/** Takes one disruption out of the budget; 429 if there is none left. */
export function spend(
  ctx: RequestContext,
  budget: Obj,
  pod: Obj,
  dryRun: boolean,
): MaybePromise<void> {
  const status = obj(budget.status);
  const { name, generation = 0 } = budget.metadata;
  if (num(status.observedGeneration) < generation) {
    const message = `The disruption budget ${name} is still being processed by the server.`;
    throw tooMany(message, 10);
  }
  if (Object.keys(obj(status.disruptedPods)).length > DISRUPTED_MAX) {
    const about = { group: "policy", resource: "poddisruptionbudget" };
    const why =
      "DisruptedPods map too big - too many evictions not confirmed by PDB controller";
    throw forbidden(about, name, why);
  }
  const allowed = num(status.disruptionsAllowed);
  if (allowed <= 0) {
    const needs = `The disruption budget ${name} needs ${num(status.desiredHealthy)} healthy pods and has ${num(status.currentHealthy)} currently`;
    throw tooMany(needs);
  }
  if (dryRun) return;
  const now = ctx.server.kernel.timestamp();
  const disruptedPods = {
    ...(status.disruptedPods as Readonly<Record<string, string>>),
    [pod.metadata.name]: now,
  };
  const less = { ...status, disruptionsAllowed: allowed - 1, disruptedPods };
  const spent = allowed === 1 ? withDisruptionAllowed(less, now) : less;
  const next: Obj = { ...budget, status: spent as JsonObject };
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

function tooMany(message: string, retryAfterSeconds = 0) {
  const text =
    "Cannot evict pod as it would violate the pod's disruption budget.";
  return statusError(429, "TooManyRequests", text, {
    causes: [{ reason: "DisruptionBudget", message }],
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
  });
}
