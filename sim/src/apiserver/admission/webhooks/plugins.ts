/**
 * MutatingAdmissionWebhook and ValidatingAdmissionWebhook: the two places
 * where code from outside decides. Mutating ones are asked one after another,
 * in the order of their names. If one changed the object, the whole chain runs
 * once more: the built-in plugins, and of the webhooks those that ask for it,
 * if anybody changed the object after them. Validating ones are asked at once.
 * Models: apiserver/pkg/admission/plugin/webhook/{mutating,validating}
 *         /dispatcher.go @ v1.36
 */
import type { AdmissionResponse } from "../../../api/admission-review.ts";
import { list, obj, str } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import { type JsonPatchOperation, jsonPatch } from "../../../api/patch/json.ts";
import { jsonEqual } from "../../../api/patch/value.ts";
import type { Json } from "../../../api/types.ts";
import { fromBase64 } from "../../base64.ts";
import type { RequestContext } from "../../context.ts";
import { conditionsHold } from "../conditions.ts";
import { namespaceMatches, objectMatches, rulesMatch } from "../matching.ts";
import type { AdmissionPlugin, Target } from "../plugin.ts";
import { callWebhook, type Webhook } from "./call.ts";

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

/** The webhooks that such a write concerns, in the order of their names. */
function hooksOf(ctx: RequestContext, resource: string): Webhook[] {
  const { cache } = ctx.server.storageOf(resource);
  if (cache.size === 0) return [];
  const all = cache.list("").flatMap((one) => list((one as Obj).webhooks));
  return all.filter(
    (hook) =>
      rulesMatch(hook.rules, ctx) &&
      namespaceMatches(hook.namespaceSelector, ctx),
  );
}

/** Asked right before a call: an earlier webhook may have changed the object. */
function concerns(ctx: RequestContext, hook: Webhook): boolean {
  return (
    objectMatches(hook.objectSelector, ctx) &&
    conditionsHold(ctx, hook.matchConditions, str(hook.failurePolicy))
  );
}

/** What the webhooks of a write remember until the chain has run again. */
export interface Reinvocation {
  /** The chain runs for the second time. */
  isAgain: boolean;
  /** A webhook changed the object. */
  isNeeded: boolean;
  /** Asked since the last change; they would look at the next one. */
  readonly asked: Set<Webhook>;
  /** To be asked when the chain runs again. */
  readonly due: Set<Webhook>;
  /** What the webhooks made. */
  last?: Obj;
}

async function mutateAll(ctx: RequestContext, hooks: Webhook[]): Promise<void> {
  ctx.reinvocation ??= {
    ...{ isAgain: false, isNeeded: false },
    ...{ asked: new Set(), due: new Set() },
  };
  const state = ctx.reinvocation;
  // Built-in plugins have changed what the webhooks made.
  if (state.isAgain && !same(state.last, ctx.object)) callBack(state);
  for (const hook of hooks) {
    if (state.isAgain && !state.due.has(hook)) continue;
    if (!concerns(ctx, hook)) continue;
    if (await mutateBy(ctx, hook)) {
      callBack(state);
      state.isNeeded = true;
    }
    if (hook.reinvocationPolicy === "IfNeeded") state.asked.add(hook);
  }
  state.last = ctx.object;
}

/** The object is another one: who was asked before has to look again. */
function callBack({ asked, due }: Reinvocation): void {
  for (const hook of asked) due.add(hook);
  asked.clear();
}

function same(a: Obj | undefined, b: Obj | undefined): boolean {
  return jsonEqual(a as Json | undefined, b as Json | undefined);
}

async function mutateBy(ctx: RequestContext, hook: Webhook): Promise<boolean> {
  const response = await callWebhook(ctx, hook);
  const operations = response ? patchOf(response) : [];
  if (operations.length === 0 || !ctx.object) return false;
  const patched = jsonPatch(obj(ctx.object), operations);
  // What the webhook wrote is decoded anew: defaults are filled in again.
  const object = ctx.resource.decode(patched).object as Json as Obj;
  if (same(object, ctx.object)) return false;
  ctx.object = object;
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
  const refusals: unknown[] = [];
  const called = hooks.filter((hook) => concerns(ctx, hook));
  const ask = (hook: Webhook) =>
    callWebhook(ctx, hook).catch((error) => refusals.push(error));
  await Promise.all(called.map(ask));
  if (refusals.length > 0) throw refusals[0];
}
