/**
 * NodeRestriction: a kubelet changes its own Node, its own Lease and the Pods
 * bound to it. The node authorizer says what kinds it may touch; which of
 * their objects only the object itself tells.
 * Models: plugin/pkg/admission/noderestriction/admission.go @ v1.36
 * Try:    take it out of the plugins, and let one node's kubelet write
 *         the status of another's Pods.
 */
import { at, same } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import type { Json } from "../../../api/types.ts";
import { NODE_PREFIX } from "../../authentication/user.ts";
import type { RequestContext } from "../../context.ts";
import { admitRequest } from "../node-restriction/csr.ts";
import { admitNodeChange } from "../node-restriction/node.ts";
import { admitEviction, admitPod } from "../node-restriction/pod.ts";
import { admitSlice } from "../node-restriction/slice.ts";
import { admitClaimStatus } from "../node-restriction/storage.ts";
import { admitToken } from "../node-restriction/token.ts";
import { type AdmissionPlugin, refuse, type Target } from "../plugin.ts";

type Check = (ctx: RequestContext, node: string) => void;

const LEASES = "kube-node-lease";

// region: checks
/** By group and resource; each throws to refuse. */
const CHECKS: { readonly [resource: string]: Check } = {
  "/pods": admitPodWrite,
  "/nodes": admitNodeChange,
  "/persistentvolumeclaims": admitClaimStatus,
  "/serviceaccounts": admitToken,
  "certificates.k8s.io/certificatesigningrequests": admitRequest,
  "coordination.k8s.io/leases": admitLease,
  "storage.k8s.io/csinodes": admitCsiNode,
  "resource.k8s.io/resourceslices": admitSlice,
};
// endregion: checks

function checkOf({ group, resource }: Pick<Target, "group" | "resource">) {
  return CHECKS[`${group}/${resource}`];
}

export const nodeRestriction: AdmissionPlugin = {
  name: "NodeRestriction",
  handles: (target) => checkOf(target) !== undefined,
  mutate(ctx) {
    const { user, server, request } = ctx;
    if (!server.authorizer.isNode(user)) return;
    const node = user.name.slice(NODE_PREFIX.length);
    if (node === "") {
      const who = `could not determine node from user "${user.name}"`;
      throw refuse(ctx, who);
    }
    checkOf(request)!(ctx, node);
  },
};

function admitPodWrite(ctx: RequestContext, node: string): void {
  const { subresource = "" } = ctx.request;
  if (subresource === "status") return admitPodStatus(ctx, node);
  if (subresource === "") return admitPod(ctx, node);
  if (subresource === "eviction") return admitEviction(ctx, node);
  const why = `unexpected pod subresource "${subresource}", only 'status' and 'eviction' are allowed`;
  throw refuse(ctx, why);
}

function admitPodStatus(ctx: RequestContext, node: string): void {
  const old = ctx.old!;
  if (at(old.spec as Json, "nodeName") !== node) {
    const why = "can only update pod status for pods with spec.nodeName";
    throw refuse(ctx, `node "${node}" ${why} set to itself`);
  }
  if (!sameField(ctx, (pod) => pod.metadata.labels as Json)) {
    const why = "cannot update labels through pod status";
    throw refuse(ctx, `node "${node}" ${why}`);
  }
  if (!sameField(ctx, claimStatuses)) {
    // Upstream's own spelling.
    throw refuse(ctx, `node "${node}" cannot update resource claim statues`);
  }
  if (!sameField(ctx, extendedClaim)) {
    const why = "cannot update extended resource claim status";
    throw refuse(ctx, `node "${node}" ${why}`);
  }
}

function claimStatuses({ status }: Obj): Json {
  return at(status as Json, "resourceClaimStatuses");
}

function extendedClaim({ status }: Obj): Json {
  return at(status as Json, "extendedResourceClaimStatus");
}

function sameField({ object, old }: RequestContext, of: (one: Obj) => Json) {
  return same(of(object!), of(old!));
}

function admitLease(ctx: RequestContext, node: string): void {
  if (ctx.namespace !== LEASES) {
    const why = `can only access leases in the "${LEASES}" system namespace`;
    throw refuse(ctx, why);
  }
  if (ctx.name === node) return;
  const own = "with the same name as the requesting node";
  throw refuse(ctx, `can only access node lease ${own}`);
}

function admitCsiNode(ctx: RequestContext, node: string): void {
  if (ctx.name === node) return;
  const own = "with the same name as the requesting node";
  throw refuse(ctx, `can only access CSINode ${own}`);
}
