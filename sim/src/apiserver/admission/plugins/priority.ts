/**
 * Priority: a Pod's priority is the value of its class, of the cluster's
 * default class, or 0.
 * Models: plugin/pkg/admission/priority/admission.go @ v1.36
 */
import { at, obj, str } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import type { Json, JsonObject } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import { type AdmissionPlugin, isPodWrite, refuse } from "../plugin.ts";

const LOWER = "PreemptLowerPriority";

export const priority: AdmissionPlugin = {
  name: "Priority",
  handles: (target) =>
    (isPodWrite(target) || target.resource === "priorityclasses") &&
    (target.operation === "CREATE" || target.operation === "UPDATE"),
  mutate(ctx) {
    if (ctx.request.resource !== "pods") return;
    const pod = ctx.object!;
    const spec = obj(pod.spec as Json);
    if (ctx.old) return keep(ctx, spec, obj(ctx.old.spec));
    const asked = str(spec.priorityClassName);
    const found = asked ? classOf(ctx, asked) : defaultClass(ctx);
    const value = typeof found?.value === "number" ? found.value : 0;
    const policy = str(found?.preemptionPolicy as Json) || LOWER;
    const name = found?.metadata.name ?? "";
    checkSent(ctx, spec.priority, value, "integer value of priority");
    if (spec.preemptionPolicy && spec.preemptionPolicy !== policy) {
      const why = `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`;
      throw refuse(ctx, why);
    }
    const isThere = spec.priority === value && spec.preemptionPolicy;
    if (isThere && asked === name) return;
    const named = name ? { priorityClassName: name } : {};
    const preemptionPolicy = policy;
    const next = { ...spec, ...named, priority: value, preemptionPolicy };
    ctx.object = { ...pod, spec: next };
  },
  validate(ctx) {
    if (ctx.request.resource !== "priorityclasses") return;
    if (ctx.object?.globalDefault !== true) return;
    const other = defaultClass(ctx);
    if (!other || other.metadata.name === ctx.name) return;
    const why = `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`;
    throw refuse(ctx, why);
  },
};

/** What was worked out once stays: a client need not send it back. */
function keep(ctx: RequestContext, spec: JsonObject, before: JsonObject): void {
  let next = spec;
  for (const field of ["priority", "preemptionPolicy"]) {
    if (spec[field] !== undefined || before[field] === undefined) continue;
    next = { ...next, [field]: before[field] };
  }
  if (next !== spec) ctx.object = { ...ctx.object!, spec: next };
}

function classOf(ctx: RequestContext, name: string): Obj {
  const found = ctx.server.storageOf("priorityclasses").get("", name);
  if (found) return found;
  throw refuse(ctx, `no PriorityClass with name ${name} was found`);
}

/** Of several default classes the one of least value counts. */
function defaultClass(ctx: RequestContext): Obj | undefined {
  let least: Obj | undefined;
  for (const one of ctx.server.storageOf("priorityclasses").cache.values()) {
    const found = one as Obj;
    if (found.globalDefault !== true) continue;
    if (!least || worth(found) < worth(least)) least = found;
  }
  return least;
}

function worth(one: Obj): number {
  return Number(at(one as Json, "value") ?? 0);
}

function checkSent(
  ctx: RequestContext,
  sent: Json,
  computed: number,
  what: string,
): void {
  if (sent === undefined || sent === null || sent === computed) return;
  const why = `the ${what} (${sent}) must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`;
  throw refuse(ctx, why);
}
