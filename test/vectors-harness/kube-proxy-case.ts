/** What the replayers of the three proxies have in common. */
import type { EndpointSlice } from "../../sim/src/api/kinds/endpointslice.ts";
import type { Service } from "../../sim/src/api/kinds/service.ts";
import { type ServicePort, servicePorts } from "../../sim/src/kube-proxy/service-ports.ts";

export interface ProxyCase {
  case: string;
  service: Service;
  endpointSlice?: EndpointSlice | null;
  endpointSlices?: EndpointSlice[];
}

const SERVICE_NAME = "kubernetes.io/service-name";

/** The node that the rules of ipvs and nftables were recorded on. */
export const CONFIG = {
  nodeName: "test-node",
  nodeIPs: ["192.168.0.2"],
  zone: "",
  clusterCIDR: "10.244.0.0/16",
  serviceCIDR: "10.96.0.0/12",
};

export function portsOf(c: ProxyCase, nodeName: string): ServicePort[] {
  const slices = c.endpointSlices ?? (c.endpointSlice ? [c.endpointSlice] : []);
  // Upstream's cache knows a slice by its label, not by who made it.
  const { name, namespace } = c.service.metadata;
  const own = slices.filter(
    ({ metadata }) => metadata.namespace === namespace && metadata.labels?.[SERVICE_NAME] === name,
  );
  return servicePorts(c.service, own, nodeName);
}

/** Rules by table and chain, in order; declarations of chains as a set. */
export function byChain(lines: readonly string[]): Record<string, unknown> {
  const chains: Record<string, string[]> = {};
  const declared = new Set<string>();
  let table = "";
  for (const line of lines) {
    const rule = /^-A (\S+) (.*)$/.exec(line);
    if (line.startsWith("*")) table = line;
    else if (line.startsWith(":")) declared.add(`${table} ${line}`);
    else if (rule && !line.includes("-m nfacct")) {
      (chains[`${table} ${rule[1]}`] ??= []).push(rule[2]!);
    }
  }
  return { ...chains, declared: [...declared].toSorted() };
}
