/**
 * What the controllers of certificate requests are made of: each looks at
 * every request that has no certificate yet, and does its part or leaves it.
 * Models: pkg/controller/certificates/certificate_controller.go @ v1.36
 */
import { CertificateSigningRequest } from "../../api/kinds/certificatesigningrequest.ts";
import { keyOf } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { startController } from "../../client/controller.ts";

const BACKOFF = { firstMs: 200, maxMs: 1_000_000 };

export function startCertificateController(
  context: ComponentContext,
  handle: (request: CertificateSigningRequest) => Promise<void>,
): Component {
  const requests = context.informers.informer(CertificateSigningRequest);
  const controller = startController(context, {
    workers: 5,
    backoff: BACKOFF,
    reconcile: async (name) => {
      const request = requests.get(name);
      if (request && !request.status?.certificate) await handle(request);
    },
  });
  const enqueue = (request: CertificateSigningRequest) =>
    controller.queue.add(keyOf(request));
  controller.on(requests, { added: enqueue, updated: enqueue });
  return controller;
}

export function hasCondition(
  { status }: CertificateSigningRequest,
  ...types: readonly string[]
): boolean {
  return (status?.conditions ?? []).some(({ type }) => types.includes(type));
}

/** The request with one condition more. */
export function withCondition(
  request: CertificateSigningRequest,
  type: string,
  reason: string,
  message: string,
): CertificateSigningRequest {
  const { status } = request;
  const condition = { type, status: "True", reason, message };
  const conditions = [...(status?.conditions ?? []), condition];
  return { ...request, status: { ...status, conditions } };
}
