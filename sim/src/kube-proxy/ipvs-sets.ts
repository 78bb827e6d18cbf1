/**
 * The ip sets of the ipvs mode, and the rule that each has once it is filled.
 * Models: pkg/proxy/ipvs/{ipset,proxier}.go @ v1.36
 */

/** Entries by the set's name; a set that is empty is absent. */
export type IpSets = Readonly<Record<string, readonly string[]>>;

export type SetRule = readonly [
  set: string,
  table: "nat" | "filter",
  chain: string,
  target: string,
  match: string,
  protocol: string,
  comment: string,
];

export const LOCAL = "with externalTrafficPolicy=local";
const HASH = "with type 'hash ip:port'";

/** All sets, with their types. */
export const SET_TYPES: readonly (readonly [name: string, type: string])[] = [
  ["KUBE-LOOP-BACK", "hash:ip,port,ip"],
  ["KUBE-CLUSTER-IP", "hash:ip,port"],
  ["KUBE-EXTERNAL-IP", "hash:ip,port"],
  ["KUBE-EXTERNAL-IP-LOCAL", "hash:ip,port"],
  ["KUBE-LOAD-BALANCER", "hash:ip,port"],
  ["KUBE-LOAD-BALANCER-FW", "hash:ip,port"],
  ["KUBE-LOAD-BALANCER-LOCAL", "hash:ip,port"],
  ["KUBE-LOAD-BALANCER-SOURCE-IP", "hash:ip,port,ip"],
  ["KUBE-LOAD-BALANCER-SOURCE-CIDR", "hash:ip,port,net"],
  ["KUBE-NODE-PORT-TCP", "bitmap:port"],
  ["KUBE-NODE-PORT-LOCAL-TCP", "bitmap:port"],
  ["KUBE-NODE-PORT-UDP", "bitmap:port"],
  ["KUBE-NODE-PORT-LOCAL-UDP", "bitmap:port"],
  ["KUBE-NODE-PORT-SCTP-HASH", "hash:ip,port"],
  ["KUBE-NODE-PORT-LOCAL-SCTP-HASH", "hash:ip,port"],
  ["KUBE-HEALTH-CHECK-NODE-PORT", "bitmap:port"],
  ["KUBE-IPVS-IPS", "hash:ip"],
];

/** A rule for each set that has entries, in this order. */
export const SET_RULES: readonly SetRule[] = [
  [
    "KUBE-LOOP-BACK",
    "nat",
    "KUBE-POSTROUTING",
    "MASQUERADE",
    "dst,dst,src",
    "",
    "Kubernetes endpoints dst ip:port, source ip for solving hairpin purpose",
  ],
  [
    "KUBE-LOAD-BALANCER",
    "nat",
    "KUBE-SERVICES",
    "KUBE-LOAD-BALANCER",
    "dst,dst",
    "",
    "Kubernetes service lb portal",
  ],
  [
    "KUBE-LOAD-BALANCER-LOCAL",
    "nat",
    "KUBE-LOAD-BALANCER",
    "RETURN",
    "dst,dst",
    "",
    `Kubernetes service load balancer ip + port ${LOCAL}`,
  ],
  [
    "KUBE-NODE-PORT-LOCAL-TCP",
    "nat",
    "KUBE-NODE-PORT",
    "RETURN",
    "dst",
    "tcp",
    `Kubernetes nodeport TCP port ${LOCAL}`,
  ],
  [
    "KUBE-NODE-PORT-TCP",
    "nat",
    "KUBE-NODE-PORT",
    "KUBE-MARK-MASQ",
    "dst",
    "tcp",
    "Kubernetes nodeport TCP port for masquerade purpose",
  ],
  [
    "KUBE-NODE-PORT-LOCAL-UDP",
    "nat",
    "KUBE-NODE-PORT",
    "RETURN",
    "dst",
    "udp",
    `Kubernetes nodeport UDP port ${LOCAL}`,
  ],
  [
    "KUBE-NODE-PORT-UDP",
    "nat",
    "KUBE-NODE-PORT",
    "KUBE-MARK-MASQ",
    "dst",
    "udp",
    "Kubernetes nodeport UDP port for masquerade purpose",
  ],
  [
    "KUBE-NODE-PORT-LOCAL-SCTP-HASH",
    "nat",
    "KUBE-NODE-PORT",
    "RETURN",
    "dst,dst",
    "sctp",
    `Kubernetes nodeport SCTP port ${LOCAL} ${HASH}`,
  ],
  [
    "KUBE-NODE-PORT-SCTP-HASH",
    "nat",
    "KUBE-NODE-PORT",
    "KUBE-MARK-MASQ",
    "dst,dst",
    "sctp",
    `Kubernetes nodeport SCTP port for masquerade purpose ${HASH}`,
  ],
  [
    "KUBE-LOAD-BALANCER-FW",
    "filter",
    "KUBE-PROXY-FIREWALL",
    "KUBE-SOURCE-RANGES-FIREWALL",
    "dst,dst",
    "",
    "Kubernetes service load balancer ip + port for load balancer with sourceRange",
  ],
  [
    "KUBE-LOAD-BALANCER-SOURCE-CIDR",
    "filter",
    "KUBE-SOURCE-RANGES-FIREWALL",
    "RETURN",
    "dst,dst,src",
    "",
    "Kubernetes service load balancer ip + port + source cidr for packet filter purpose",
  ],
  [
    "KUBE-LOAD-BALANCER-SOURCE-IP",
    "filter",
    "KUBE-SOURCE-RANGES-FIREWALL",
    "RETURN",
    "dst,dst,src",
    "",
    "Kubernetes service load balancer ip + port + source IP for packet filter purpose",
  ],
];
