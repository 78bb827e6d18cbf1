/**
 * What Endpoints may say.
 * Models:     ValidateEndpoints of pkg/apis/core/validation/validation.go @ v1.36
 * Leaves out: addresses that old objects have and may keep.
 */
import { type FieldError, invalid, required } from "../field-error.ts";
import { ipErrors, specialIpErrors } from "../ip.ts";
import {
  dns1123Label,
  dns1123Subdomain,
  labelKey,
  portNumber,
} from "../names.ts";
import type { JsonObject } from "../types.ts";
import { list, num, str } from "./access.ts";
import type { Obj } from "./definition.ts";
import { choiceErrors } from "./shared-validation.ts";

const places = ["addresses", "notReadyAddresses"];
const protocols = ["SCTP", "TCP", "UDP"];

export function endpointsErrors({ subsets }: Obj): FieldError[] {
  return list(subsets).flatMap((subset, i) => {
    const path = `subsets[${i}]`;
    const ports = list(subset.ports);
    const none = places.every((place) => list(subset[place]).length === 0);
    const rule = "must specify `addresses` or `notReadyAddresses`";
    return [
      ...(none ? [required(path, rule)] : []),
      ...places.flatMap((place) =>
        list(subset[place]).flatMap((address, j) =>
          addressErrors(address, `${path}.${place}[${j}]`),
        ),
      ),
      ...ports.flatMap((port, j) =>
        portErrors(port, ports.length > 1, `${path}.ports[${j}]`),
      ),
    ];
  });
}

function addressErrors(address: JsonObject, path: string): FieldError[] {
  const { hostname, nodeName } = address;
  const ip = str(address.ip);
  const named = (value: unknown, field: string, rule: typeof dns1123Label) =>
    rule(str(value)).map((text) => invalid(`${path}.${field}`, value, text));
  return [
    ...ipErrors(ip, `${path}.ip`),
    ...(hostname ? named(hostname, "hostname", dns1123Label) : []),
    ...(nodeName === undefined
      ? []
      : named(nodeName, "nodeName", dns1123Subdomain)),
    ...specialIpErrors(ip, `${path}.ip`),
  ];
}

/** One of several must be told apart by its name. */
function portErrors(
  one: JsonObject,
  several: boolean,
  path: string,
): FieldError[] {
  const { appProtocol, protocol } = one;
  const [name, port] = [str(one.name), num(one.port)];
  const wrong = (field: string, value: unknown, texts: readonly string[]) =>
    texts.map((text) => invalid(`${path}.${field}`, value, text));
  return [
    ...(several && !name ? [required(`${path}.name`)] : []),
    ...(name ? wrong("name", name, dns1123Label(name)) : []),
    ...wrong("port", port, portNumber(port)),
    ...choiceErrors(protocol, `${path}.protocol`, protocols),
    ...(appProtocol === undefined
      ? []
      : wrong("appProtocol", appProtocol, labelKey(str(appProtocol)))),
  ];
}
