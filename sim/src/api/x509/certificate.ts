/**
 * A certificate (X.509): the authority's word for who holds a key, and until
 * when. Other tools can read it.
 * Models:     crypto/x509 of Go 1.26; PermissiveSigningPolicy of
 *             pkg/controller/certificates/authority/policies.go @ v1.36
 * Leaves out: a true signature: the authority's key is simulated, like those
 *             of ServiceAccount tokens.
 */
import { toBase64 } from "../base64.ts";
import { fnv1aText } from "../hash.ts";
import {
  ascii,
  BIT_STRING,
  element,
  elementsOf,
  fromPem,
  INTEGER,
  OCTET_STRING,
  oid,
  SEQUENCE,
  SET,
  toPem,
} from "./der.ts";
import { ALTERNATIVE_NAMES, type CertificateRequest } from "./request.ts";

/** By the bit that they are in a certificate. */
const KEY_USAGES = [
  ...["digital signature", "content commitment", "key encipherment"],
  ...["data encipherment", "key agreement", "cert sign", "crl sign"],
  ...["encipher only", "decipher only"],
];
const EXTENDED_USAGES: { readonly [usage: string]: string } = {
  any: "2.5.29.37.0",
  "server auth": "1.3.6.1.5.5.7.3.1",
  "client auth": "1.3.6.1.5.5.7.3.2",
  "code signing": "1.3.6.1.5.5.7.3.3",
  "email protection": "1.3.6.1.5.5.7.3.4",
  "s/mime": "1.3.6.1.5.5.7.3.4",
  "ipsec end system": "1.3.6.1.5.5.7.3.5",
  "ipsec tunnel": "1.3.6.1.5.5.7.3.6",
  "ipsec user": "1.3.6.1.5.5.7.3.7",
  timestamping: "1.3.6.1.5.5.7.3.8",
  "ocsp signing": "1.3.6.1.5.5.7.3.9",
  "microsoft sgc": "1.3.6.1.4.1.311.10.3.3",
  "netscape sgc": "2.16.840.1.113730.4.1",
};

/** All that may stand in `spec.usages`. */
export const USAGES: readonly string[] = [
  ...["signing", ...KEY_USAGES, ...Object.keys(EXTENDED_USAGES)],
].sort();

export interface Terms {
  readonly request: CertificateRequest;
  readonly usages: readonly string[];
  /** Times as `2026-01-01T00:00:00Z`. */
  readonly notBefore: string;
  readonly notAfter: string;
  /** 16 bytes at random. */
  readonly serial: Uint8Array;
}

/** The issuer: CN=kubernetes. */
function issuer(): Uint8Array {
  const name = element(0x0c, ascii("kubernetes"));
  const pair = element(SEQUENCE, oid("2.5.4.3"), name);
  return element(SEQUENCE, element(SET, pair));
}

/** PEM in base64, as `status.certificate` holds it. */
export function signed(terms: Terms): string {
  const { request, serial } = terms;
  const none = Uint8Array.of(0x05, 0x00);
  const algorithm = element(SEQUENCE, oid("1.2.840.113549.1.1.11"), none);
  const content = element(
    SEQUENCE,
    element(0xa0, element(INTEGER, Uint8Array.of(2))),
    element(INTEGER, Uint8Array.of(serial[0]! & 0x7f, ...serial.subarray(1))),
    ...[algorithm, issuer()],
    element(SEQUENCE, time(terms.notBefore), time(terms.notAfter)),
    ...[request.subject, request.publicKey],
    element(0xa3, element(SEQUENCE, ...extensions(terms))),
  );
  const seal = Uint8Array.from({ length: 256 }, (_, i) =>
    i === 0 ? 1 : fnv1aText(`${i}${toBase64(content)}`) & 255,
  );
  const signature = element(BIT_STRING, Uint8Array.of(0), seal);
  const whole = element(SEQUENCE, content, algorithm, signature);
  return toBase64(toPem("CERTIFICATE", whole));
}

/** `YYMMDDhhmmssZ` */
function time(text: string): Uint8Array {
  return element(0x17, ascii(`${text.slice(2, 19).replace(/[-T:]/g, "")}Z`));
}

function extensions({ usages, request }: Terms): Uint8Array[] {
  const make = (id: string, critical: boolean, value: Uint8Array) =>
    element(
      SEQUENCE,
      ...[oid(id), Uint8Array.from(critical ? [0x01, 0x01, 0xff] : [])],
      element(OCTET_STRING, value),
    );
  const bits = KEY_USAGES.reduce((sum, usage, i) => {
    const asked =
      usages.includes(usage) || (i === 0 && usages.includes("signing"));
    return asked ? sum | (0x8000 >> i) : sum;
  }, 0);
  const ids = usages.flatMap((usage) => EXTENDED_USAGES[usage] ?? []);
  const names = request.alternativeNames;
  return [
    ...(bits ? [make("2.5.29.15", true, bitString(bits))] : []),
    ...(ids.length > 0
      ? [
          make(
            "2.5.29.37",
            false,
            element(SEQUENCE, ...[...new Set(ids)].map(oid)),
          ),
        ]
      : []),
    make("2.5.29.19", true, element(SEQUENCE)),
    ...(names ? [make(ALTERNATIVE_NAMES, false, names)] : []),
  ];
}

/** Of 9 bits at most; ends with the last that is set. */
function bitString(bits: number): Uint8Array {
  const bytes = bits & 0xff ? [bits >> 8, bits & 0xff] : [bits >> 8];
  const unused = Math.clz32(bytes.at(-1)! & -bytes.at(-1)!) ^ 31;
  return element(BIT_STRING, Uint8Array.of(unused, ...bytes));
}

/** When it ends, `2026-01-01T00:00:00Z`; undefined if it is no certificate. */
export function notAfterOf(certificate: string): string | undefined {
  const bytes = fromPem(atob(certificate), "CERTIFICATE");
  if (!bytes) return undefined;
  const [whole] = elementsOf(bytes);
  const [content] = elementsOf(whole!.content);
  const validity = elementsOf(content!.content)[4];
  const [, end] = elementsOf(validity!.content);
  const [, y, mo, d, h, mi, s] =
    /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(
      new TextDecoder().decode(end!.content),
    ) ?? [];
  return `20${y}-${mo}-${d}T${h}:${mi}:${s}Z`;
}
