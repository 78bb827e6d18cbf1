/**
 * iptables mode: a chain for each port, a chain for each endpoint, and a
 * random choice between them (iptables-balance.ts).
 * Models:     pkg/proxy/iptables/proxier.go syncProxyRules @ v1.36
 * Leaves out: partial syncs, masquerade-all.
 * Longer because: it is one sync, rule by rule in upstream's order.
 */
import type { ProxyConfig } from "./config.ts";
import { balanceRules } from "./iptables-balance.ts";
import {
  add,
  externalChain,
  firewallChain,
  named,
  type Table,
} from "./iptables-external.ts";
import { endpointChain, serviceChain } from "./names.ts";
import {
  endpointText,
  type ProxyEndpoint,
  type ServicePort,
} from "./service-ports.ts";
import { type PortPlan, planOf } from "./verdicts.ts";

export interface IptablesRules {
  /** By chain, in order of making. */
  readonly nat: ReadonlyMap<string, readonly string[]>;
  readonly filter: ReadonlyMap<string, readonly string[]>;
}

const MARK = "0x4000";
const LARGE_ENDPOINTS = 1000;

/** So many endpoints that the rules are written more tersely. */
export function isLarge(ports: readonly ServicePort[]): boolean {
  const count = ports.reduce((sum, port) => sum + port.endpoints.length, 0);
  return count > LARGE_ENDPOINTS;
}

/** All rules of a node for these ports. */
export function iptablesRules(
  ports: readonly ServicePort[],
  config: ProxyConfig,
): IptablesRules {
  const { nat, filter } = baseRules();
  // So many comments would be two fifths of all that is written.
  const comments = !isLarge(ports);
  for (const port of ports) {
    const plan = planOf(port, config);
    captureClusterIP(nat, filter, plan, config);
    captureExternal(nat, filter, plan);
    captureNodePort(nat, filter, plan);
    if (plan.usesExternalChain) externalChain(nat, plan, config);
    if (plan.usesFirewall) firewallChain(nat, plan);
    const balance = (kind: "SVC" | "SVL", to: readonly ProxyEndpoint[]) => {
      const chain = serviceChain(kind, port.name, port.protocol);
      const rules = balanceRules(port, to, comments);
      for (const rule of rules) add(nat, chain, rule);
    };
    if (plan.usesClusterChain) balance("SVC", plan.cluster);
    if (plan.usesLocalChain) balance("SVL", plan.local);
    for (const endpoint of plan.reachable) {
      toEndpoint(nat, port, endpoint, comments);
    }
  }
  const last =
    '-m comment --comment "kubernetes service nodeports; NOTE: this must be the last rule in this chain" -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS';
  add(nat, "KUBE-SERVICES", last);
  return { nat, filter };
}

/** The lines that iptables-restore is fed. */
export function iptablesRestore({ filter, nat }: IptablesRules): string[] {
  const lines = (name: string, table: IptablesRules["nat"]) => [
    `*${name}`,
    ...[...table.keys()].map((chain) => `:${chain} - [0:0]`),
    ...[...table].flatMap(([chain, rules]) =>
      rules.map((rule) => `-A ${chain} ${rule}`),
    ),
    "COMMIT",
  ];
  return [...lines("filter", filter), ...lines("nat", nat)];
}

function baseRules(): { nat: Table; filter: Table } {
  const comment = (text: string) => `-m comment --comment "${text}"`;
  const conntrack = "-m conntrack";
  const forward = [
    `${conntrack} --ctstate INVALID -m nfacct --nfacct-name ct_state_invalid_dropped_pkts -j DROP`,
    `${comment("kubernetes forwarding rules")} -m mark --mark ${MARK}/${MARK} -j ACCEPT`,
    `${comment("kubernetes forwarding conntrack rule")} ${conntrack} --ctstate RELATED,ESTABLISHED -j ACCEPT`,
  ];
  const localnet = `${comment("block incoming localnet connections")} -d 127.0.0.0/8 ! -s 127.0.0.0/8 ${conntrack} ! --ctstate RELATED,ESTABLISHED,DNAT -j DROP`;
  const filter: Table = new Map([
    ["KUBE-SERVICES", []],
    ["KUBE-EXTERNAL-SERVICES", []],
    ["KUBE-FORWARD", forward],
    ["KUBE-NODEPORTS", []],
    ["KUBE-PROXY-FIREWALL", []],
    ["KUBE-FIREWALL", [localnet]],
  ]);
  const postrouting = [
    `-m mark ! --mark ${MARK}/${MARK} -j RETURN`,
    `-j MARK --xor-mark ${MARK}`,
    `${comment("kubernetes service traffic requiring SNAT")} -j MASQUERADE`,
  ];
  const nat: Table = new Map([
    ["KUBE-SERVICES", []],
    ["KUBE-NODEPORTS", []],
    ["KUBE-POSTROUTING", postrouting],
    ["KUBE-MARK-MASQ", [`-j MARK --or-mark ${MARK}`]],
  ]);
  return { nat, filter };
}

/** The match on a destination: `-m tcp -p tcp -d … --dport …`. */
function to(port: ServicePort, address: string, number = port.port): string {
  const { protocol } = port;
  const destination = address ? ` -d ${address}` : "";
  return `-m ${protocol} -p ${protocol}${destination} --dport ${number}`;
}

function captureClusterIP(
  nat: Table,
  filter: Table,
  plan: PortPlan,
  { clusterCIDR }: ProxyConfig,
): void {
  const { port, hasInternal, internalRefusal } = plan;
  const match = to(port, port.clusterIP);
  if (!hasInternal) {
    const { action, comment } = internalRefusal;
    const rule = `${named(comment)} ${match} -j ${action.toUpperCase()}`;
    add(filter, "KUBE-SERVICES", rule);
    return;
  }
  const kind = port.internalPolicyLocal ? "SVL" : "SVC";
  const chain = serviceChain(kind, port.name, port.protocol);
  const comment = named(`${port.name} cluster IP`);
  add(nat, "KUBE-SERVICES", `${comment} ${match} -j ${chain}`);
  const outside = `! -s ${clusterCIDR}`;
  add(nat, chain, `${comment} ${match} ${outside} -j KUBE-MARK-MASQ`);
}

/** External addresses and those of a load balancer. */
function captureExternal(nat: Table, filter: Table, plan: PortPlan): void {
  const { port, hasAny, hasExternal, usesFirewall, externalRefusal } = plan;
  const ext = serviceChain("EXT", port.name, port.protocol);
  const fw = serviceChain("FW", port.name, port.protocol);
  const refuse = (address: string) => {
    if (hasExternal) return;
    const { action, comment } = externalRefusal;
    const rule = `${named(comment)} ${to(port, address)} -j ${action.toUpperCase()}`;
    add(filter, "KUBE-EXTERNAL-SERVICES", rule);
  };
  for (const ip of port.externalIPs) {
    const rule = `${named(`${port.name} external IP`)} ${to(port, ip)} -j ${ext}`;
    if (hasAny) add(nat, "KUBE-SERVICES", rule);
    refuse(ip);
  }
  for (const ip of port.loadBalancerIPs) {
    const chain = usesFirewall ? fw : ext;
    const rule = `${named(`${port.name} loadbalancer IP`)} ${to(port, ip)} -j ${chain}`;
    if (hasAny) add(nat, "KUBE-SERVICES", rule);
    if (!usesFirewall) continue;
    const comment = named(`${port.name} traffic not accepted by ${fw}`);
    add(filter, "KUBE-PROXY-FIREWALL", `${comment} ${to(port, ip)} -j DROP`);
  }
  for (const ip of port.loadBalancerIPs) refuse(ip);
}

function captureNodePort(nat: Table, filter: Table, plan: PortPlan): void {
  const { port, hasAny, hasExternal, externalRefusal } = plan;
  const { nodePort, healthCheckNodePort } = port;
  if (nodePort > 0 && hasAny) {
    const ext = serviceChain("EXT", port.name, port.protocol);
    const comment = `-m comment --comment ${port.name}`;
    const localhost = to(port, "127.0.0.0/8", nodePort);
    const count = "-m nfacct --nfacct-name localhost_nps_accepted_pkts";
    add(nat, "KUBE-NODEPORTS", `${comment} ${localhost} ${count} -j ${ext}`);
    add(
      nat,
      "KUBE-NODEPORTS",
      `${comment} ${to(port, "", nodePort)} -j ${ext}`,
    );
  }
  if (nodePort > 0 && !hasExternal) {
    const { action, comment } = externalRefusal;
    const local = "-m addrtype --dst-type LOCAL";
    const rule = `${named(comment)} ${local} ${to(port, "", nodePort)} -j ${action.toUpperCase()}`;
    add(filter, "KUBE-EXTERNAL-SERVICES", rule);
  }
  if (healthCheckNodePort > 0) {
    const comment = named(`${port.name} health check node port`);
    const match = `-m tcp -p tcp --dport ${healthCheckNodePort}`;
    add(filter, "KUBE-NODEPORTS", `${comment} ${match} -j ACCEPT`);
  }
}

function toEndpoint(
  nat: Table,
  port: ServicePort,
  endpoint: ProxyEndpoint,
  comments: boolean,
): void {
  const { name, protocol, affinitySeconds } = port;
  const text = endpointText(endpoint);
  const chain = endpointChain(name, protocol, text);
  const comment = comments ? `-m comment --comment ${name} ` : "";
  const recent = affinitySeconds > 0 ? `-m recent --name ${chain} --set ` : "";
  nat.delete(chain);
  add(nat, chain, `${comment}-s ${endpoint.ip} -j KUBE-MARK-MASQ`);
  const dnat = `-m ${protocol} -p ${protocol} -j DNAT --to-destination ${text}`;
  add(nat, chain, `${comment}${recent}${dnat}`);
}
