/**
 * CSR signer: gives what was approved its certificate.
 * Models:     pkg/controller/certificates/{signer/signer,authority/policies}.go
 *             @ v1.36
 * Leaves out: one controller a signer: here one knows them all; the end of the
 *             authority's own certificate.
 */
import { CertificateSigningRequest } from "../../api/kinds/certificatesigningrequest.ts";
import { signed } from "../../api/x509/certificate.ts";
import { parseRequest } from "../../api/x509/request.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import {
  hasCondition,
  startCertificateController,
  withCondition,
} from "./controller.ts";
import { SIGNERS } from "./signers.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** `--cluster-signing-duration`: a year. */
const DURATION_MS = 365 * 24 * HOUR_MS;
/** Certificates begin a little early, for clocks that are behind. */
const BACKDATE_MS = 5 * MINUTE_MS;
/** What lives so long ends early, too. */
const SHORT_MS = 8 * HOUR_MS;

export function startCsrSigningController(
  context: ComponentContext,
): Component {
  return startCertificateController(context, (csr) => sign(csr, context));
}

// region: sign
async function sign(
  csr: CertificateSigningRequest,
  { client, kernel, random }: ComponentContext,
): Promise<void> {
  if (!hasCondition(csr, "Approved")) return;
  if (hasCondition(csr, "Denied", "Failed")) return;
  const { signerName, usages = [], expirationSeconds } = csr.spec;
  const rule = SIGNERS[signerName];
  if (!rule) return; // Somebody else's to sign.
  const request = parseRequest(csr.spec.request);
  const wrong = rule(request, usages);
  if (wrong) {
    const reason = "SignerValidationFailure";
    const failed = withCondition(csr, "Failed", reason, wrong);
    await client.updateStatus(CertificateSigningRequest, failed);
    return;
  }
  const lifeMs = lifeOf(expirationSeconds);
  const now = kernel.now();
  const endMs = lifeMs < SHORT_MS ? lifeMs : lifeMs - BACKDATE_MS;
  const certificate = signed({
    ...{ request, usages },
    notBefore: kernel.timestamp(now - BACKDATE_MS),
    notAfter: kernel.timestamp(now + endMs),
    serial: Uint8Array.from({ length: 16 }, () => random.int(256)),
  });
  const status = { ...csr.status, certificate };
  await client.updateStatus(CertificateSigningRequest, { ...csr, status });
}
// endregion: sign

function lifeOf(seconds: number | undefined): number {
  if (seconds === undefined) return DURATION_MS;
  return Math.min(DURATION_MS, Math.max(10 * MINUTE_MS, seconds * 1000));
}
