/**
 * kubectl describe of CertificateSigningRequests.
 * Models:     kubectl/pkg/describe/describe.go
 *             (describeCertificateSigningRequest) @ v1.36
 * Leaves out: parts of the subject but its name and organizations; addresses.
 */
import { list, num, obj, str } from "../../api/kinds/access.ts";
import { labelsText } from "../../api/kinds/cells.ts";
import { humanDuration } from "../../api/table.ts";
import { parseRequest } from "../../api/x509/request.ts";
import { CommandError } from "../environment.ts";
import { longTime } from "../time.ts";
import { type Describer, writeEventsOf } from "./subject.ts";
import type { Writer } from "./writer.ts";

export const describeCertificateRequest: Describer = async (subject) => {
  const { w, object } = subject;
  const { name, labels, annotations, creationTimestamp } = object.metadata;
  const spec = obj(object.spec);
  w.field(0, "Name", name);
  w.field(0, "Labels", labelsText(labels));
  w.field(0, "Annotations", labelsText(annotations));
  w.field(0, "CreationTimestamp", longTime(creationTimestamp));
  w.field(0, "Requesting User", str(spec.username));
  if (spec.signerName) w.field(0, "Signer", spec.signerName);
  const seconds = num(spec.expirationSeconds);
  if (spec.expirationSeconds !== undefined)
    w.field(0, "Requested Duration", humanDuration(seconds * 1000));
  w.field(0, "Status", statusText(obj(object.status)));
  writeRequest(w, str(spec.request));
  await writeEventsOf(subject);
};

function statusText(status: ReturnType<typeof obj>): string {
  const types = list(status.conditions).map(({ type }) => str(type));
  const decided = ["Approved", "Denied"].filter((one) => types.includes(one));
  // Denied wins over approved, as upstream reads them.
  const words = [decided.at(-1) ?? "Pending"];
  if (types.includes("Failed")) words.push("Failed");
  if (status.certificate) words.push("Issued");
  return words.join(",");
}

function writeRequest(w: Writer, text: string): void {
  const request = parsed(text);
  w.line(0, "Subject:");
  w.line(0, `\tCommon Name:\t${request.commonName}`);
  w.line(0, "\tSerial Number:\t");
  items(w, "Organization", request.organizations);
  const { dnsNames, emailAddresses, uris, ipCount } = request;
  if (dnsNames.length + emailAddresses.length + uris.length + ipCount === 0)
    return;
  w.line(0, "Subject Alternative Names:");
  items(w, "DNS Names", dnsNames);
  items(w, "Email Addresses", emailAddresses);
  items(w, "URIs", uris);
}

function parsed(text: string) {
  try {
    return parseRequest(text);
  } catch (error) {
    throw new CommandError(`Error parsing CSR: ${(error as Error).message}`);
  }
}

function items(w: Writer, name: string, texts: readonly string[]): void {
  for (const [i, text] of texts.entries())
    w.line(0, `\t${i === 0 ? `${name}:` : ""}\t${text}`);
}
