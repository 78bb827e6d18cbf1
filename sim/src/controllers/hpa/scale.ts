/**
 * Reads and writes the size of an autoscaler's target, by its scale
 * subresource: so any kind that has one can be scaled.
 * Models: pkg/controller/podautoscaler/horizontal.go @ v1.36
 */
import type { Scale } from "../../api/kinds/types/service.ts";
import type { ResourceRef } from "../../api/resource.ts";
import { isConflict } from "../../api/status.ts";
import { textOf } from "../shared/pod-control.ts";
import { noteScaled } from "./behavior.ts";
import { type Autoscaler, type Context, memoryOf } from "./context.ts";
import type { StatusDraft } from "./status.ts";

export interface Wanted {
  readonly replicas: number;
  readonly reason: string;
}

/** The target's scale, and by which version of its kind it was had. */
export async function readScale(
  hpa: Autoscaler,
  draft: StatusDraft,
  ctx: Context,
): Promise<{ ref: ResourceRef; scale: Scale }> {
  try {
    const found = await scaleOf(hpa, ctx);
    const message =
      "the HPA controller was able to get the target's current scale";
    draft.set("AbleToScale", "True", "SucceededGetScale", message);
    return found;
  } catch (error) {
    ctx.events.event(hpa, "Warning", "FailedGetScale", textOf(error));
    const message = `the HPA controller was unable to get the target's current scale: ${textOf(error)}`;
    draft.set("AbleToScale", "False", "FailedGetScale", message);
    throw error;
  }
}

/** Group and kind say which; the first version that has a scale will do. */
async function scaleOf(hpa: Autoscaler, { client, kinds }: Context) {
  const { apiVersion = "", kind, name } = hpa.spec.scaleTargetRef;
  const { namespace = "" } = hpa.metadata;
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "" : apiVersion.slice(0, slash);
  const refs = kinds().filter(
    (one) => one.kind === kind && one.group === group,
  );
  let failure = new Error(`no matches for kind "${kind}" in group "${group}"`);
  for (const [i, ref] of refs.entries()) {
    try {
      const scale: Scale = await client.getSub(ref, namespace, name, "scale");
      return { ref, scale };
    } catch (error) {
      if (i === 0) failure = error as Error;
    }
  }
  throw failure;
}

export async function rescale(
  hpa: Autoscaler,
  ref: ResourceRef,
  scale: Scale,
  { replicas, reason }: Wanted,
  draft: StatusDraft,
  ctx: Context,
): Promise<void> {
  const { events, kernel } = ctx;
  const before = scale.spec?.replicas ?? 0;
  const told = `New size: ${replicas}; reason: ${reason}`;
  try {
    await write(hpa, ref, scale, replicas, ctx);
  } catch (error) {
    const why = `${told}; error: ${textOf(error)}`;
    events.event(hpa, "Warning", "FailedRescale", why);
    const message = `the HPA controller was unable to update the target scale: ${textOf(error)}`;
    draft.set("AbleToScale", "False", "FailedUpdateScale", message);
    throw error;
  }
  const message = `the HPA controller was able to update the target scale to ${replicas}`;
  draft.set("AbleToScale", "True", "SucceededRescale", message);
  events.event(hpa, "Normal", "SuccessfulRescale", told);
  draft.lastScaleTime = kernel.timestamp();
  // Only policies ask for it.
  if (!hpa.spec.behavior) return;
  noteScaled(memoryOf(hpa, before, ctx), before, replicas, kernel.now());
}

/** Tries of one write, with this long between them, in ms. */
const TRIES_MAX = 5;
const RETRY_MS = 10;

/** A conflict says that the target changed meanwhile: on its newest version. */
async function write(
  { spec, metadata }: Autoscaler,
  ref: ResourceRef,
  found: Scale,
  replicas: number,
  { client, kernel }: Context,
): Promise<void> {
  const { name } = spec.scaleTargetRef;
  const { namespace = "" } = metadata;
  let scale = found;
  for (let tries = 1; ; tries++) {
    try {
      const body = { ...scale, spec: { ...scale.spec, replicas } };
      await client.updateSub(ref, namespace, name, "scale", body);
      return;
    } catch (error) {
      if (!isConflict(error) || tries === TRIES_MAX) throw error;
      await kernel.sleep(RETRY_MS);
      scale = await client.getSub(ref, namespace, name, "scale");
    }
  }
}
