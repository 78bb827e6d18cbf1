/**
 * CSR cleaner: once an hour, requests that nobody needs any more go.
 * Models: pkg/controller/certificates/cleaner/cleaner.go @ v1.36
 */
import { CertificateSigningRequest } from "../../api/kinds/certificatesigningrequest.ts";
import { notAfterOf } from "../../api/x509/certificate.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { every } from "../../client/controller.ts";
import type { Kernel } from "../../kernel/index.ts";

const HOUR_MS = 3_600_000;
/** How long what has a verdict stays. */
const DECIDED_MS = HOUR_MS;
const PENDING_MS = 24 * HOUR_MS;

export function startCsrCleanerController(
  context: ComponentContext,
): Component {
  const { client, informers, kernel } = context;
  const requests = informers.informer(CertificateSigningRequest);
  const stop = every(context, HOUR_MS, async () => {
    for (const request of requests.list()) {
      if (!isOver(request, kernel)) continue;
      const { name } = request.metadata;
      await client.delete(CertificateSigningRequest, "", name);
    }
  });
  return { stop };
}

function isOver(
  { metadata, status }: CertificateSigningRequest,
  kernel: Pick<Kernel, "now" | "msOf">,
): boolean {
  const { conditions = [], certificate } = status ?? {};
  const isOlder = (time: string | undefined, ageMs: number) =>
    time !== undefined && kernel.now() - kernel.msOf(time) > ageMs;
  if (conditions.length === 0) {
    return isOlder(metadata.creationTimestamp, PENDING_MS);
  }
  return conditions.some(({ type, lastUpdateTime }) => {
    if (type !== "Approved") {
      return (
        ["Denied", "Failed"].includes(type) &&
        isOlder(lastUpdateTime, DECIDED_MS)
      );
    }
    if (!certificate) return false;
    return (
      isOlder(lastUpdateTime, DECIDED_MS) || isOlder(notAfterOf(certificate), 0)
    );
  });
}
