/**
 * What an EndpointSlice may say.
 * Models:     pkg/apis/discovery/validation/validation.go @ v1.36
 * Leaves out: what old objects have and may keep.
 */
import {
  duplicate,
  type FieldError,
  invalid,
  required,
  tooMany,
} from "../field-error.ts";
import { ipErrors, isIpv6, parseIp, specialIpErrors } from "../ip.ts";
import {
  dns1123Label,
  dns1123Subdomain,
  labelKey,
  labelValue,
} from "../names.ts";
import type { JsonObject, Labels } from "../types.ts";
import { list, obj, str, strings } from "./access.ts";
import type { Obj } from "./definition.ts";
import { validateLabels } from "./metadata.ts";
import { choiceErrors } from "./shared-validation.ts";

const types = ["FQDN", "IPv4", "IPv6"];
const protocols = ["SCTP", "TCP", "UDP"];

/** Most of what a slice, an endpoint, or its hints may list. */
const most = {
  ...{ endpoints: 1000, addresses: 100, ports: 20_000, topology: 16 },
  hints: 8,
};

export function sliceErrors(slice: Obj): FieldError[] {
  const type = str(slice.addressType);
  return [
    ...choiceErrors(type, "addressType", types),
    ...all(slice.endpoints, "endpoints", most.endpoints, (endpoint, path) =>
      endpointErrors(endpoint, type, path),
    ),
    ...portsErrors(slice.ports),
  ];
}

/** Of every item; of too many, only that they are. */
function all(
  value: unknown,
  path: string,
  max: number,
  check: (item: JsonObject, path: string) => readonly FieldError[],
): readonly FieldError[] {
  const items = list(value);
  return items.length > max
    ? [tooMany(path, items.length, max)]
    : items.flatMap((item, i) => check(item, `${path}[${i}]`));
}

function endpointErrors(
  endpoint: JsonObject,
  type: string,
  path: string,
): FieldError[] {
  const { deprecatedTopology, hostname, nodeName, hints } = endpoint;
  const where = `${path}.addresses`;
  const addresses = strings(endpoint.addresses);
  const errors: FieldError[] = [];
  if (addresses.length === 0)
    errors.push(required(where, "must contain at least 1 address"));
  else if (addresses.length > most.addresses)
    errors.push(tooMany(where, addresses.length, most.addresses));
  for (const [i, address] of addresses.entries())
    errors.push(...addressErrors(address, type, `${where}[${i}]`));
  const named = (value: unknown, field: string, rule: typeof dns1123Label) => {
    if (value === undefined) return;
    for (const text of rule(str(value)))
      errors.push(invalid(`${path}.${field}`, value, text));
  };
  named(nodeName, "nodeName", dns1123Subdomain);
  const topology = `${path}.deprecatedTopology`;
  const labels = obj(deprecatedTopology) as Labels;
  const count = Object.keys(labels).length;
  if (count > most.topology)
    errors.push(tooMany(topology, count, most.topology));
  errors.push(...validateLabels(labels, topology));
  named(hostname, "hostname", dns1123Label);
  return [...errors, ...hintErrors(obj(hints), `${path}.hints`)];
}

function addressErrors(
  address: string,
  type: string,
  path: string,
): FieldError[] {
  if (type === "FQDN") return domainErrors(address, path);
  if (type !== "IPv4" && type !== "IPv6") return [];
  const fits = parseIp(address) && isIpv6(address) === (type === "IPv6");
  return [
    ...(fits
      ? ipErrors(address, path)
      : [invalid(path, address, `must be a valid ${type} address`)]),
    ...specialIpErrors(address, path),
  ];
}

/** Models: IsFullyQualifiedDomainName of apimachinery/pkg/util/validation */
function domainErrors(address: string, path: string): FieldError[] {
  if (!address) return [required(path)];
  const name = address.replace(/\.$/, "");
  const wrong = (value: string, texts: readonly string[]) =>
    texts.length > 0 ? [invalid(path, value, texts.join(","))] : [];
  const errors = wrong(name, dns1123Subdomain(name));
  if (errors.length > 0) return errors;
  const labels = name.split(".");
  if (labels.length < 2) {
    const rule =
      "should be a domain with at least two segments separated by dots";
    return [invalid(path, name, rule)];
  }
  return labels
    .flatMap((label) => wrong(label, dns1123Label(label)))
    .slice(0, 1);
}

function hintErrors(hints: JsonObject, path: string): FieldError[] {
  return ["forZones", "forNodes"].flatMap((field) => {
    const seen = new Set<string>();
    const rule = field === "forZones" ? labelValue : dns1123Subdomain;
    return all(hints[field], `${path}.${field}`, most.hints, (hint, here) => {
      const name = str(hint.name);
      const again = seen.has(name) ? [duplicate(`${here}.name`, name)] : [];
      seen.add(name);
      return [
        ...again,
        ...rule(name).map((text) => invalid(`${here}.name`, name, text)),
      ];
    });
  });
}

function portsErrors(ports: unknown): readonly FieldError[] {
  const names = new Set<string>();
  return all(ports, "ports", most.ports, (port, path) => {
    const { appProtocol } = port;
    const name = str(port.name);
    const errors = (name ? dns1123Label(name) : []).map((text) =>
      invalid(`${path}.name`, name, text),
    );
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
    errors.push(...choiceErrors(port.protocol, `${path}.protocol`, protocols));
    if (appProtocol === undefined) return errors;
    return [
      ...errors,
      ...labelKey(str(appProtocol)).map((text) =>
        invalid(`${path}.appProtocol`, appProtocol, text),
      ),
    ];
  });
}
