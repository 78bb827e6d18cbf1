/**
 * CSR approver: a kubelet's request for its client certificate is approved if
 * RBAC lets the asker have one. All other requests wait for a human.
 * Models: pkg/controller/certificates/approver/sarapprove.go @ v1.36
 * Try:    approve whatever asks, and become a node of your own.
 */
import { CertificateSigningRequest } from "../../api/kinds/certificatesigningrequest.ts";
import { SubjectAccessReview } from "../../api/kinds/reviews.ts";
import {
  type CertificateRequest,
  parseRequest,
} from "../../api/x509/request.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import {
  hasCondition,
  startCertificateController,
  withCondition,
} from "./controller.ts";
import { KUBELET_CLIENT, kubeletClient } from "./signers.ts";

type Request = CertificateSigningRequest;

/** Requests that are known, and the right that lets them pass. */
const RECOGNIZERS = [
  {
    recognizes: (csr: Request, asked: CertificateRequest) =>
      csr.spec.username === asked.commonName && isNodeClient(csr, asked),
    subresource: "selfnodeclient",
    message:
      "Auto approving self kubelet client certificate after SubjectAccessReview.",
  },
  {
    recognizes: isNodeClient,
    subresource: "nodeclient",
    message:
      "Auto approving kubelet client certificate after SubjectAccessReview.",
  },
];

function isNodeClient({ spec }: Request, asked: CertificateRequest): boolean {
  const { signerName, usages = [] } = spec;
  return signerName === KUBELET_CLIENT && kubeletClient(asked, usages) === "";
}

export function startCsrApprovingController(
  context: ComponentContext,
): Component {
  return startCertificateController(context, (csr) => approve(csr, context));
}

// region: approve
async function approve(csr: Request, ctx: ComponentContext): Promise<void> {
  if (hasCondition(csr, "Approved", "Denied")) return;
  const asked = parseRequest(csr.spec.request);
  const known = RECOGNIZERS.filter(({ recognizes }) => recognizes(csr, asked));
  for (const { subresource, message } of known) {
    if (!(await isAllowed(csr, subresource, ctx))) continue;
    const next = withCondition(csr, "Approved", "AutoApproved", message);
    const { name } = csr.metadata;
    const ref = CertificateSigningRequest;
    await ctx.client.updateSub(ref, "", name, "approval", next);
    return;
  }
  if (known.length === 0) return;
  const tried = known.map((one) => one.subresource).join(" ");
  const why = "but subject access review was not approved";
  throw new Error(`recognized csr "${csr.metadata.name}" as [${tried}] ${why}`);
}
// endregion: approve

async function isAllowed(
  { spec }: Request,
  subresource: string,
  { client }: ComponentContext,
): Promise<boolean> {
  const { username: user, uid, groups, extra } = spec;
  const resourceAttributes = {
    group: CertificateSigningRequest.group,
    resource: CertificateSigningRequest.resource,
    ...{ verb: "create", subresource },
  };
  const review = await client.create(SubjectAccessReview, {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SubjectAccessReview",
    metadata: { name: "" },
    spec: { user, uid, groups, extra, resourceAttributes },
  });
  return review.status?.allowed ?? false;
}
