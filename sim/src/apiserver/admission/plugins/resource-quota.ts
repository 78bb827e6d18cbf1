/**
 * ResourceQuota: the last plugin of all, since it takes from the quota what
 * the write will use: a write that is refused later would leave it taken.
 * Models:     apiserver/pkg/admission/plugin/resourcequota/{admission,
 *             controller}.go @ v1.36
 * Leaves out: batching of waiting requests; quotas that must exist first.
 */
import { plus, type Quantities } from "../../../api/helpers/pod-quantities.ts";
import { inScopes, scopesOf } from "../../../api/helpers/quota-scopes.ts";
import { usageOf } from "../../../api/helpers/quota-usage.ts";
import { map } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import {
  compareQuantities,
  formatQuantity,
  isMore,
  parseQuantity,
  subtractQuantities,
} from "../../../api/quantity.ts";
import type { RequestContext } from "../../context.ts";
import { andThen, forEach, type MaybePromise } from "../../maybe.ts";
import { commitUpdate } from "../../registry/commit.ts";
import { LostRace } from "../../registry/lost-race.ts";
import { type AdmissionPlugin, isPodResize, refuse } from "../plugin.ts";
import { unsaid } from "../quota/unsaid.ts";

const UPDATES_COUNT = ["services", "persistentvolumeclaims"];

export const resourceQuota: AdmissionPlugin = {
  name: "ResourceQuota",
  handles: (target) =>
    isPodResize(target) ||
    (target.subresource === "" &&
      target.resource !== "resourcequotas" &&
      (target.operation === "CREATE" ||
        (target.operation === "UPDATE" &&
          UPDATES_COUNT.includes(target.resource)))),
  validate(ctx) {
    if (!ctx.resource.kind.namespaced) return;
    const { cache } = ctx.server.storageOf("resourcequotas");
    if (cache.size === 0) return;
    const isPod = ctx.request.resource === "pods";
    const quotas = (cache.list(ctx.namespace) as Obj[]).filter((quota) => {
      const scopes = scopesOf(quota.spec as never);
      if (scopes.length === 0) return true;
      return isPod && inScopes(ctx.object as never, scopes);
    });
    if (quotas.length === 0) return;
    const after = usageOf(ctx.resource.kind, ctx.object!, ctx.server.kernel);
    const delta = deltaOf(ctx, after);
    const counted = Object.keys(after);
    for (const quota of quotas) checkCounted(ctx, quota, counted, isPod);
    const taken = quotas.flatMap((quota) => take(ctx, quota, delta));
    if (ctx.dryRun) return;
    return forEach(taken, ([next, quota]) => write(ctx, next, quota));
  },
};

/** What the write uses more than what is there now. */
function deltaOf(ctx: RequestContext, after: Quantities): Quantities {
  const { kind } = ctx.resource;
  const before = ctx.old ? usageOf(kind, ctx.old, ctx.server.kernel) : {};
  const delta: Record<string, string> = {};
  for (const name in after) {
    const old = parseQuantity(before[name] ?? "0");
    const more = subtractQuantities(parseQuantity(after[name]!), old);
    if (compareQuantities(more, parseQuantity("0")) > 0) {
      delta[name] = formatQuantity(more);
    }
  }
  return delta;
}

/** What a quota limits must be said, and what is used of it be known. */
function checkCounted(
  ctx: RequestContext,
  quota: Obj,
  counted: readonly string[],
  isPod: boolean,
): void {
  const { status } = quota as { status?: { hard?: object; used?: object } };
  const { name } = quota.metadata;
  const names = Object.keys(status?.hard ?? {}).sort();
  const missing = isPod ? unsaid(ctx.object!, names) : [];
  if (missing.length > 0) {
    const what = missing.join("; ");
    throw refuse(ctx, `failed quota: ${name}: must specify ${what}`);
  }
  const used = status?.used ?? {};
  const own = names.filter((one) => counted.includes(one));
  if (own.every((one) => Object.hasOwn(used, one))) return;
  const why = `status unknown for quota: ${name}, resources: ${own.join(",")}`;
  throw refuse(ctx, why);
}

/** The quota with the usage added; none if it is not concerned. Throws 403. */
function take(
  ctx: RequestContext,
  quota: Obj,
  delta: Quantities,
): [Obj, Obj][] {
  const { status } = quota as { status?: { hard?: object; used?: object } };
  const hard = map(status?.hard as never);
  const used = map(status?.used as never);
  const { name } = quota.metadata;
  const names = Object.keys(hard).sort();
  const asked = names.filter((one) => delta[one] !== undefined);
  if (asked.length === 0) return [];
  const next: Record<string, string> = { ...used };
  for (const one of asked) next[one] = plus(used[one] ?? "0", delta[one]!);
  const over = asked.filter((one) => isMore(next[one]!, hard[one]!));
  if (over.length > 0) {
    const text = (all: Quantities) =>
      over.map((one) => `${one}=${all[one] ?? "0"}`).join(",");
    const why = `exceeded quota: ${name}, requested: ${text(delta)}, used: ${text(used)}, limited: ${text(hard)}`;
    throw refuse(ctx, why);
  }
  return [[{ ...quota, status: { ...status, used: next } }, quota]];
}

function write(ctx: RequestContext, next: Obj, quota: Obj): MaybePromise<void> {
  const resource = ctx.server.resourceOf("", "v1", "resourcequotas")!;
  const done = commitUpdate({ ...ctx, resource }, next, quota);
  return andThen(done, (stored) => {
    if (!stored) throw new LostRace();
  });
}
