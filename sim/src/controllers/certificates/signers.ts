/**
 * The signers that every cluster has, and what each asks of a request.
 * Models: pkg/controller/certificates/signer/signer.go,
 *         pkg/apis/certificates/helpers.go @ v1.36
 */
import type { CertificateRequest } from "../../api/x509/request.ts";

/** What is wrong with the request; "" if it may be signed. */
type Rule = (request: CertificateRequest, usages: readonly string[]) => string;

export const KUBELET_CLIENT = "kubernetes.io/kube-apiserver-client-kubelet";

export const SIGNERS: { readonly [signer: string]: Rule } = {
  "kubernetes.io/kube-apiserver-client": clientUsages,
  [KUBELET_CLIENT]: kubeletClient,
  "kubernetes.io/kubelet-serving": kubeletServing,
};

/** A kubelet's own certificate, to speak to the API server. */
export function kubeletClient(
  request: CertificateRequest,
  usages: readonly string[],
): string {
  const { dnsNames, emailAddresses, ipCount, uris } = request;
  if (!isOfNodes(request)) return NOT_OF_NODES;
  if (dnsNames.length > 0) return notAllowed("DNS");
  if (emailAddresses.length > 0) return notAllowed("Email");
  if (ipCount > 0) return notAllowed("IP");
  if (uris.length > 0) return notAllowed("URI");
  if (!isNamedAsNode(request)) return NOT_NAMED;
  return usagesOf("client auth", usages);
}

/** What a kubelet shows to those who call it. */
function kubeletServing(
  request: CertificateRequest,
  usages: readonly string[],
): string {
  const { dnsNames, emailAddresses, ipCount, uris } = request;
  if (!isOfNodes(request)) return NOT_OF_NODES;
  if (dnsNames.length + ipCount === 0) {
    return "DNS or IP subjectAltName is required";
  }
  if (emailAddresses.length > 0) return notAllowed("Email");
  if (uris.length > 0) return notAllowed("URI");
  const wrong = usagesOf("server auth", usages);
  return wrong || (isNamedAsNode(request) ? "" : NOT_NAMED);
}

function clientUsages(
  _: CertificateRequest,
  usages: readonly string[],
): string {
  const optional = ["digital signature", "key encipherment"];
  const other = usages.find(
    (one) => one !== "client auth" && !optional.includes(one),
  );
  if (other) return `invalid usage for client certificate: ${other}`;
  return usages.includes("client auth")
    ? ""
    : "missing required usage for client certificate: client auth";
}

const NOT_OF_NODES = "subject organization is not system:nodes";
const NOT_NAMED = "subject common name does not begin with system:node:";

function isOfNodes({ organizations }: CertificateRequest): boolean {
  return organizations.join() === "system:nodes";
}

function isNamedAsNode({ commonName }: CertificateRequest): boolean {
  return commonName.startsWith("system:node:");
}

function notAllowed(what: string): string {
  return `${what} subjectAltNames are not allowed`;
}

/** Keys that are not RSA do without encipherment. */
function usagesOf(auth: string, usages: readonly string[]): string {
  const least = ["digital signature", auth];
  const all = ["key encipherment", ...least].sort();
  const given = [...new Set(usages)].sort().join();
  if (given === all.join() || given === least.sort().join()) return "";
  return `usages did not match [${all.join(" ")}]`;
}
