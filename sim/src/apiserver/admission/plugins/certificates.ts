/**
 * Who approves or signs a certificate request needs a right for its signer;
 * and nobody gets into the group that may do everything by a certificate.
 * Models: plugin/pkg/admission/certificates/{approval,signing,
 *         subjectrestriction}/admission.go @ v1.36
 */
import { at, obj, same, str } from "../../../api/kinds/access.ts";
import type { Json } from "../../../api/types.ts";
import { parseRequest } from "../../../api/x509/request.ts";
import { MASTERS } from "../../authentication/user.ts";
import type { RequestContext } from "../../context.ts";
import { type AdmissionPlugin, refuse, type Target } from "../plugin.ts";

const GROUP = "certificates.k8s.io";
const CLIENT = "kubernetes.io/kube-apiserver-client";

function isFor(target: Target, operation: string, subresource: string) {
  return (
    target.group === GROUP &&
    target.resource === "certificatesigningrequests" &&
    target.operation === operation &&
    target.subresource === subresource
  );
}

export const certificateApproval: AdmissionPlugin = {
  name: "CertificateApproval",
  handles: (target) => isFor(target, "UPDATE", "approval"),
  validate: (ctx) => checkSigner(ctx, "approve"),
};

export const certificateSigning: AdmissionPlugin = {
  name: "CertificateSigning",
  handles: (target) => isFor(target, "UPDATE", "status"),
  validate(ctx) {
    const [after, before] = [obj(ctx.object!.status), obj(ctx.old!.status)];
    const isSame = (field: string) => same(after[field], before[field]);
    if (isSame("certificate") && isSame("conditions")) return;
    checkSigner(ctx, "sign");
  },
};

/** A right for the signer, or for all of its domain. */
function checkSigner(ctx: RequestContext, verb: "approve" | "sign"): void {
  const signer = str(at(ctx.old!.spec as Json, "signerName"));
  const names = [signer, `${signer.split("/")[0]}/*`];
  const may = (name: string) => {
    const a = { verb, group: GROUP, resource: "signers", name };
    return ctx.server.authorizer.authorize(ctx.user, a).allowed;
  };
  if (names.some(may)) return;
  const why = `user not permitted to ${verb} requests with signerName`;
  throw refuse(ctx, `${why} "${signer}"`);
}

export const certificateSubjectRestriction: AdmissionPlugin = {
  name: "CertificateSubjectRestriction",
  handles: (target) => isFor(target, "CREATE", ""),
  validate(ctx) {
    const { signerName, request } = obj(ctx.object!.spec);
    if (signerName !== CLIENT) return;
    // What cannot be read was refused before.
    if (!parseRequest(str(request)).organizations.includes(MASTERS)) return;
    const why = `use of ${CLIENT} signer with ${MASTERS} group is not allowed`;
    throw refuse(ctx, why);
  },
};
