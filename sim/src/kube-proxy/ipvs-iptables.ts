/**
 * The iptables rules of the ipvs mode: they mark what needs masquerading and
 * refuse what no virtual server serves; the sets say which addresses.
 * Models: pkg/proxy/ipvs/proxier.go writeIptablesRules @ v1.36
 */

import type { ProxyConfig } from "./config.ts";
import { type IpSets, LOCAL, SET_RULES } from "./ipvs-sets.ts";

const NAT_CHAINS = [
  "KUBE-SERVICES",
  "KUBE-POSTROUTING",
  "KUBE-NODE-PORT",
  "KUBE-LOAD-BALANCER",
  "KUBE-MARK-MASQ",
];
const FILTER_CHAINS = [
  "KUBE-FORWARD",
  "KUBE-NODE-PORT",
  "KUBE-PROXY-FIREWALL",
  "KUBE-SOURCE-RANGES-FIREWALL",
  "KUBE-IPVS-FILTER",
  "KUBE-IPVS-OUT-FILTER",
];
const MARK = "0x4000";

/** The lines that iptables-restore is fed. */
export function ipvsRestore(
  sets: IpSets,
  config: ProxyConfig,
  blocked: readonly string[],
): string[] {
  const declare = (chains: readonly string[]) =>
    chains.map((chain) => `:${chain} - [0:0]`);
  return [
    "*nat",
    ...declare(NAT_CHAINS),
    ...natRules(sets, config),
    "COMMIT",
    "*filter",
    ...declare(FILTER_CHAINS),
    ...blocked,
    ...filterRules(sets),
    "COMMIT",
  ];
}

function setRules(sets: IpSets, table: "nat" | "filter"): string[] {
  return SET_RULES.filter(([set, where]) => where === table && sets[set]).map(
    ([set, , chain, target, match, protocol, comment]) => {
      const proto = protocol ? `-p ${protocol} ` : "";
      return `-A ${chain} ${proto}-m comment --comment "${comment}" -m set --match-set ${set} ${match} -j ${target}`;
    },
  );
}

function natRules(sets: IpSets, { clusterCIDR }: ProxyConfig): string[] {
  const services = "-A KUBE-SERVICES";
  const lines = [
    `${services} -s 127.0.0.0/8 -j RETURN`,
    ...setRules(sets, "nat"),
  ];
  const accept = ["KUBE-CLUSTER-IP", "KUBE-LOAD-BALANCER"].filter(
    (set) => sets[set],
  );
  if (sets["KUBE-CLUSTER-IP"]) {
    lines.push(
      `${services} -m comment --comment "Kubernetes service cluster ip + port for masquerade purpose" -m set --match-set KUBE-CLUSTER-IP dst,dst ! -s ${clusterCIDR} -j KUBE-MARK-MASQ`,
    );
  }
  lines.push(...externalIPRules(sets));
  lines.push(
    `${services} -m addrtype --dst-type LOCAL -j KUBE-NODE-PORT`,
    "-A KUBE-LOAD-BALANCER -j KUBE-MARK-MASQ",
    ...accept.map(
      (set) => `${services} -m set --match-set ${set} dst,dst -j ACCEPT`,
    ),
    `-A KUBE-POSTROUTING -m mark ! --mark ${MARK}/${MARK} -j RETURN`,
    `-A KUBE-POSTROUTING -j MARK --xor-mark ${MARK}`,
    '-A KUBE-POSTROUTING -m comment --comment "kubernetes service traffic requiring SNAT" -j MASQUERADE',
    `-A KUBE-MARK-MASQ -j MARK --or-mark ${MARK}`,
  );
  return lines;
}

/** From off the machine, or to an address of the machine: let it through. */
function externalIPRules(sets: IpSets): string[] {
  const lines: string[] = [];
  const open = (set: string, comment: string, masquerade: boolean) => {
    if (!sets[set]) return;
    const match = `-A KUBE-SERVICES -m comment --comment "${comment}" -m set --match-set ${set} dst,dst`;
    if (masquerade) lines.push(`${match} -j KUBE-MARK-MASQ`);
    lines.push(
      `${match} -m physdev ! --physdev-is-in -m addrtype ! --src-type LOCAL -j ACCEPT`,
      `${match} -m addrtype --dst-type LOCAL -j ACCEPT`,
    );
  };
  const text = "Kubernetes service external ip + port";
  open("KUBE-EXTERNAL-IP", `${text} for masquerade and filter purpose`, true);
  open("KUBE-EXTERNAL-IP-LOCAL", `${text} ${LOCAL}`, false);
  return lines;
}

function filterRules(sets: IpSets): string[] {
  const served = [
    "KUBE-LOAD-BALANCER",
    "KUBE-CLUSTER-IP",
    "KUBE-EXTERNAL-IP",
    "KUBE-EXTERNAL-IP-LOCAL",
  ];
  return [
    ...setRules(sets, "filter"),
    "-A KUBE-SOURCE-RANGES-FIREWALL -j DROP",
    `-A KUBE-FORWARD -m comment --comment "kubernetes forwarding rules" -m mark --mark ${MARK}/${MARK} -j ACCEPT`,
    '-A KUBE-FORWARD -m comment --comment "kubernetes forwarding conntrack rule" -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT',
    '-A KUBE-NODE-PORT -m comment --comment "Kubernetes health check node port" -m set --match-set KUBE-HEALTH-CHECK-NODE-PORT dst -j ACCEPT',
    ...served.map(
      (set) =>
        `-A KUBE-IPVS-FILTER -m set --match-set ${set} dst,dst -j RETURN`,
    ),
    "-A KUBE-IPVS-FILTER -m set --match-set KUBE-HEALTH-CHECK-NODE-PORT dst -j RETURN",
    "-A KUBE-IPVS-FILTER -m conntrack --ctstate NEW -m set --match-set KUBE-IPVS-IPS dst -j REJECT",
  ];
}
