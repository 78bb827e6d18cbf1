/**
 * A kubelet asks for tokens only on behalf of Pods that are bound to it, and
 * only for an audience that the Pod itself, or a CSI driver of its, names.
 */
import { at, list, obj, str, strings } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import { notFound } from "../../../api/status.ts";
import type { Json, JsonObject } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import { refuse } from "../plugin.ts";

const PODS = { group: "", resource: "pods" };

export function admitToken(ctx: RequestContext, node: string): void {
  if (ctx.request.subresource !== "token") return;
  const spec = obj(ctx.object!.spec);
  const ref = obj(spec.boundObjectRef);
  const name = str(ref.name);
  if (ref.apiVersion !== "v1" || ref.kind !== "Pod" || !name) {
    throw refuse(ctx, "node requested token not bound to a pod");
  }
  if (!ref.uid) {
    const why = "node requested token with a pod binding without a uid";
    throw refuse(ctx, why);
  }
  const pod = ctx.server.storageOf("pods").get(ctx.namespace, name);
  if (!pod) throw notFound(PODS, name);
  if (ref.uid !== pod.metadata.uid) {
    const why = `the UID in the bound object reference (${ref.uid}) does not match the UID in record`;
    const then = "The object might have been deleted and then recreated";
    throw refuse(ctx, `${why}. ${then}`);
  }
  if (at(pod.spec as Json, "nodeName") !== node) {
    const why = "node requested token bound to a pod scheduled on a different";
    throw refuse(ctx, `${why} node`);
  }
  checkAudience(ctx, pod, strings(spec.audiences));
}

function checkAudience(
  ctx: RequestContext,
  pod: Obj,
  asked: readonly string[],
): void {
  if (asked.length > 1) {
    throw refuse(ctx, "node may only request 0 or 1 audiences");
  }
  const [audience = ""] = asked;
  if (isNamed(ctx, pod, audience)) return;
  const { user, server, namespace, name } = ctx;
  const verb = "request-serviceaccounts-token-audience";
  const a = { verb, group: "", resource: audience, namespace, name };
  if (server.authorizer.authorize(user, a).allowed) return;
  const why = `audience "${audience}" not found in pod spec volume`;
  const nor = `${user.name} is not authorized to request tokens for this audience`;
  throw refuse(ctx, `${why}, ${nor}`);
}

/** By a volume of the Pod's tokens, or by the driver of one of its volumes. */
function isNamed(ctx: RequestContext, pod: Obj, audience: string): boolean {
  return list(at(pod.spec as Json, "volumes")).some((volume) => {
    const sources = list(at(volume, "projected", "sources"));
    const tokens = sources.filter((one) => one.serviceAccountToken);
    const named = (one: JsonObject) =>
      str(at(one, "serviceAccountToken", "audience")) === audience;
    if (tokens.some(named)) return true;
    const driver = driverOf(ctx, pod, volume);
    if (!driver) return false;
    const found = ctx.server.storageOf("csidrivers").get("", driver);
    const requests = list(at(found?.spec as Json, "tokenRequests"));
    return requests.some((one) => str(one.audience) === audience);
  });
}

/** The CSI driver of a volume: inline, or of the disk behind its claim. */
function driverOf(
  { server, namespace }: RequestContext,
  pod: Obj,
  volume: JsonObject,
): string {
  const inline = str(at(volume, "csi", "driver"));
  if (inline) return inline;
  const name = volume.ephemeral
    ? `${pod.metadata.name}-${volume.name}`
    : str(at(volume, "persistentVolumeClaim", "claimName"));
  if (!name) return "";
  const claim = server.storageOf("persistentvolumeclaims").get(namespace, name);
  const disk = str(at(claim?.spec as Json, "volumeName"));
  const found = server.storageOf("persistentvolumes").get("", disk);
  return str(at(found?.spec as Json, "csi", "driver"));
}
