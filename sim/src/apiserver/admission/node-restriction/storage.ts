/** A kubelet that has grown a volume says so in the claim's status. */
import { obj, same } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import type { Json } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import { operationOf } from "../operation.ts";
import { refuse } from "../plugin.ts";

export function admitClaimStatus(ctx: RequestContext, node: string): void {
  if (ctx.request.subresource !== "status") {
    throw refuse(ctx, "may only update PVC status");
  }
  const operation = operationOf(ctx.request.verb, ctx.old !== undefined);
  if (operation !== "UPDATE") {
    throw refuse(ctx, `unexpected operation "${operation}"`);
  }
  const [before, after] = [rest(ctx.old!), rest(ctx.object!)];
  const fields = Object.keys(after).filter(
    (field) => !same(before[field], after[field]),
  );
  if (fields.length === 0) return;
  const why =
    "is not allowed to update fields other than status.quantity and status.conditions";
  throw refuse(ctx, `node "${node}" ${why}: ${fields.join(", ")}`);
}

/** All but what the kubelet may change. */
function rest({ metadata, spec, status }: Obj): Record<string, unknown> {
  const { resourceVersion: _v, managedFields: _m, ...meta } = metadata;
  const {
    capacity: _capacity,
    conditions: _conditions,
    allocatedResources: _allocated,
    allocatedResourceStatuses: _statuses,
    ...kept
  } = obj(status as Json);
  return { metadata: meta, spec, status: kept };
}
