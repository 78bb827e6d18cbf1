/**
 * A result in the form that the asked version of the specification has.
 * Models: containernetworking/cni pkg/types/{020,040,100}
 */
import type { CniResult } from "./types.ts";
import { atLeast } from "./version.ts";

/** What a plugin prints on standard output for `cniVersion`. */
export function printResult(result: CniResult, cniVersion: string): object {
  if (atLeast(cniVersion, "1.0.0")) return current(result, cniVersion);
  if (atLeast(cniVersion, "0.3.0")) return with4(result, cniVersion);
  return perFamily(result, cniVersion);
}

function current(result: CniResult, cniVersion: string): object {
  const { interfaces, ips, routes, dns } = result;
  return filled({ interfaces, ips, routes, dns }, { cniVersion });
}

/** 0.3 and 0.4: each address says its family; dns is always there. */
function with4(result: CniResult, cniVersion: string): object {
  const ips = result.ips?.map(({ interface: index, address, gateway }) => ({
    version: familyOf(address),
    ...(index === undefined ? {} : { interface: index }),
    address,
    ...(gateway ? { gateway } : {}),
  }));
  const { interfaces, routes, dns = {} } = result;
  return { ...filled({ interfaces, ips, routes }, { cniVersion }), dns };
}

/** 0.1 and 0.2: one address a family, with its routes. */
function perFamily(result: CniResult, cniVersion: string): object {
  const one = (family: string) => {
    const ip = result.ips?.find((each) => familyOf(each.address) === family);
    if (!ip) return undefined;
    const routes = result.routes?.filter((r) => familyOf(r.dst) === family);
    return filled({ gateway: ip.gateway, routes }, { ip: ip.address });
  };
  const dns = result.dns ?? {};
  const both = filled({ ip4: one("4"), ip6: one("6") }, { cniVersion });
  return { ...both, dns };
}

function familyOf(address: string): "4" | "6" {
  return address.includes(":") ? "6" : "4";
}

/** Adds to `kept` what is neither absent nor an empty list or object. */
function filled(
  fields: Readonly<Record<string, unknown>>,
  kept: Record<string, unknown>,
): Record<string, unknown> {
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined && !isEmpty(value)) kept[name] = value;
  }
  return kept;
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value !== "object" || value === null) return false;
  for (const _ in value) return false;
  return true;
}

/** Reads a result of any version; undefined if there is none. */
export function parseResult(json: unknown): CniResult | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  if (!("ip4" in json) && !("ip6" in json)) return json as CniResult;
  const old = json as { ip4?: OldIp; ip6?: OldIp; dns?: object };
  const both = [old.ip4, old.ip6].filter((ip) => ip !== undefined);
  return {
    ips: both.map(({ ip, gateway }) => ({ address: ip, gateway })),
    routes: both.flatMap((ip) => ip.routes ?? []),
    dns: old.dns,
  };
}

interface OldIp {
  ip: string;
  gateway?: string;
  routes?: { dst: string; gw?: string }[];
}
