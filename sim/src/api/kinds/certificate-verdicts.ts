/**
 * What each endpoint of a certificate signing request may change: one what is
 * said of it, the other the certificate.
 * Models:     ValidateCertificateSigningRequest{Approval,Status}Update of
 *             pkg/apis/certificates/validation/validation.go @ v1.36
 * Leaves out: what old objects may keep.
 */
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import { fromPem } from "../x509/der.ts";
import { list, obj, same, str } from "./access.ts";
import type { Obj } from "./definition.ts";

const VERDICTS = ["Approved", "Denied", "Failed"];

/** `…/approval`: conditions come, no certificate. */
export function approvalErrors(object: Obj, old: Obj): FieldError[] {
  return [...conditionErrors(object), ...lost(object, old)];
}

/** `…/status`: a certificate, once, and no word of the approval. */
export function signingErrors(object: Obj, old: Obj): FieldError[] {
  const errors = conditionErrors(object);
  const { certificate } = obj(object.status);
  const before = obj(old.status).certificate;
  const changed = certificate !== before;
  if (
    changed &&
    certificate &&
    !fromPem(atob(str(certificate)), "CERTIFICATE")
  ) {
    const why = "must contain at least one CERTIFICATE PEM block";
    errors.push(invalid("status.certificate", "<certificate data>", why));
  }
  errors.push(...lost(object, old));
  for (const type of VERDICTS.slice(0, 2)) {
    const [next, last] = [object, old].map((one) => conditionsOf(one, type));
    if (next!.length > last!.length) {
      const why = `updates may not add a condition of type "${type}"`;
      errors.push(forbidden("status.conditions", why));
    } else if (next!.length === last!.length && !same(next, last)) {
      const why = `updates may not modify a condition of type "${type}"`;
      errors.push(forbidden("status.conditions", why));
    }
  }
  if (changed && before) {
    const why = "updates may not modify existing certificate content";
    errors.push(forbidden("status.certificate", why));
  }
  return errors;
}

function conditionsOf({ status }: Obj, type: string) {
  return list(obj(status).conditions).filter((one) => one.type === type);
}

function lost(object: Obj, old: Obj): FieldError[] {
  return VERDICTS.flatMap((type) => {
    if (conditionsOf(object, type).length >= conditionsOf(old, type).length)
      return [];
    const why = `updates may not remove a condition of type "${type}"`;
    return [forbidden("status.conditions", why)];
  });
}

function conditionErrors({ status }: Obj): FieldError[] {
  const conditions = list(obj(status).conditions);
  const types = conditions.map(({ type }) => str(type));
  return conditions.flatMap((one, i) => {
    const path = `status.conditions[${i}]`;
    const errors: FieldError[] = [];
    const [type, is] = [str(one.type), str(one.status)];
    if (!type) errors.push(required(`${path}.type`));
    const allowed = VERDICTS.includes(type)
      ? ["True"]
      : ["False", "True", "Unknown"];
    if (!is) errors.push(required(`${path}.status`));
    else if (!allowed.includes(is))
      errors.push(notSupported(`${path}.status`, is, allowed));
    const other = { Approved: "Denied", Denied: "Approved" }[type];
    if (other && types.slice(0, i).includes(other)) {
      const why = "Approved and Denied conditions are mutually exclusive";
      errors.push(invalid("status.conditions", type, why));
    }
    if (types.indexOf(type) < i) errors.push(duplicate(`${path}.type`, type));
    return errors;
  });
}
