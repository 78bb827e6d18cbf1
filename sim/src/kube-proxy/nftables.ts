/**
 * nftables mode: one map from address, protocol and port to a chain, looked
 * up once a packet, instead of a rule for each Service one after another.
 * Models:     pkg/proxy/nftables/proxier.go syncProxyRules @ v1.36
 * Leaves out: IPv6, flushing what is stale, node ports on chosen interfaces.
 */
import type { ProxyConfig } from "./config.ts";
import { nftEndpointName, nftServiceName } from "./names.ts";
import { NFT_BASE } from "./nftables-base.ts";
import type { ProxyEndpoint, ServicePort } from "./service-ports.ts";
import { type PortPlan, planOf, type Refusal } from "./verdicts.ts";

const T = "ip kube-proxy";

/** What stands there without any Service. */
export function nftablesBase(config: ProxyConfig): string[] {
  const rules = NFT_BASE.map((line) =>
    line
      .replace("CLUSTER_CIDR", config.clusterCIDR)
      .replace("SERVICE_CIDR", config.serviceCIDR),
  );
  const nodes = config.nodeIPs.map(
    (ip) => `add element ${T} nodeport-ips { ${ip} }`,
  );
  return [...rules, ...nodes];
}

/** What the Services add. */
export function nftablesRules(
  ports: readonly ServicePort[],
  config: ProxyConfig,
): string[] {
  const rules = ports.flatMap((port) =>
    portRules(planOf(port, config), config),
  );
  // Ports of one Service share its address, and may share their endpoints.
  return [...new Set(rules)];
}

function portRules(plan: PortPlan, config: ProxyConfig): string[] {
  const { port, usesClusterChain, usesLocalChain, usesExternalChain } = plan;
  const name = nftServiceName(port);
  const lines = elements(plan, name);
  const chain = (kind: string) => `${kind}-${name}`;
  const declare = (kind: string) => lines.push(`add chain ${T} ${chain(kind)}`);
  if (usesExternalChain) {
    declare("external");
    lines.push(...externalRules(plan, config, name));
  }
  if (usesFirewall(port)) {
    declare("firewall");
    const own = plan.allowsFromNode ? port.loadBalancerIPs : [];
    const sources = [...port.sourceRanges, ...own].join(" , ");
    lines.push(
      `add rule ${T} ${chain("firewall")} ip saddr != { ${sources} } drop`,
    );
  }
  if (usesClusterChain) {
    declare("service");
    lines.push(...balance(port, chain("service"), plan.cluster));
  }
  if (usesLocalChain) {
    declare("local");
    lines.push(...balance(port, chain("local"), plan.local));
  }
  for (const endpoint of plan.reachable) {
    lines.push(...endpointRules(port, endpoint));
  }
  return lines;
}

/** Other than with iptables it is there even if no endpoint is. */
function usesFirewall({ loadBalancerIPs, sourceRanges }: ServicePort): boolean {
  return loadBalancerIPs.length > 0 && sourceRanges.length > 0;
}

/** Entries of the maps and sets that are looked up first. */
function elements(plan: PortPlan, name: string): string[] {
  const { port, hasAny, hasInternal, hasExternal } = plan;
  const { protocol } = port;
  const lines = [`add element ${T} cluster-ips { ${port.clusterIP} }`];
  const capture = (map: string, key: string, chain: string) =>
    lines.push(`add element ${T} ${map} { ${key} : goto ${chain}-${name} }`);
  const refuse = (map: string, key: string, refusal: Refusal) => {
    const verdict = refusal.action === "reject" ? "goto reject-chain" : "drop";
    const element = `${key} comment "${port.name}" : ${verdict}`;
    lines.push(`add element ${T} ${map} { ${element} }`);
  };
  const at = (ip: string) => `${ip} . ${protocol} . ${port.port}`;
  const policy = port.internalPolicyLocal ? "local" : "service";
  if (hasInternal) capture("service-ips", at(port.clusterIP), policy);
  else refuse("no-endpoint-services", at(port.clusterIP), plan.internalRefusal);
  for (const ip of [...port.externalIPs, ...port.loadBalancerIPs]) {
    if (hasAny) capture("service-ips", at(ip), "external");
    if (hasExternal) continue;
    refuse("no-endpoint-services", at(ip), plan.externalRefusal);
  }
  for (const ip of usesFirewall(port) ? port.loadBalancerIPs : []) {
    capture("firewall-ips", at(ip), "firewall");
  }
  if (port.nodePort > 0) {
    const key = `${protocol} . ${port.nodePort}`;
    if (hasAny) capture("service-nodeports", key, "external");
    if (!hasExternal)
      refuse("no-endpoint-nodeports", key, plan.externalRefusal);
  }
  return lines;
}

function externalRules(
  { port, hasExternal }: PortPlan,
  { clusterCIDR }: ProxyConfig,
  name: string,
): string[] {
  const rule = (text: string) => `add rule ${T} external-${name} ${text}`;
  const mark = "mark set mark or 0x4000";
  const lines: string[] = [];
  if (!port.externalPolicyLocal) {
    lines.push(rule(`${mark} comment "masquerade"`));
  } else {
    const cluster = `goto service-${name}`;
    lines.push(
      rule(
        `ip saddr ${clusterCIDR} ${cluster} comment "short-circuit pod traffic"`,
      ),
      rule(`fib saddr type local ${mark} comment "masquerade local traffic"`),
      rule(
        `fib saddr type local ${cluster} comment "short-circuit local traffic"`,
      ),
    );
  }
  const policy = port.externalPolicyLocal ? "local" : "service";
  if (hasExternal) lines.push(rule(`goto ${policy}-${name}`));
  return lines;
}

/** One rule for all endpoints, unless some clients have to find theirs again. */
function balance(
  port: ServicePort,
  chain: string,
  endpoints: readonly ProxyEndpoint[],
): string[] {
  const rule = (text: string) => `add rule ${T} ${chain} ${text}`;
  const random = `numgen random mod ${endpoints.length}`;
  if (port.affinitySeconds === 0) {
    const map = endpoints.map((each, i) => `${i} : ${each.ip} . ${each.port}`);
    const target = `dnat ip addr . port to ${random} map { ${map.join(" , ")} }`;
    return [rule(`meta l4proto ${port.protocol} ${target}`)];
  }
  const names = endpoints.map((endpoint) => nftEndpointName(port, endpoint));
  const known = names.map((each) =>
    rule(`ip saddr @affinity-${each} goto endpoint-${each}`),
  );
  const map = names.map((each, i) => `${i} : goto endpoint-${each}`);
  return [...known, rule(`${random} vmap { ${map.join(" , ")} }`)];
}

function endpointRules(port: ServicePort, endpoint: ProxyEndpoint): string[] {
  const { ip, port: number } = endpoint;
  const { protocol, affinitySeconds } = port;
  const lines: string[] = [];
  if (endpoint.isLocal) {
    const entry = `${ip} . ${ip} . ${protocol} . ${number}`;
    lines.push(`add element ${T} hairpin-connections { ${entry} }`);
  }
  if (affinitySeconds === 0) return lines;
  const name = nftEndpointName(port, endpoint);
  const set = `type ipv4_addr ; flags dynamic,timeout ; timeout ${affinitySeconds}s ;`;
  return [
    ...lines,
    `add chain ${T} endpoint-${name}`,
    `add set ${T} affinity-${name} { ${set} }`,
    `add rule ${T} endpoint-${name} update @affinity-${name} { ip saddr }`,
    `add rule ${T} endpoint-${name} meta l4proto ${protocol} dnat to ${ip}:${number}`,
  ];
}
