/**
 * Scale: how many replicas, in one shape for every kind that has them.
 * Models: pkg/registry/apps/deployment/storage/storage.go (ScaleREST) @ v1.36
 */

import { invalid } from "../../../api/field-error.ts";
import { at, num, obj, str } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import { labelSelector } from "../../../api/selector.ts";
import { invalidObject, staleVersion } from "../../../api/status.ts";
import { deepFreeze, type Json, type JsonObject } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import { valueAtPath, withValueAt } from "../../extensions/json-path.ts";
import { andThen, type MaybePromise } from "../../maybe.ts";
import { decodeBody } from "../decode.ts";
import { loadObject } from "../load.ts";
import { patched } from "../patch.ts";
import { unfit } from "../patch-failure.ts";
import { inPlace } from "../read-body.ts";

export function answerScale(ctx: RequestContext): MaybePromise<void> {
  return andThen(loadForScale(ctx), (old) => {
    if (ctx.request.verb === "get") {
      ctx.response = {
        code: 200,
        body: deepFreeze(scaleOf(old, ctx.resource.scale)),
      };
      return;
    }
    const scale = wantedScale(ctx, scaleOf(old, ctx.resource.scale));
    const replicas = num(at(scale.spec as Json, "replicas"));
    if (replicas < 0) {
      const why = "must be greater than or equal to 0";
      const error = invalid("spec.replicas", replicas, why);
      throw invalidObject({ group: "autoscaling", kind: "Scale" }, ctx.name, [
        error,
      ]);
    }
    const { resourceVersion } = scale.metadata;
    if (resourceVersion && resourceVersion !== old.metadata.resourceVersion) {
      throw staleVersion(ctx.resource.kind, ctx.name);
    }
    return updateParent(ctx, replicas);
  });
}

function loadForScale(ctx: RequestContext): MaybePromise<Obj> {
  const request = {
    ...ctx.request,
    verb: "patch" as const,
    patchType: undefined,
  };
  const reading = { ...ctx, request };
  return andThen(loadObject(reading), () => reading.old!);
}

/** The object as a Scale. */
export function scaleOf(object: Obj, paths?: JsonObject): Obj {
  const { name, namespace, uid, resourceVersion, creationTimestamp } =
    object.metadata;
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } =
    paths ?? {};
  const read = (path: Json, otherwise: string) =>
    valueAtPath(obj(object), str(path) || otherwise);
  const replicas = num(read(specReplicasPath, ".spec.replicas"));
  const selector = paths
    ? str(read(labelSelectorPath, ".none"))
    : selectorText(object);
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: num(read(statusReplicasPath, ".status.replicas")),
      ...(selector ? { selector } : {}),
    },
  };
}

function selectorText(object: Obj): string {
  const selector = obj(object.spec).selector as JsonObject | undefined;
  if (!selector) return "";
  if (object.kind === "ReplicationController") {
    return labelSelector({ matchLabels: selector as never }).toString();
  }
  return labelSelector(selector as never).toString();
}

function wantedScale(ctx: RequestContext, scale: Obj): Obj {
  const scales = ctx.server.scaleResource;
  if (ctx.request.verb === "update") {
    return inPlace(ctx, decodeBody(ctx, scales, ctx.body));
  }
  const next = patched(ctx, obj(scale), "Scale");
  const fail = (why: string) => unfit(ctx, next, why);
  return inPlace(ctx, decodeBody(ctx, scales, next, fail));
}

/** The rest is an update of the object, through all later stages. */
function updateParent(
  ctx: RequestContext,
  replicas: number,
): MaybePromise<void> {
  const { server, request, resource, user } = ctx;
  const path = str(resource.scale?.specReplicasPath) || ".spec.replicas";
  const patch = {
    ...request,
    verb: "patch" as const,
    patchType: "application/merge-patch+json" as const,
    body: withValueAt({}, path, replicas),
  };
  const parent = server.contextFor(patch, resource, user);
  return andThen(
    server.runFrom(parent, "decoding and defaulting"),
    ({ body }) => {
      const { name, namespace } = parent;
      const stored = resource.storage!.get(namespace, name) ?? (body as Obj);
      const shown = ctx.dryRun ? (body as Obj) : stored;
      ctx.response = {
        code: 200,
        body: deepFreeze(scaleOf(shown, resource.scale)),
      };
    },
  );
}
