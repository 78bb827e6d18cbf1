/**
 * kubectl describe ingress, and ingressclass.
 * Models:     kubectl/pkg/describe/describe.go (IngressDescriber,
 *             IngressClassDescriber) @ v1.36
 */
import { at, list, obj, str, strings } from "../../api/kinds/access.ts";
import { Service } from "../../api/kinds/service.ts";
import { StatusError } from "../../api/status.ts";
import type { Json } from "../../api/types.ts";
import { jsonOf } from "../objects.ts";
import { endpointsText, slicesOf } from "./service.ts";
import {
  type Describer,
  type Subject,
  writeEventsOf,
  writeLabelsOf,
} from "./subject.ts";
import { writeAnnotations, writeLabels } from "./writer.ts";

export const describeIngress: Describer = async (subject) => {
  const { w, object, spec, status } = subject;
  const { name, namespace, labels, annotations } = object.metadata;
  w.field(0, "Name", name);
  writeLabels(w, "Labels", labels);
  w.field(0, "Namespace", namespace);
  const given = list(at(status.loadBalancer, "ingress"));
  const addresses = given.map(({ ip, hostname }) => str(ip) || str(hostname));
  w.field(0, "Address", [...new Set(addresses)].toSorted().join(","));
  w.field(0, "Ingress Class", spec.ingressClassName ?? "<none>");
  const fallback = spec.defaultBackend
    ? await backendText(subject, spec.defaultBackend)
    : "<default>";
  w.field(0, "Default backend", fallback);
  writeSecrets(subject);
  await writeRules(subject, fallback);
  writeAnnotations(w, "Annotations", annotations);
  await writeEventsOf(subject);
};

function writeSecrets({ w, spec }: Subject): void {
  const all = list(spec.tls);
  if (all.length > 0) w.line(0, "TLS:");
  for (const { secretName, hosts } of all) {
    const names = strings(hosts).join(",");
    w.line(
      1,
      secretName ? `${secretName} terminates ${names}` : `SNI routes ${names}`,
    );
  }
}

async function writeRules(subject: Subject, fallback: string): Promise<void> {
  const { w, spec } = subject;
  w.line(0, "Rules:");
  w.line(1, "Host\tPath\tBackends");
  w.line(1, "----\t----\t--------");
  const rules = list(spec.rules).filter(({ http }) => http);
  for (const { host, http } of rules) {
    w.line(1, `${str(host) || "*"}\t`);
    for (const { path, backend } of list(at(http, "paths"))) {
      const text = await backendText(subject, backend);
      w.line(2, `\t${str(path)} \t${text}`);
    }
  }
  if (rules.length === 0) w.line(1, `*\t*\t${fallback}`);
}

/** `web:80 (10.0.0.1:8080)`, or what was wrong with the Service. */
async function backendText(subject: Subject, backend: Json): Promise<string> {
  const { service, resource } = obj(backend);
  if (!service) {
    const { apiGroup, kind, name } = obj(resource);
    if (!resource) return "";
    return `APIGroup: ${apiGroup ?? "<none>"}, Kind: ${kind}, Name: ${name}`;
  }
  const { name, port } = obj(service);
  const { number, name: portName } = obj(port);
  const text = `${name}:${number || str(portName)}`;
  try {
    return `${text} (${await endpointsOf(subject, str(name), port)})`;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return `${text} (<error: ${error.message}>)`;
  }
}

async function endpointsOf(
  subject: Subject,
  name: string,
  wanted: Json,
): Promise<string> {
  const { env, object } = subject;
  const { namespace = "" } = object.metadata;
  const slices = await slicesOf(subject, name);
  const service = await env.client.get(Service, namespace, name);
  const { number, name: portName } = obj(wanted);
  const ports = list(obj(jsonOf(service).spec).ports).filter((one) =>
    number ? one.port === number : portName && one.name === portName,
  );
  return endpointsText(slices, str(ports.at(-1)?.name));
}

export const describeIngressClass: Describer = async (subject) => {
  const { w, object, spec } = subject;
  w.field(0, "Name", object.metadata.name);
  writeLabelsOf(subject);
  w.field(0, "Controller", str(spec.controller));
  const { apiGroup, kind, name } = obj(spec.parameters);
  if (spec.parameters) {
    w.line(0, "Parameters:");
    if (apiGroup) w.field(1, "APIGroup", apiGroup);
    w.field(1, "Kind", str(kind));
    w.field(1, "Name", str(name));
  }
  await writeEventsOf(subject);
};
