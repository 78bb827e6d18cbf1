/**
 * Chains for what comes from outside: KUBE-EXT, which keeps or replaces the
 * client's address by the traffic policy, and KUBE-FW for source ranges.
 * Models: pkg/proxy/iptables/proxier.go syncProxyRules @ v1.36
 */
import type { ProxyConfig } from "./config.ts";
import type { Jump } from "./install.ts";
import { serviceChain } from "./names.ts";
import type { PortPlan } from "./verdicts.ts";

/** Rules by chain, without `-A CHAIN`. */
export type Table = Map<string, string[]>;

export function add(table: Table, chain: string, rule: string): void {
  const rules = table.get(chain);
  if (rules) rules.push(rule);
  else table.set(chain, [rule]);
}

export function named(text: string): string {
  return `-m comment --comment "${text}"`;
}

const OUTSIDE = "kubernetes externally-visible service portals";
const PORTALS = "kubernetes service portals";
const FIREWALL = "kubernetes load balancer firewall";

/** Jumps from the built-in chains, in upstream's order. */
export const JUMPS: readonly Jump[] = [
  // The kubelet's own.
  jump("filter", "INPUT", "KUBE-FIREWALL", ""),
  jump("filter", "OUTPUT", "KUBE-FIREWALL", ""),
  jump("filter", "INPUT", "KUBE-EXTERNAL-SERVICES", OUTSIDE, true),
  jump("filter", "FORWARD", "KUBE-EXTERNAL-SERVICES", OUTSIDE, true),
  jump(
    ...(["filter", "INPUT", "KUBE-NODEPORTS"] as const),
    "kubernetes health check service ports",
  ),
  jump("filter", "FORWARD", "KUBE-SERVICES", PORTALS, true),
  jump("filter", "OUTPUT", "KUBE-SERVICES", PORTALS, true),
  jump("filter", "FORWARD", "KUBE-FORWARD", "kubernetes forwarding rules"),
  jump("filter", "INPUT", "KUBE-PROXY-FIREWALL", FIREWALL, true),
  jump("filter", "OUTPUT", "KUBE-PROXY-FIREWALL", FIREWALL, true),
  jump("filter", "FORWARD", "KUBE-PROXY-FIREWALL", FIREWALL, true),
  jump("nat", "OUTPUT", "KUBE-SERVICES", PORTALS),
  jump("nat", "PREROUTING", "KUBE-SERVICES", PORTALS),
  jump(
    ...(["nat", "POSTROUTING", "KUBE-POSTROUTING"] as const),
    "kubernetes postrouting rules",
  ),
];

function jump(
  table: Jump["table"],
  from: string,
  to: string,
  comment: string,
  onlyNew = false,
): Jump {
  return { table, from, to, comment, onlyNew };
}

/** With policy Local the client's address is kept, but for some. */
export function externalChain(
  nat: Table,
  { port, hasExternal }: PortPlan,
  { clusterCIDR }: ProxyConfig,
): void {
  const { name, protocol } = port;
  const ext = serviceChain("EXT", name, protocol);
  const svc = serviceChain("SVC", name, protocol);
  const where = `${name} external destinations`;
  const fromNode = "-m addrtype --src-type LOCAL";
  if (!port.externalPolicyLocal) {
    add(
      nat,
      ext,
      `${named(`masquerade traffic for ${where}`)} -j KUBE-MARK-MASQ`,
    );
  } else {
    const pods = named(`pod traffic for ${where}`);
    add(nat, ext, `${pods} -s ${clusterCIDR} -j ${svc}`);
    const mark = named(`masquerade LOCAL traffic for ${where}`);
    add(nat, ext, `${mark} ${fromNode} -j KUBE-MARK-MASQ`);
    const route = named(`route LOCAL traffic for ${where}`);
    add(nat, ext, `${route} ${fromNode} -j ${svc}`);
  }
  const kind = port.externalPolicyLocal ? "SVL" : "SVC";
  if (hasExternal) add(nat, ext, `-j ${serviceChain(kind, name, protocol)}`);
}

/** Only the source ranges go on; the rest meets KUBE-PROXY-FIREWALL. */
export function firewallChain(
  nat: Table,
  { port, allowsFromNode }: PortPlan,
): void {
  const { name, protocol } = port;
  const fw = serviceChain("FW", name, protocol);
  const ext = serviceChain("EXT", name, protocol);
  const own = allowsFromNode ? port.loadBalancerIPs : [];
  for (const source of [...port.sourceRanges, ...own]) {
    const comment = named(`${name} loadbalancer IP`);
    add(nat, fw, `${comment} -s ${source} -j ${ext}`);
  }
  // It does nothing but say, and count, what is dropped.
  const dropped = `other traffic to ${name} will be dropped by KUBE-PROXY-FIREWALL`;
  add(nat, fw, named(dropped));
}
