/**
 * CertificateSigningRequest: somebody asks for a certificate, somebody who may
 * approves, a signer signs. Each has an endpoint and may change nothing else.
 * Models: pkg/registry/certificates/certificates/strategy.go,
 *         pkg/printers/internalversion/printers.go @ v1.36
 */
import { age, columns, humanDuration } from "../table.ts";
import type { JsonObject } from "../types.ts";
import { list, obj, str } from "./access.ts";
import { requestErrors } from "./certificate-validation.ts";
import { approvalErrors, signingErrors } from "./certificate-verdicts.ts";
import { defineKind, statusSubresource } from "./define.ts";
import type { Author, Kind, Obj } from "./definition.ts";
import type * as types from "./types/certificates.ts";

export type CertificateSigningRequest = types.CertificateSigningRequest;

export const CertificateSigningRequest: Kind<CertificateSigningRequest> =
  defineKind<CertificateSigningRequest>({
    group: "certificates.k8s.io",
    kind: "CertificateSigningRequest",
    namespaced: false,
    shortNames: ["csr"],
    emptyStatus: {},
    // Anything may be its name.
    nameRule: () => [],
    subresources: [
      { name: "approval", verbs: ["get", "patch", "update"] },
      statusSubresource,
    ],
    columns: columns(
      "Name|Age|SignerName|Requestor|RequestedDuration|Condition",
    ),
    row: (object, now) => {
      const {
        signerName,
        username,
        expirationSeconds: seconds,
      } = obj(object.spec);
      return {
        cells: [
          object.metadata.name,
          age(object, now),
          str(signerName) || "<none>",
          str(username),
          seconds ? humanDuration(Number(seconds) * 1000) : "<none>",
          conditionText(object),
        ],
      };
    },
    madeBy: askedBy,
    // What was asked for stays.
    onUpdate: (object, old) => ({ ...object, spec: old.spec }),
    selectable: {
      "spec.signerName": ({ spec }) => str(obj(spec).signerName),
    },
    validate: requestErrors,
    updateOrder: ["meta", "rules", "metaChange"],
    changes: {
      approval: { prepare: approved, errors: approvalErrors },
      status: { prepare: issued, errors: signingErrors },
    },
  });

/** Who asks is the server's to say. */
function askedBy(object: Obj, { name, uid, groups, extra = {} }: Author): Obj {
  const {
    username: _n,
    uid: _u,
    groups: _g,
    extra: _e,
    ...asked
  } = obj(object.spec);
  const spec = {
    ...{ ...asked, username: name, groups },
    ...(uid ? { uid } : {}),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
  return { ...object, spec };
}

/** Only the conditions change. */
function approved(object: Obj, old: Obj, now: string): Obj {
  const { conditions } = dated(object, old, now);
  const { conditions: _, ...kept } = obj(old.status);
  return {
    ...object,
    spec: old.spec,
    status: { ...kept, ...(conditions ? { conditions } : {}) },
  };
}

/** All of the status but what was said of the approval. */
function issued(object: Obj, old: Obj, now: string): Obj {
  return { ...object, spec: old.spec, status: dated(object, old, now) };
}

/** New conditions have the time of now; the status's change, too. */
function dated(object: Obj, old: Obj, now: string): JsonObject {
  const status = obj(object.status);
  if (!status.conditions) return status;
  const before = list(obj(old.status).conditions);
  const conditions = list(status.conditions).map((one) => {
    const { type, lastUpdateTime, lastTransitionTime } = one;
    const known = before.find(
      (was) => was.type === type && was.status === one.status,
    );
    return {
      ...one,
      lastUpdateTime: lastUpdateTime ?? now,
      lastTransitionTime:
        lastTransitionTime ?? known?.lastTransitionTime ?? now,
    };
  });
  return { ...status, conditions };
}

function conditionText({ status }: Obj): string {
  const { conditions, certificate } = obj(status);
  const types = list(conditions).map(({ type }) => type);
  const first =
    ["Denied", "Approved"].find((type) => types.includes(type)) ?? "Pending";
  const failed = types.includes("Failed") ? ",Failed" : "";
  return `${first}${failed}${certificate ? ",Issued" : ""}`;
}
