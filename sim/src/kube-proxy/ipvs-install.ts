/**
 * Puts the ipvs mode's work into a node's kernel: addresses on the dummy
 * interface kube-ipvs0 (without one the node would not take the packets in),
 * virtual servers, ip sets, and the iptables rules over them.
 * Models:     pkg/proxy/ipvs/{proxier,netlink_linux}.go @ v1.36
 * Leaves out: strictARP.
 */
import { Ipvs, type VirtualServer } from "../network/ipvs.ts";
import type { SchedulerName } from "../network/ipvs-schedulers.ts";
import type { NetworkNamespace } from "../network/namespace.ts";
import type { GracefulTermination } from "./graceful-termination.ts";
import { installRules, type Jump } from "./install.ts";
import type { IpvsRules } from "./ipvs.ts";
import { SET_TYPES } from "./ipvs-sets.ts";

export const DUMMY = "kube-ipvs0";

export interface Moment {
  /** For the dummy interface, when it is made. */
  readonly mac: () => string;
  /** Simulated time, in ms. */
  readonly nowMs: number;
  /** Knows the real servers that still have connections. */
  readonly graceful: GracefulTermination;
  /** When chains that are not needed any more were taken out last, in ms. */
  readonly cleaned: { atMs: number };
}

/** Returns what the node's tools show then. */
export function installIpvs(
  node: NetworkNamespace,
  rules: IpvsRules,
  { mac, nowMs, graceful }: Moment,
): string[] {
  const { sysctl } = node;
  for (const [name, value] of SYSCTL) sysctl.set(name, value);
  const kind = "dummy";
  const link =
    node.links.get(DUMMY) ?? node.addLink({ name: DUMMY, kind, mac: mac() });
  // It stays down: it sends nothing, it only has addresses.
  link.up = false;
  link.addresses = rules.addresses.map((ip) => {
    return { ip, length: 32, scope: "global" };
  });
  node.ipvs ??= new Ipvs();
  const wanted = rules.virtualServers.map(kernelServer);
  node.ipvs.set(graceful.merge(node.ipvs, wanted, nowMs));
  for (const [name] of SET_TYPES) {
    node.ipsets.set(name, new Set(rules.ipsets[name]));
  }
  installRules(node, tablesOf(rules.iptables), JUMPS);
  return [...node.ipvs.lines(nowMs), ...setLines(rules), ...rules.iptables];
}

const SYSCTL = [
  ["net.ipv4.vs.conntrack", "1"],
  ["net.ipv4.vs.conn_reuse_mode", "0"],
  ["net.ipv4.vs.expire_nodest_conn", "1"],
  ["net.ipv4.vs.expire_quiescent_template", "1"],
  ["net.ipv4.ip_forward", "1"],
] as const;

function kernelServer(server: IpvsRules["virtualServers"][number]) {
  const { address: ip, port, protocol, timeout, realServers } = server;
  const scheduler = server.scheduler as SchedulerName;
  return {
    ...{ protocol: protocol.toLowerCase(), ip, port, scheduler },
    persistentSeconds: timeout,
    servers: realServers.map((text) => {
      const [, ip = "", port, weight] = /^(.*):(\d+) weight (\d+)$/.exec(text)!;
      return { ip, port: Number(port), weight: Number(weight) };
    }),
  } satisfies VirtualServer;
}

/** As `ipset save` prints them; the empty ones are there too. */
function setLines({ ipsets }: IpvsRules): string[] {
  return SET_TYPES.flatMap(([name, type]) => {
    const family = "family inet hashsize 1024 maxelem 65536";
    const how = type === "bitmap:port" ? "range 0-65535" : family;
    const entries = ipsets[name] ?? [];
    return [
      `create ${name} ${type} ${how}`,
      ...entries.map((entry) => `add ${name} ${entry}`),
    ];
  });
}

/** The lines of iptables-restore, by table and chain. */
function tablesOf(lines: readonly string[]) {
  const tables = {
    nat: new Map<string, string[]>(),
    filter: new Map<string, string[]>(),
  };
  let table: Map<string, string[]> = tables.nat;
  for (const line of lines) {
    if (line.startsWith("*"))
      table = tables[line === "*nat" ? "nat" : "filter"];
    const chain = /^:(\S+)/.exec(line)?.[1];
    if (chain) table.set(chain, []);
    const [, name = "", rule] = /^-A (\S+) (.*)$/.exec(line) ?? [];
    if (rule) table.get(name)?.push(rule);
  }
  return tables;
}

const HEALTH = "kubernetes health check rules";
const FIREWALL = "kube-proxy firewall rules";
const ACCESS = "kubernetes ipvs access filter";

/** Upstream's order. */
const JUMPS: readonly Jump[] = [
  jump("nat", "OUTPUT", "KUBE-SERVICES", "kubernetes service portals"),
  jump("nat", "PREROUTING", "KUBE-SERVICES", "kubernetes service portals"),
  jump(
    "nat",
    "POSTROUTING",
    "KUBE-POSTROUTING",
    "kubernetes postrouting rules",
  ),
  jump("filter", "FORWARD", "KUBE-FORWARD", "kubernetes forwarding rules"),
  jump("filter", "INPUT", "KUBE-NODE-PORT", HEALTH),
  jump("filter", "INPUT", "KUBE-PROXY-FIREWALL", FIREWALL),
  jump("filter", "FORWARD", "KUBE-PROXY-FIREWALL", FIREWALL),
  jump("filter", "INPUT", "KUBE-IPVS-FILTER", ACCESS),
  jump("filter", "OUTPUT", "KUBE-IPVS-OUT-FILTER", ACCESS),
];

function jump(
  table: "nat" | "filter",
  from: string,
  to: string,
  comment: string,
): Jump {
  return { table, from, to, comment };
}
