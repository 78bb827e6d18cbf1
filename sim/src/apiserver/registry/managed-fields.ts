/**
 * Who set which field: metadata.managedFields, kept for writes over HTTP, for
 * writes that name a field manager, and for objects that have it already.
 * Models: apimachinery/pkg/util/managedfields, GetResetFields of the kinds'
 *         strategies @ v1.36
 */
import { at, obj } from "../../api/kinds/access.ts";
import type { Kind, Obj } from "../../api/kinds/definition.ts";
import { recordUpdate, type WriteBy } from "../../api/patch/apply/fields.ts";
import type { JsonObject } from "../../api/types.ts";
import { managerOf, type RequestContext } from "../context.ts";

type Paths = readonly (readonly string[])[];

const NONE: Paths = [];
const STATUS: Paths = [["status"]];
const ALL_BUT_STATUS: Paths = [["spec"], ["metadata", "labels"]];

/** Replaces the object by one that tells of this write. */
export function trackFields(ctx: RequestContext): void {
  const object = ctx.object!;
  if (!ctx.trackFields) {
    // Components write many statuses: who wrote them is known anyway.
    const known = ctx.old?.metadata.managedFields !== undefined;
    if (!known || ctx.request.subresource === "status") return;
  }
  // A Scale without owners stays without: nobody owned the replicas.
  if (ctx.request.subresource === "scale" && !hasReplicasOwner(ctx.old)) return;
  if (ctx.request.patchType === "application/apply-patch+yaml") return;
  const live = ctx.old ? obj(ctx.old) : undefined;
  const tracked = recordUpdate(live, obj(object), writerOf(ctx), kindOf(ctx));
  ctx.object = tracked as JsonObject & Obj;
}

function hasReplicasOwner(old: Obj | undefined): boolean {
  const entries = old?.metadata.managedFields ?? [];
  return entries.some(
    ({ fieldsV1 }) => at(fieldsV1, "f:spec", "f:replicas") !== undefined,
  );
}

export function writerOf(ctx: RequestContext): WriteBy {
  const { subresource } = ctx.request;
  const { apiVersion } = ctx.resource.kind;
  const time = ctx.server.kernel.timestamp();
  return { manager: managerOf(ctx), apiVersion, subresource, time };
}

/** What the comparison must know of the kind. */
export function kindOf({ request, resource, server }: RequestContext) {
  const { kind, schemas = server.kinds.schemas } = resource;
  const resetFields = resetBy(kind, request.subresource);
  return { schemas, struct: kind.struct, resetFields };
}

/** Fields that this endpoint does not take, and so nobody owns through it. */
function resetBy(kind: Kind, subresource: string | undefined): Paths {
  const hasStatus = kind.subresources.some(({ name }) => name === "status");
  if (!hasStatus) return NONE;
  if (subresource !== "status") return STATUS;
  return kind.kind === "Pod"
    ? [
        ["spec"],
        ["metadata", "deletionTimestamp"],
        ["metadata", "ownerReferences"],
      ]
    : ALL_BUT_STATUS;
}
