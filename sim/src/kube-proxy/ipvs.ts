/**
 * ipvs mode: a virtual server in the kernel for every address of a Service,
 * its addresses on a dummy interface, and a few iptables rules over ip sets.
 * Models: pkg/proxy/ipvs/proxier.go syncProxyRules @ v1.36
 * Try:    leave the addresses off kube-ipvs0, and ask a Service.
 */
import type { ProxyConfig } from "./config.ts";
import { ipvsRestore } from "./ipvs-iptables.ts";
import type { IpSets } from "./ipvs-sets.ts";
import { endpointText, type ServicePort } from "./service-ports.ts";
import { type PortPlan, planOf } from "./verdicts.ts";

export interface VirtualServer {
  readonly address: string;
  readonly port: number;
  /** TCP, UDP, SCTP. */
  readonly protocol: string;
  readonly scheduler: string;
  /** 0x1: persistent, for session affinity. */
  readonly flags: string;
  /** Seconds of the affinity. */
  readonly timeout: number;
  readonly realServers: readonly string[];
}

export interface IpvsRules {
  readonly virtualServers: readonly VirtualServer[];
  readonly ipsets: IpSets;
  /** On the device kube-ipvs0. */
  readonly addresses: readonly string[];
  readonly iptables: readonly string[];
}

export function ipvsRules(
  ports: readonly ServicePort[],
  config: ProxyConfig,
): IpvsRules {
  const servers: VirtualServer[] = [];
  const sets: Map<string, Set<string>> = new Map();
  const blocked: string[] = [];
  for (const port of ports) {
    const plan = planOf(port, config);
    servers.push(...serversOf(plan, config));
    fillSets(plan, config, (set, entry) => {
      const entries = sets.get(set);
      if (entries) entries.add(entry);
      else sets.set(set, new Set([entry]));
    });
    if (port.sourceRanges.length > 0 && !plan.allowsFromNode) {
      for (const ip of port.loadBalancerIPs) blocked.push(blockRule(port, ip));
    }
  }
  const ipsets: IpSets = Object.fromEntries(
    [...sets].map(([name, entries]) => [name, [...entries].sort()]),
  );
  const addresses = ipsets["KUBE-IPVS-IPS"] ?? [];
  const iptables = ipvsRestore(ipsets, config, blocked);
  const virtualServers = [...new Map(servers.map(keyed)).values()];
  return { virtualServers, ipsets, addresses, iptables };
}

/** An address may be an external one and the load balancer's at once. */
function keyed(server: VirtualServer): [key: string, server: VirtualServer] {
  const { protocol, address, port } = server;
  return [`${protocol} ${address}:${port}`, server];
}

function serversOf(plan: PortPlan, config: ProxyConfig): VirtualServer[] {
  const { port } = plan;
  const server = (address: string, number: number, local: boolean) => {
    // Without an endpoint here the others serve Pods of this node.
    const here = local && plan.local.length > 0;
    const endpoints = here ? plan.local : plan.cluster;
    const affinity = port.affinitySeconds;
    return {
      address,
      port: number,
      protocol: port.protocol.toUpperCase(),
      scheduler: config.ipvsScheduler || "rr",
      flags: affinity > 0 ? "0x1" : "0x0",
      timeout: affinity,
      realServers: endpoints.map((each) => `${endpointText(each)} weight 1`),
    };
  };
  const { externalPolicyLocal, internalPolicyLocal, nodePort } = port;
  const external = [...port.externalIPs, ...port.loadBalancerIPs];
  const nodes = nodePort > 0 ? config.nodeIPs : [];
  return [
    server(port.clusterIP, port.port, internalPolicyLocal),
    ...external.map((ip) => server(ip, port.port, externalPolicyLocal)),
    ...nodes.map((ip) => server(ip, nodePort, externalPolicyLocal)),
  ];
}

/** Entries as ipset shows them: `10.96.10.1,tcp:80`. */
function fillSets(
  plan: PortPlan,
  { nodeIPs }: ProxyConfig,
  add: (set: string, entry: string) => void,
): void {
  const { port } = plan;
  const { protocol, externalPolicyLocal: local } = port;
  const at = (ip: string, number = port.port) => `${ip},${protocol}:${number}`;
  for (const { ip, port: number, isLocal } of port.endpoints) {
    if (isLocal) add("KUBE-LOOP-BACK", `${at(ip, number)},${ip}`);
  }
  // What is on another interface of the node already is not bound once more.
  const bind = (ip: string) => {
    if (!nodeIPs.includes(ip)) add("KUBE-IPVS-IPS", ip);
  };
  add("KUBE-CLUSTER-IP", at(port.clusterIP));
  add("KUBE-IPVS-IPS", port.clusterIP);
  for (const ip of port.externalIPs) {
    add(local ? "KUBE-EXTERNAL-IP-LOCAL" : "KUBE-EXTERNAL-IP", at(ip));
    bind(ip);
  }
  for (const ip of port.loadBalancerIPs) {
    add("KUBE-LOAD-BALANCER", at(ip));
    bind(ip);
    if (local) add("KUBE-LOAD-BALANCER-LOCAL", at(ip));
    if (port.sourceRanges.length === 0) continue;
    add("KUBE-LOAD-BALANCER-FW", at(ip));
    for (const range of port.sourceRanges) {
      add("KUBE-LOAD-BALANCER-SOURCE-CIDR", `${at(ip)},${range}`);
    }
    if (plan.allowsFromNode) {
      add("KUBE-LOAD-BALANCER-SOURCE-IP", `${at(ip)},${ip}`);
    }
  }
  if (port.nodePort > 0) nodePortSets(port, nodeIPs, add);
  if (port.healthCheckNodePort > 0) {
    add("KUBE-HEALTH-CHECK-NODE-PORT", String(port.healthCheckNodePort));
  }
}

/** A bitmap of ports, but for SCTP, which has no such set. */
function nodePortSets(
  { protocol, nodePort, externalPolicyLocal }: ServicePort,
  nodeIPs: readonly string[],
  add: (set: string, entry: string) => void,
): void {
  const sctp = protocol === "sctp";
  const suffix = sctp ? "SCTP-HASH" : protocol.toUpperCase();
  const entries = sctp
    ? nodeIPs.map((ip) => `${ip},sctp:${nodePort}`)
    : [String(nodePort)];
  for (const entry of entries) {
    add(`KUBE-NODE-PORT-${suffix}`, entry);
    if (externalPolicyLocal) add(`KUBE-NODE-PORT-LOCAL-${suffix}`, entry);
  }
}

/** Nodes outside the ranges must not reach the load balancer's address. */
function blockRule({ protocol, port }: ServicePort, ip: string): string {
  return `-A KUBE-IPVS-OUT-FILTER -s ${ip} -m ipvs --vaddr ${ip} --vproto ${protocol} --vport ${port} -j DROP`;
}
