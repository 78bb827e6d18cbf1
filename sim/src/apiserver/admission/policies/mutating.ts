/**
 * MutatingAdmissionPolicy: completes objects by expressions: by an apply
 * configuration laid over the object, or by a JSON patch.
 * Models:     apiserver/pkg/admission/plugin/policy/mutating @ v1.36
 * Leaves out: reinvocation.
 */

import { CelError, evaluateCel } from "../../../api/cel/cel.ts";
import { toJson } from "../../../api/cel/values.ts";
import { list, obj, str } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import { mergeConfig } from "../../../api/patch/apply/merge.ts";
import { rootPlace } from "../../../api/patch/apply/shape.ts";
import {
  JsonPatchError,
  type JsonPatchOperation,
  jsonPatch,
} from "../../../api/patch/json.ts";
import type { Json, JsonObject } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import { type AdmissionPlugin, refuse } from "../plugin.ts";
import { type Matched, matchedPolicies } from "./matched.ts";

export const mutatingAdmissionPolicy: AdmissionPlugin = {
  name: "MutatingAdmissionPolicy",
  handles: ({ group, resource, operation }) =>
    operation !== "DELETE" &&
    (group !== "admissionregistration.k8s.io" || !resource.includes("polic")),
  mutate(ctx) {
    if (!ctx.object) return;
    for (const matched of matchedPolicies(ctx, "mutatingadmissionpolicies")) {
      for (const mutation of list(matched.spec.mutations)) {
        change(ctx, matched, mutation);
      }
    }
  },
};

function change(
  ctx: RequestContext,
  { policy, spec, names }: Matched,
  mutation: JsonObject,
): void {
  const now = { ...names, object: ctx.object };
  try {
    const before = obj(ctx.object);
    const after =
      mutation.patchType === "JSONPatch"
        ? byOperations(before, mutation, now)
        : byConfiguration(ctx, before, mutation, now);
    const { object } = ctx.resource.decode(after);
    ctx.object = object as JsonObject & Obj;
  } catch (error) {
    const ours = error instanceof CelError || error instanceof JsonPatchError;
    if (!ours) throw error;
    if (spec.failurePolicy === "Ignore") return;
    throw refuse(ctx, `policy '${policy.metadata.name}': ${error.message}`);
  }
}

function byOperations(
  before: JsonObject,
  mutation: JsonObject,
  names: Matched["names"],
): Json {
  const expression = str(obj(mutation.jsonPatch).expression);
  const operations = toJson(evaluateCel(expression, names));
  return jsonPatch(before, operations as JsonPatchOperation[]);
}

function byConfiguration(
  ctx: RequestContext,
  before: JsonObject,
  mutation: JsonObject,
  names: Matched["names"],
): Json {
  const expression = str(obj(mutation.applyConfiguration).expression);
  const config = toJson(evaluateCel(expression, names));
  const { kind, schemas = ctx.server.kinds.schemas } = ctx.resource;
  return mergeConfig(rootPlace(schemas, kind.struct), before, config as Json);
}
