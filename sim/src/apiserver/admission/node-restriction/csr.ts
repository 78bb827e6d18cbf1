/** A kubelet asks for certificates in its own name alone. */
import { obj, str } from "../../../api/kinds/access.ts";
import { parseRequest } from "../../../api/x509/request.ts";
import { NODE_PREFIX } from "../../authentication/user.ts";
import type { RequestContext } from "../../context.ts";
import { operationOf } from "../operation.ts";
import { refuse } from "../plugin.ts";

const SIGNERS = [
  "kubernetes.io/kubelet-serving",
  "kubernetes.io/kube-apiserver-client-kubelet",
];

export function admitRequest(ctx: RequestContext, node: string): void {
  const { object, old, request } = ctx;
  if (operationOf(request.verb, old !== undefined) !== "CREATE") return;
  const spec = obj(object!.spec);
  if (!SIGNERS.includes(str(spec.signerName))) return;
  const name = `${NODE_PREFIX}${node}`;
  if (commonName(ctx, str(spec.request)) === name) return;
  throw refuse(ctx, `can only create a node CSR with CN=${name}`);
}

function commonName(ctx: RequestContext, request: string): string {
  try {
    return parseRequest(request).commonName;
  } catch (error) {
    throw refuse(ctx, `unable to parse csr: ${(error as Error).message}`);
  }
}
