/** What a kubelet may write of its own Node; of others, nothing. */

import { isForbiddenToKubelet } from "../../../api/helpers/node-labels.ts";
import { at, list, same } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import type { Json } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import { operationOf } from "../operation.ts";
import { refuse } from "../plugin.ts";

export function admitNodeChange(ctx: RequestContext, node: string): void {
  if (ctx.name !== node) {
    const why = `node "${node}" is not allowed to modify node "${ctx.name}"`;
    throw refuse(ctx, why);
  }
  const { object, old } = ctx;
  const operation = operationOf(ctx.request.verb, old !== undefined);
  if (operation === "CREATE") admitNew(ctx, node, object!);
  if (operation === "UPDATE") admitUpdate(ctx, node, object!, old!);
}

function admitNew(ctx: RequestContext, node: string, object: Obj): void {
  if (configSource(object)) {
    const why = "is not allowed to create pods with a non-nil configSource";
    throw refuse(ctx, `node "${node}" ${why}`);
  }
  const labels = forbiddenLabels(object, undefined);
  if (labels.length === 0) return;
  const why = "is not allowed to set the following labels";
  throw refuse(ctx, `node "${node}" ${why}: ${labels.join(", ")}`);
}

function admitUpdate(
  ctx: RequestContext,
  node: string,
  object: Obj,
  old: Obj,
): void {
  const source = configSource(object);
  if (source && !same(source, configSource(old))) {
    const why = "is not allowed to update configSource to a new non-nil";
    throw refuse(ctx, `node "${node}" ${why} configSource`);
  }
  const taints = (one: Obj) => list(at(one.spec as Json, "taints"));
  if (!same(taints(object), taints(old))) {
    throw refuse(ctx, `node "${node}" is not allowed to modify taints`);
  }
  const owners = ({ metadata }: Obj) => metadata.ownerReferences ?? [];
  if (!same(owners(object), owners(old))) {
    throw refuse(
      ctx,
      `node "${node}" is not allowed to modify ownerReferences`,
    );
  }
  const labels = forbiddenLabels(object, old);
  if (labels.length === 0) return;
  throw refuse(ctx, `is not allowed to modify labels: ${labels.join(", ")}`);
}

function configSource({ spec }: Obj): Json {
  return at(spec as Json, "configSource");
}

/** Added, removed or changed ones that are not a kubelet's to touch. */
function forbiddenLabels(object: Obj, old: Obj | undefined): string[] {
  const { labels = {} } = object.metadata;
  const { labels: before = {} } = old?.metadata ?? {};
  if (labels === before) return [];
  const names = new Set([...Object.keys(labels), ...Object.keys(before)]);
  return [...names]
    .filter((name) => labels[name] !== before[name])
    .filter(isForbiddenToKubelet)
    .sort();
}
