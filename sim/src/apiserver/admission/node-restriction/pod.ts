/**
 * A kubelet creates Pods only as mirrors of its static Pods, and deletes or
 * evicts only those bound to it.
 */
import { at, obj, str } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import { notFound } from "../../../api/status.ts";
import type { Json, OwnerReference } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import { operationOf } from "../operation.ts";
import { refuse } from "../plugin.ts";
import { referenceOf } from "./references.ts";

const MIRROR = "kubernetes.io/config.mirror";
const PODS = { group: "", resource: "pods" };

export function admitPod(ctx: RequestContext, node: string): void {
  const operation = operationOf(ctx.request.verb, ctx.old !== undefined);
  if (operation === "CREATE") return admitMirror(ctx, node, ctx.object!);
  if (operation !== "DELETE") {
    const why = `unexpected operation "${operation}", node "${node}"`;
    throw refuse(ctx, `${why} can only create and delete mirror pods`);
  }
  if (boundTo(ctx.old) === node) return;
  const why = "can only delete pods with spec.nodeName set to itself";
  throw refuse(ctx, `node "${node}" ${why}`);
}

export function admitEviction(ctx: RequestContext, node: string): void {
  const pod = ctx.server.storageOf("pods").get(ctx.namespace, ctx.name);
  if (!pod) throw notFound(PODS, ctx.name);
  if (boundTo(pod) === node) return;
  const why = "can only evict pods with spec.nodeName set to itself";
  throw refuse(ctx, `node ${node} ${why}`);
}

function boundTo(pod: Obj | undefined): string {
  return str(at(pod?.spec as Json, "nodeName"));
}

function admitMirror(ctx: RequestContext, node: string, pod: Obj): void {
  const { annotations, ownerReferences = [] } = pod.metadata;
  if (annotations?.[MIRROR] === undefined) {
    const why = `pod does not have "${MIRROR}" annotation, node "${node}"`;
    throw refuse(ctx, `${why} can only create mirror pods`);
  }
  if (boundTo(pod) !== node) {
    const why = "can only create pods with spec.nodeName set to itself";
    throw refuse(ctx, `node "${node}" ${why}`);
  }
  checkOwner(ctx, node, ownerReferences);
  const what = referenceOf(obj(pod.spec));
  if (!what) return;
  throw refuse(
    ctx,
    `node "${node}" can not create pods that reference ${what}`,
  );
}

/** The owner must be the node itself, by its UID. */
function checkOwner(
  ctx: RequestContext,
  node: string,
  owners: readonly OwnerReference[],
): void {
  const only = (how: string) =>
    refuse(ctx, `node "${node}" can only create pods with ${how}`);
  if (owners.length > 1) throw only("a single owner reference set to itself");
  const [owner] = owners;
  const isNode = owner?.apiVersion === "v1" && owner.kind === "Node";
  if (!isNode || owner.name !== node) {
    throw only("an owner reference set to itself");
  }
  if (!owner.controller) {
    throw only("a controller owner reference set to itself");
  }
  if (owner.blockOwnerDeletion) {
    const why = "must not set blockOwnerDeletion on an owner reference";
    throw refuse(ctx, `node "${node}" ${why}`);
  }
  const found = ctx.server.storageOf("nodes").get("", node);
  if (!found) throw notFound({ group: "", resource: "nodes" }, node);
  const { uid = "" } = found.metadata;
  if (owner.uid === uid) return;
  const why = `UID mismatch: expected ${owner.uid} got ${uid}`;
  throw refuse(ctx, `node ${node} ${why}`);
}
