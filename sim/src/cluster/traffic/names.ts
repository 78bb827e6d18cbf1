/**
 * Names in the cluster: what CoreDNS answers out of Services and
 * EndpointSlices, and which names a Pod's resolver tries in turn.
 * Models:     coredns plugin/kubernetes, the kubelet's resolv.conf (ndots:5)
 * Leaves out: SRV, PTR, IPv6; names of Pods by address.
 */
import { EndpointSlice } from "../../api/kinds/endpointslice.ts";
import { Service } from "../../api/kinds/service.ts";
import type { ApiServer } from "../../apiserver/server.ts";
import { OUTSIDE } from "../../network/machines.ts";

const DOMAIN = "cluster.local";
const NDOTS = 5;

/** Names to ask for, in order: `web` in Namespace shop is tried as … */
export function candidates(name: string, namespace: string): string[] {
  if (name.endsWith(".")) return [name.slice(0, -1)];
  const search = [`${namespace}.svc.${DOMAIN}`, `svc.${DOMAIN}`, DOMAIN];
  const full = search.map((domain) => `${name}.${domain}`);
  const dots = name.split(".").length - 1;
  return dots < NDOTS ? [...full, name] : [name, ...full];
}

/** Addresses of a full name; undefined: there is no such name (NXDOMAIN). */
export function answer(server: ApiServer, name: string): string[] | undefined {
  if (!name.endsWith(`.${DOMAIN}`)) return outer(name);
  const words = name.slice(0, -DOMAIN.length - 1).split(".");
  const [kind, namespace = "", service = "", hostname] = words.reverse();
  if (kind !== "svc" || words.length > 4) return undefined;
  const { cache } = server.storageOf(Service.resource);
  const found = cache.get(`${namespace}/${service}`) as Service | undefined;
  if (!found) return undefined;
  const { spec } = found;
  if (spec.type === "ExternalName") return outer(spec.externalName ?? "");
  const { clusterIP } = spec;
  if (clusterIP !== "None") return clusterIP && !hostname ? [clusterIP] : [];
  return headless(server, namespace, service, hostname);
}

/** Without an address of its own: those of its ready endpoints. */
function headless(
  server: ApiServer,
  namespace: string,
  service: string,
  hostname: string | undefined,
): string[] | undefined {
  const all: string[] = [];
  const { cache } = server.storageOf(EndpointSlice.resource);
  for (const object of cache.list(namespace)) {
    const { metadata, endpoints = [] } = object as EndpointSlice;
    if (metadata.labels?.["kubernetes.io/service-name"] !== service) continue;
    for (const endpoint of endpoints) {
      if (endpoint.conditions?.ready === false) continue;
      if (hostname && endpoint.hostname !== hostname) continue;
      all.push(...endpoint.addresses);
    }
  }
  return all.length > 0 || !hostname ? all : undefined;
}

/** One host stands for the world outside; it has any name with a dot. */
export function outer(name: string): string[] | undefined {
  return name.includes(".") && !name.endsWith(".local") ? [OUTSIDE] : undefined;
}
