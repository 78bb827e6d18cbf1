/**
 * What an Ingress may say.
 * Models:     pkg/apis/networking/validation/validation.go @ v1.36
 * Leaves out: what old objects have and may keep.
 */
import {
  type FieldError,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import { parseIp } from "../ip.ts";
import {
  dns1123Label,
  dns1123Subdomain,
  pathSegmentName,
  portName,
  portNumber,
} from "../names.ts";
import type { JsonObject } from "../types.ts";
import { list, num, obj, str, strings } from "./access.ts";
import type { Obj } from "./definition.ts";

export function ingressErrors(ingress: Obj): FieldError[] {
  const spec = obj(ingress.spec);
  const { defaultBackend, ingressClassName } = spec;
  const errors: FieldError[] = [];
  const rules = list(spec.rules);
  if (rules.length === 0 && defaultBackend === undefined) {
    const rule = "either `defaultBackend` or `rules` must be specified";
    errors.push(invalid("spec", spec.rules ?? null, rule));
  }
  if (defaultBackend !== undefined)
    errors.push(...backendErrors(obj(defaultBackend), "spec.defaultBackend"));
  for (const [i, rule] of rules.entries())
    errors.push(...ruleErrors(rule, `spec.rules[${i}]`));
  for (const [i, tls] of list(spec.tls).entries())
    errors.push(...tlsErrors(tls, `spec.tls[${i}]`));
  if (ingressClassName !== undefined)
    errors.push(
      ...named(ingressClassName, "spec.ingressClassName", dns1123Subdomain),
    );
  return errors;
}

const oldClass = "kubernetes.io/ingress.class";

/** The class, said in both ways. */
export function newIngressErrors({ metadata, spec }: Obj): FieldError[] {
  const said = metadata.annotations?.[oldClass];
  const { ingressClassName } = obj(spec);
  if (said === undefined || ingressClassName === undefined) return [];
  const rule = "must match `ingressClassName` when both are specified";
  return said === ingressClassName
    ? []
    : [invalid(`annotations.${oldClass}`, said, rule)];
}

function named(
  value: unknown,
  path: string,
  rule: (name: string) => readonly string[],
): FieldError[] {
  return rule(str(value)).map((text) => invalid(path, str(value), text));
}

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const wildcard = `\\*\\.${label}(\\.${label})*`;

/** "*.example.com" */
function wildcardSubdomain(host: string): string[] {
  const long = host.length > 253 ? ["must be no more than 253 bytes"] : [];
  if (new RegExp(`^(?:${wildcard})$`).test(host)) return long;
  const rule =
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must " +
    "consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
  const how = `(e.g. '*.example.com', regex used for validation is '${wildcard}')`;
  return [...long, `${rule} ${how}`];
}

function hostErrors(host: string, path: string): FieldError[] {
  const rule = host.includes("*") ? wildcardSubdomain : dns1123Subdomain;
  return named(host, path, rule);
}

function tlsErrors(tls: JsonObject, path: string): FieldError[] {
  const { secretName } = tls;
  return [
    ...strings(tls.hosts).flatMap((host, i) =>
      hostErrors(host, `${path}.hosts[${i}]`),
    ),
    ...(secretName
      ? named(secretName, `${path}.secretName`, dns1123Subdomain)
      : []),
  ];
}

function ruleErrors(rule: JsonObject, path: string): FieldError[] {
  const host = str(rule.host);
  const errors: FieldError[] = [];
  if (host && parseIp(host)) {
    const why = "must be a DNS name, not an IP address";
    errors.push(invalid(`${path}.host`, host, why));
  }
  if (host) errors.push(...hostErrors(host, `${path}.host`));
  if (rule.http === undefined) return errors;
  const paths = list(obj(rule.http).paths);
  if (paths.length === 0) errors.push(required(`${path}.http.paths`));
  for (const [i, one] of paths.entries())
    errors.push(...pathErrors(one, `${path}.http.paths[${i}]`));
  return errors;
}

const pathTypes = ["Exact", "ImplementationSpecific", "Prefix"];

function pathErrors(one: JsonObject, path: string): FieldError[] {
  if (!one.pathType) {
    return [required(`${path}.pathType`, "pathType must be specified")];
  }
  const type = str(one.pathType);
  const text = str(one.path);
  const wrong = (is: boolean, why: string) =>
    is ? [invalid(`${path}.path`, text, why)] : [];
  const free = type === "ImplementationSpecific";
  const known = pathTypes.includes(type);
  const relative = known && !text.startsWith("/") && !(free && !text);
  const plain = known && !free;
  return [
    ...wrong(relative, "must be an absolute path"),
    ...["//", "/./", "/../", "%2f", "%2F"].flatMap((part) =>
      wrong(plain && text.includes(part), `must not contain '${part}'`),
    ),
    ...["/..", "/."].flatMap((part) =>
      wrong(plain && text.endsWith(part), `cannot end with '${part}'`),
    ),
    ...(known ? [] : [notSupported(`${path}.pathType`, type, pathTypes)]),
    ...backendErrors(obj(one.backend), `${path}.backend`),
  ];
}

function backendErrors(backend: JsonObject, path: string): FieldError[] {
  const { resource, service } = backend;
  if (resource !== undefined && service !== undefined) {
    const why = "cannot set both resource and service backends";
    return [invalid(path, "", why)];
  }
  if (resource !== undefined)
    return resourceErrors(obj(resource), `${path}.resource`);
  if (service !== undefined) return serviceErrors(obj(service), path);
  return [invalid(path, "", "resource or service backend is required")];
}

function resourceErrors(ref: JsonObject, path: string): FieldError[] {
  const { apiGroup } = ref;
  return [
    ...(apiGroup === undefined
      ? []
      : named(apiGroup, `${path}.apiGroup`, dns1123Subdomain)),
    ...["kind", "name"].flatMap((field) =>
      ref[field]
        ? named(ref[field], `${path}.${field}`, pathSegmentName)
        : [required(`${path}.${field}`)],
    ),
  ];
}

function serviceErrors(service: JsonObject, path: string): FieldError[] {
  const errors = service.name
    ? named(service.name, `${path}.service.name`, dns1123Label)
    : [required(`${path}.service.name`)];
  const { name, number } = obj(service.port);
  const where = `${path}.service.port`;
  if (name && number) {
    const why = "cannot set both port name & port number";
    return [...errors, invalid(path, "", why)];
  }
  if (name) return [...errors, ...named(name, `${where}.name`, portName)];
  if (!number) {
    const why = "port name or number is required";
    return [...errors, required(path, why)];
  }
  const texts = portNumber(num(number));
  const wrong = texts.map((text) => invalid(`${where}.number`, number, text));
  return [...errors, ...wrong];
}
