/**
 * A certificate request (PKCS #10): who asks to be called what, and with
 * which public key.
 * Models:     ParseCSR of pkg/apis/certificates/helpers.go @ v1.36,
 *             crypto/x509 of Go 1.26
 * Leaves out: its signature, which says that the asker has the private key.
 */
import { fromBase64 } from "../base64.ts";
import { type Element, elementsOf, fromPem, oidText } from "./der.ts";

export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** Alternative names, by what they are. */
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
  readonly ipCount: number;
  /** As they stand in the request, for the certificate. */
  readonly subject: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly alternativeNames: Uint8Array | undefined;
}

const COMMON_NAME = "2.5.4.3";
const ORGANIZATION = "2.5.4.10";
const EXTENSION_REQUEST = "1.2.840.113549.1.9.14";
export const ALTERNATIVE_NAMES = "2.5.29.17";
const [EMAIL, DNS, URI, IP] = [0x81, 0x82, 0x86, 0x87];

/** Of PEM in base64, as `spec.request` holds it. Throws in Go's words. */
export function parseRequest(request: string): CertificateRequest {
  const pem = new TextDecoder().decode(fromBase64(request));
  const bytes = fromPem(pem, "CERTIFICATE REQUEST");
  if (!bytes) throw new Error("PEM block type must be CERTIFICATE REQUEST");
  const [whole] = elementsOf(bytes);
  const [info] = elementsOf(part(whole).content);
  const [, subject, publicKey, attributes] = elementsOf(part(info).content);
  const names = namesOf(part(subject));
  const alternative = alternativeNames(attributes);
  const [list] = alternative ? elementsOf(alternative) : [];
  const general = list ? elementsOf(list.content) : [];
  const texts = (tag: number) =>
    general
      .filter((one) => one.tag === tag)
      .map(({ content }) => textOf(content));
  return {
    commonName: names.find(([id]) => id === COMMON_NAME)?.[1] ?? "",
    organizations: names
      .filter(([id]) => id === ORGANIZATION)
      .map(([, text]) => text),
    dnsNames: texts(DNS!),
    emailAddresses: texts(EMAIL!),
    uris: texts(URI!),
    ipCount: general.filter(({ tag }) => tag === IP).length,
    subject: part(subject).raw,
    publicKey: part(publicKey).raw,
    alternativeNames: alternative,
  };
}

function part(element: Element | undefined): Element {
  if (!element) throw new Error("asn1: syntax error: sequence truncated");
  return element;
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** [kind of name, name] of a subject, in order. */
function namesOf(subject: Element): [string, string][] {
  return elementsOf(subject.content)
    .flatMap((set) => elementsOf(set.content))
    .map(({ content }) => {
      const [id, value] = elementsOf(content);
      return [oidText(part(id).content), textOf(part(value).content)];
    });
}

/** Extensions are an attribute of the request. */
function alternativeNames(
  attributes: Element | undefined,
): Uint8Array | undefined {
  for (const attribute of attributes ? elementsOf(attributes.content) : []) {
    const [id, set] = elementsOf(attribute.content);
    if (oidText(part(id).content) !== EXTENSION_REQUEST) continue;
    const [all] = elementsOf(part(set).content);
    for (const extension of elementsOf(part(all).content)) {
      const parts = elementsOf(extension.content);
      if (oidText(part(parts[0]).content) === ALTERNATIVE_NAMES)
        return parts.at(-1)!.content;
    }
  }
  return undefined;
}
