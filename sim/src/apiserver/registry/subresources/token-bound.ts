/**
 * What a token is bound to besides its account: it ends with that, too.
 * Models: TokenREST.Create of
 *         pkg/registry/core/serviceaccount/storage/token.go @ v1.36
 */
import { quote } from "../../../api/go-text.ts";
import { obj, str } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import { badRequest, conflict, notFound } from "../../../api/status.ts";
import type { JsonObject } from "../../../api/types.ts";
import type { Claims } from "../../authentication/service-account.ts";
import type { RequestContext } from "../../context.ts";

type Bound = Pick<Claims["kubernetes.io"], "pod" | "secret" | "node">;

/** As claims of the token. Throws 400, 404 or 409. */
export function boundTo(
  ctx: RequestContext,
  account: Obj,
  ref: JsonObject | null | undefined,
): Bound {
  if (!ref) return {};
  const [kind, name] = [str(ref.kind), str(ref.name)];
  const [version = "", group = ""] = str(ref.apiVersion).split("/").reverse();
  if (group === "" && kind === "Pod") return podOf(ctx, account, ref);
  if (group === "" && kind === "Secret") {
    const found = lookUp(ctx, "secrets", ctx.namespace, name);
    return { secret: { name, uid: uidOf(found, ref) } };
  }
  if (group === "" && kind === "Node") {
    const found = lookUp(ctx, "nodes", "", name);
    return { node: { name, uid: uidOf(found, ref) } };
  }
  const type = `${group}/${version}, Kind=${kind}`;
  throw badRequest(`cannot bind token to object of type ${type}`);
}

function lookUp(
  { server }: RequestContext,
  resource: string,
  namespace: string,
  name: string,
): Obj {
  const found = server.storageOf(resource).get(namespace, name);
  if (!found) throw notFound({ group: "", resource }, name);
  return found as Obj;
}

function uidOf({ metadata }: Obj, ref: JsonObject): string {
  const { uid = "" } = metadata;
  if (!ref.uid || ref.uid === uid) return uid;
  const why = `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw conflict({ group: "", resource: str(ref.kind) }, str(ref.name), why);
}

/** The Pod, and the node that it runs on. */
function podOf(ctx: RequestContext, account: Obj, ref: JsonObject): Bound {
  const name = str(ref.name);
  const pod = lookUp(ctx, "pods", ctx.namespace, name);
  const { serviceAccountName, nodeName } = obj(pod.spec);
  const own = account.metadata.name;
  if (serviceAccountName !== own) {
    const why = "to pod running with different serviceaccount name.";
    throw badRequest(
      `cannot bind token for serviceaccount ${quote(own)} ${why}`,
    );
  }
  const bound = { pod: { name, uid: uidOf(pod, ref) } };
  if (!nodeName) return bound;
  const node = ctx.server.storageOf("nodes").get("", str(nodeName));
  return { ...bound, node: { name: str(nodeName), uid: node?.metadata.uid } };
}
