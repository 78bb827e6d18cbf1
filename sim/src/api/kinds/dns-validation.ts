/**
 * What a Pod may say of how it looks up names.
 * Models: validatePodDNSConfig of pkg/apis/core/validation/validation.go @ v1.36
 */
import { type FieldError, invalid, required } from "../field-error.ts";
import { ipErrors } from "../ip.ts";
import type { JsonObject } from "../types.ts";
import { list, obj, strings } from "./access.ts";

const serversMax = 3;
const searchesMax = 32;
const searchBytesMax = 2048;

export function dnsErrors(spec: JsonObject, path: string): FieldError[] {
  const { dnsConfig, dnsPolicy } = spec;
  const servers = strings(obj(dnsConfig).nameservers);
  const where = `${path}.nameservers`;
  if (dnsPolicy === "None" && dnsConfig === undefined) {
    const rule = "must provide `dnsConfig` when `dnsPolicy` is None";
    return [required(path, rule)];
  }
  if (dnsPolicy === "None" && servers.length === 0) {
    const rule =
      "must provide at least one DNS nameserver when `dnsPolicy` is None";
    return [required(where, rule)];
  }
  const errors: FieldError[] = [];
  const most = (
    values: readonly string[],
    at: string,
    max: number,
    of: string,
  ) => {
    const rule = `must not have more than ${max} ${of}`;
    if (values.length > max) errors.push(invalid(at, values, rule));
  };
  most(servers, where, serversMax, "nameservers");
  for (const [i, server] of servers.entries())
    errors.push(...ipErrors(server, `${where}[${i}]`));
  const searches = strings(obj(dnsConfig).searches);
  most(searches, `${path}.searches`, searchesMax, "search paths");
  if (searches.join(" ").length > searchBytesMax) {
    const rule = `must not have more than ${searchBytesMax} characters (including spaces) in the search list`;
    errors.push(invalid(`${path}.searches`, searches, rule));
  }
  for (const [i, { name }] of list(obj(dnsConfig).options).entries()) {
    if (!name)
      errors.push(required(`${path}.options[${i}]`, "must not be empty"));
  }
  return errors;
}
