/**
 * MutatingAdmissionWebhook and ValidatingAdmissionWebhook: the two places
 * where code from outside decides. Mutating ones are asked one after another,
 * in the order of their names; one that asks for it is asked again if a later
 * one changed the object.
 * Models: apiserver/pkg/admission/plugin/webhook/{mutating,validating}
 *         /dispatcher.go @ v1.36
 */
import { list, obj, str } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import { type JsonPatchOperation, jsonPatch } from "../../../api/patch/json.ts";
import type { Json } from "../../../api/types.ts";
import { fromBase64 } from "../../base64.ts";
import type { RequestContext } from "../../context.ts";
import { conditionsHold } from "../conditions.ts";
import { namespaceMatches, objectMatches, rulesMatch } from "../matching.ts";
import type { AdmissionPlugin, Target } from "../plugin.ts";
import { callWebhook, type Webhook } from "./call.ts";
import type { AdmissionResponse } from "./review.ts";

/** Webhooks may not decide about themselves. */
function canBeHooked({ group, resource }: Target): boolean {
  return (
    group !== "admissionregistration.k8s.io" || !resource.includes("webhook")
  );
}

export const mutatingWebhook: AdmissionPlugin = {
  name: "MutatingAdmissionWebhook",
  handles: canBeHooked,
  mutate: (ctx) => {
    const hooks = hooksOf(ctx, "mutatingwebhookconfigurations");
    return hooks.length > 0 ? mutateAll(ctx, hooks) : undefined;
  },
};

export const validatingWebhook: AdmissionPlugin = {
  name: "ValidatingAdmissionWebhook",
  handles: canBeHooked,
  validate: (ctx) => {
    const hooks = hooksOf(ctx, "validatingwebhookconfigurations");
    return hooks.length > 0 ? validateAll(ctx, hooks) : undefined;
  },
};

/** The webhooks that this write concerns, in the order of their names. */
function hooksOf(ctx: RequestContext, resource: string): Webhook[] {
  const { cache } = ctx.server.storageOf(resource);
  if (cache.size === 0) return [];
  const all = cache.list("").flatMap((one) => list((one as Obj).webhooks));
  return all.filter((hook) => concerns(ctx, hook));
}

function concerns(ctx: RequestContext, hook: Webhook): boolean {
  return (
    rulesMatch(hook.rules, ctx) &&
    namespaceMatches(hook.namespaceSelector, ctx) &&
    objectMatches(hook.objectSelector, ctx) &&
    conditionsHold(ctx, hook.matchConditions, str(hook.failurePolicy))
  );
}

async function mutateAll(ctx: RequestContext, hooks: Webhook[]): Promise<void> {
  let again: Webhook[] = [];
  for (const hook of hooks) {
    const changed = await mutateBy(ctx, hook);
    // A change makes those before it, that ask for it, look once more.
    if (changed) again = hooks.slice(0, hooks.indexOf(hook));
  }
  for (const hook of again) {
    if (hook.reinvocationPolicy === "IfNeeded" && concerns(ctx, hook)) {
      await mutateBy(ctx, hook);
    }
  }
}

async function mutateBy(ctx: RequestContext, hook: Webhook): Promise<boolean> {
  const response = await callWebhook(ctx, hook);
  const operations = response ? patchOf(response) : [];
  if (operations.length === 0 || !ctx.object) return false;
  const patched = jsonPatch(obj(ctx.object), operations);
  // What the webhook wrote is decoded anew: defaults are filled in again.
  const { object } = ctx.resource.decode(patched);
  ctx.object = object as Json as Obj;
  return true;
}

function patchOf({ patch }: AdmissionResponse): readonly JsonPatchOperation[] {
  if (typeof patch === "string") return JSON.parse(fromBase64(patch));
  return patch ?? [];
}

async function validateAll(
  ctx: RequestContext,
  hooks: Webhook[],
): Promise<void> {
  for (const hook of hooks) await callWebhook(ctx, hook);
}
