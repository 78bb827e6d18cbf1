/**
 * What a certificate signing request may say.
 * Models:     pkg/apis/certificates/validation/validation.go, ValidateSignerName
 *             of pkg/apis/core/validation/names.go @ v1.36
 * Leaves out: the request's own signature.
 */
import {
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import { dns1123Label, dns1123Subdomain } from "../names.ts";
import { USAGES } from "../x509/certificate.ts";
import { parseRequest } from "../x509/request.ts";
import { num, obj, str, strings } from "./access.ts";
import type { Obj } from "./definition.ts";

const LEGACY = "kubernetes.io/legacy-unknown";

export function requestErrors({ spec }: Obj): FieldError[] {
  const { request, usages, signerName, expirationSeconds } = obj(spec);
  const errors: FieldError[] = [];
  try {
    parseRequest(str(request));
  } catch (error) {
    errors.push(badRequest(str(request), (error as Error).message));
  }
  const asked = strings(usages);
  if (asked.length === 0) errors.push(required("spec.usages"));
  for (const [i, usage] of asked.entries()) {
    if (USAGES.includes(usage)) continue;
    errors.push(notSupported(`spec.usages[${i}]`, usage, USAGES));
  }
  for (const [i, usage] of asked.entries()) {
    if (asked.indexOf(usage) < i)
      errors.push(duplicate(`spec.usages[${i}]`, usage));
  }
  errors.push(...signerErrors("spec.signerName", str(signerName)));
  if (expirationSeconds !== undefined && num(expirationSeconds) < 600) {
    const why = "may not specify a duration less than 600 seconds (10 minutes)";
    errors.push(invalid("spec.expirationSeconds", expirationSeconds, why));
  }
  return errors;
}

/** The value as Go shows bytes. */
function badRequest(request: string, why: string): FieldError {
  const bytes = Array.from(atob(request), (letter) => {
    return `0x${letter.charCodeAt(0).toString(16)}`;
  });
  const body = `Invalid value: []byte{${bytes.join(", ")}}: ${why}`;
  return { ...invalid("spec.request", "", why), body };
}

function signerErrors(field: string, signer: string): FieldError[] {
  if (!signer) return [required(field)];
  if (signer === LEGACY) {
    return [
      invalid(
        field,
        signer,
        "the legacy signerName is not allowed via this API version",
      ),
    ];
  }
  const [domain = "", path, ...more] = signer.split("/");
  if (path === undefined || more.length > 0) {
    const form = "of the form 'example.com/signer-name'";
    return [
      invalid(
        field,
        signer,
        `must be a fully qualified domain and path ${form}`,
      ),
    ];
  }
  const wrong = (whole: string, rule: typeof dns1123Label) => {
    for (const label of whole.split(".")) {
      const why = rule(label).map(
        (text) => `validating label "${label}": ${text}`,
      );
      if (why.length > 0) return why.map((text) => invalid(field, whole, text));
    }
    return [];
  };
  const errors = wrong(domain, dns1123Label);
  if (!domain.includes(".")) {
    const why =
      "should be a domain with at least two segments separated by dots";
    errors.push(invalid(field, domain, why));
  }
  return [...errors, ...wrong(path, dns1123Subdomain)];
}
