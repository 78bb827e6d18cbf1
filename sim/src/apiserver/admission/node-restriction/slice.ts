/** A node tells of its own devices alone. */
import { at } from "../../../api/kinds/access.ts";
import type { Json } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import { operationOf } from "../operation.ts";
import { refuse } from "../plugin.ts";

export function admitSlice(ctx: RequestContext, node: string): void {
  const operation = operationOf(ctx.request.verb, ctx.old !== undefined);
  // An update cannot change the node: the field is immutable.
  if (operation === "UPDATE") return;
  const slice = operation === "CREATE" ? ctx.object : ctx.old;
  if (at(slice?.spec as Json, "nodeName") === node) return;
  const verb = operation === "CREATE" ? "create" : "delete";
  const own = "with the same NodeName as the requesting node";
  throw refuse(ctx, `can only ${verb} ResourceSlice ${own}`);
}
