/**
 * Horizontal Pod autoscaler: every 15 s, from what the Pods are measured at,
 * a new size for their controller.
 * Models: pkg/controller/podautoscaler/horizontal.go @ v1.36
 */
import { HorizontalPodAutoscaler } from "../../api/kinds/horizontalpodautoscaler.ts";
import { Pod } from "../../api/kinds/pod.ts";
import type { MetricStatus } from "../../api/kinds/types/policy.ts";
import type { Scale } from "../../api/kinds/types/service.ts";
import type { ResourceRef } from "../../api/resource.ts";
import { keyOf, type ObjectKey } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { startController } from "../../client/controller.ts";
import { decide } from "./behavior.ts";
import { type Autoscaler, type Context, memoryOf } from "./context.ts";
import { evaluate, MetricError, type Outcome } from "./metric-specs.ts";
import type { MetricsSource } from "./metrics.ts";
import { readScale, rescale, type Wanted } from "./scale.ts";
import { podsUnder } from "./selector.ts";
import { StatusDraft } from "./status.ts";
import type { Target } from "./target.ts";
import { tolerancesOf } from "./tolerance.ts";

const PERIOD_MS = 15_000;

export function startHpaController(
  context: ComponentContext,
  kinds: () => readonly ResourceRef[],
  source: MetricsSource,
): Component {
  const controller = startController(context, {
    workers: 5,
    reconcile: async (key) => {
      if (ctx.autoscalers.get(key)) controller.queue.addAfter(key, PERIOD_MS);
      await reconcile(key, ctx).catch(() => {}); // Told in the conditions.
    },
  });
  const ctx: Context = {
    ...context,
    autoscalers: context.informers.informer(HorizontalPodAutoscaler),
    pods: context.informers.informer(Pod),
    ...{ kinds, source },
    memories: new Map(),
    selectors: new Map(),
  };
  controller.on(ctx.autoscalers, {
    added: (one) => controller.queue.add(keyOf(one)),
    deleted: (one) => {
      ctx.memories.delete(keyOf(one));
      ctx.selectors.delete(keyOf(one));
    },
  });
  controller.needs(ctx.pods);
  return controller;
}

// region: reconcile
export async function reconcile(key: ObjectKey, ctx: Context): Promise<void> {
  const hpa = ctx.autoscalers.get(key);
  if (!hpa) return;
  const draft = new StatusDraft(hpa, ctx.kernel);
  try {
    const { ref, scale } = await readScale(hpa, draft, ctx);
    const current = scale.spec?.replicas ?? 0;
    memoryOf(hpa, current, ctx); // The first size is a recommendation, too.
    draft.currentReplicas = current;
    draft.metrics = [];
    const wanted = desiredFor(hpa, scale, draft, ctx);
    if (!wanted) return;
    if (wanted.replicas !== current) {
      await rescale(hpa, ref, scale, wanted, draft, ctx);
    }
    draft.desiredReplicas = wanted.replicas;
  } finally {
    await draft.write(ctx);
  }
}
// endregion: reconcile

/** Undefined if nothing can be said. */
function desiredFor(
  hpa: Autoscaler,
  scale: Scale,
  draft: StatusDraft,
  ctx: Context,
): Wanted | undefined {
  const current = scale.spec?.replicas ?? 0;
  const { minReplicas: min = 1, maxReplicas: max } = hpa.spec;
  if (current === 0 && min !== 0) {
    const message =
      "scaling is disabled since the replica count of the target is zero";
    draft.set("ScalingActive", "False", "ScalingDisabled", message);
    return { replicas: 0, reason: "" };
  }
  if (current > max) {
    const reason = "Current number of replicas above Spec.MaxReplicas";
    return { replicas: max, reason };
  }
  if (current < min) {
    const reason = "Current number of replicas below Spec.MinReplicas";
    return { replicas: min, reason };
  }
  const outcome = measure(hpa, scale, draft, ctx);
  if (!outcome) return undefined;
  const reason = reasonFor(outcome, current);
  const memory = memoryOf(hpa, current, ctx);
  const { behavior } = hpa.spec;
  const now = ctx.kernel.now();
  const range = { min, max };
  const decision = decide(
    memory,
    behavior,
    range,
    current,
    outcome.replicas,
    now,
  );
  draft.set("AbleToScale", "True", ...decision.stable);
  const fine = "the desired count is within the acceptable range";
  if (decision.limited)
    draft.set("ScalingLimited", "True", ...decision.limited);
  else draft.set("ScalingLimited", "False", "DesiredWithinRange", fine);
  return { replicas: decision.replicas, reason };
}

/** Empty if only an earlier recommendation makes it scale. */
function reasonFor({ replicas, name }: Outcome, current: number): string {
  if (replicas > current) return `${name} above target`;
  return replicas < current ? "All metrics below target" : "";
}

/** The metric that asks for most; one that fails never scales down. */
function measure(
  hpa: Autoscaler,
  scale: Scale,
  draft: StatusDraft,
  ctx: Context,
): Outcome | undefined {
  const pods = podsUnder(hpa, scale.status?.selector, draft, ctx);
  if (!pods) return undefined;
  const target = targetOf(hpa, scale, pods, ctx);
  const specs = hpa.spec.metrics ?? [];
  const failures: MetricError[] = [];
  let best: Outcome | undefined;
  const statuses: MetricStatus[] = [];
  for (const spec of specs) {
    try {
      const outcome = evaluate(spec, target);
      if (!best?.replicas || outcome.replicas > best.replicas) best = outcome;
      statuses.push(outcome.status);
    } catch (error) {
      if (!(error instanceof MetricError)) throw error;
      failures.push(error);
      statuses.push({ type: "" }); // As upstream leaves its place.
      ctx.events.event(hpa, "Warning", error.reason, error.message);
    }
  }
  draft.metrics = statuses;
  const [failure] = failures;
  const shrinks = !best || best.replicas < target.currentReplicas;
  if (failure && shrinks) {
    const message = `the HPA was unable to compute the replica count: ${failure.message}`;
    draft.set("ScalingActive", "False", failure.reason, message);
    const why = `invalid metrics (${failures.length} invalid out of ${specs.length}), first error is: ${failure.summary}`;
    ctx.events.event(hpa, "Warning", "FailedComputeMetricsReplicas", why);
    return undefined;
  }
  if (!best) return undefined;
  const message = `the HPA was able to successfully calculate a replica count from ${best.name}`;
  draft.set("ScalingActive", "True", "ValidMetricFound", message);
  return best;
}

function targetOf(
  hpa: Autoscaler,
  { spec, status }: Scale,
  pods: readonly Pod[],
  { source, kernel: clock }: Context,
): Target {
  return {
    namespace: hpa.metadata.namespace ?? "",
    currentReplicas: spec?.replicas ?? 0,
    statusReplicas: status?.replicas ?? 0,
    tolerance: tolerancesOf(hpa),
    ...{ pods, source, clock },
  };
}
