/**
 * The rules of portmap: DNAT to the Pod, and a mark on what would not come
 * back otherwise.
 * Models: containernetworking/plugins plugins/meta/portmap/portmap_iptables.go
 */
import { formatNetwork, parseCidr, parseIp } from "../../network/ip.ts";
import type { Iptables } from "../../network/iptables.ts";
import type { CniArgs } from "../spec.ts";
import type { NetConf, PortMapping } from "../types.ts";
import { chainName, commentOf } from "./ip-masq.ts";

export interface PortmapConf extends NetConf {
  /** Masquerade what would not come back otherwise; true unless said. */
  readonly snat?: boolean;
  /** … or all that comes. */
  readonly masqAll?: boolean;
  /** Further matches of the rule that leads to the Pod's chain. */
  readonly conditionsV4?: readonly string[];
  /** Bit of the mark that says so, 13 unless told. */
  readonly markMasqBit?: number;
  /** A chain of somebody else's that sets a mark instead. */
  readonly externalSetMarkChain?: string;
}

export const DNAT = "CNI-HOSTPORT-DNAT";
const SETMARK = "CNI-HOSTPORT-SETMARK";
const MASQ = "CNI-HOSTPORT-MASQ";
export const MARK_BIT = 13;
/** As many as the multiport match takes. */
const PORTS_MAX = 15;

export function namesOf({ conf, containerId }: CniArgs<PortmapConf>) {
  const name = conf.name ?? "";
  const comment = commentOf(name, containerId);
  return { chain: chainName(name, containerId, "DN-"), comment };
}

/** By protocol, as many ports at once as one rule can take. */
export function entryRules(
  args: CniArgs<PortmapConf>,
  mappings: readonly PortMapping[],
): string[] {
  const { chain, comment } = namesOf(args);
  const more = (args.conf.conditionsV4 ?? []).map((word) => ` ${word}`);
  const rules: string[] = [];
  for (const protocol of ["sctp", "tcp", "udp"]) {
    const ports = mappings
      .filter((each) => each.protocol.toLowerCase() === protocol)
      .map((each) => each.hostPort);
    for (let at = 0; at < ports.length; at += PORTS_MAX) {
      const some = ports.slice(at, at + PORTS_MAX).join(",");
      rules.push(
        `-p ${protocol} -m comment --comment "dnat ${comment}" -m multiport --dports ${some}${more.join("")} -j ${chain}`,
      );
    }
  }
  return rules;
}

/** Marks what needs masquerading (the Pod itself, the node), then DNATs. */
export function dnatRules(
  { snat = true, masqAll, externalSetMarkChain }: PortmapConf,
  mappings: readonly PortMapping[],
  address: string,
): string[] {
  const mark = `-j ${externalSetMarkChain ?? SETMARK}`;
  const network = formatNetwork(parseCidr(address)!);
  return mappings.flatMap(({ hostPort, containerPort, protocol, hostIP }) => {
    const host = hostIP ? parseIp(hostIP) : undefined;
    // A port bound to an address of the other family is not for these.
    if (hostIP && host?.family !== 4) return [];
    const proto = protocol.toLowerCase();
    const bound = host?.value ? `-d ${hostIP}/32 ` : "";
    const match = `${bound}-p ${proto} -m ${proto} --dport ${hostPort}`;
    const target = `${address.split("/")[0]}:${containerPort}`;
    const dnat = `${match} -j DNAT --to-destination ${target}`;
    if (!snat) return [dnat];
    if (masqAll) return [`${match} ${mark}`, dnat];
    const local = `-s 127.0.0.1/32 ${match} ${mark}`;
    return [`-s ${network} ${match} ${mark}`, local, dnat];
  });
}

export function ensureTopChains(
  iptables: Iptables,
  { snat = true, markMasqBit = MARK_BIT, externalSetMarkChain }: PortmapConf,
): void {
  iptables.ensureChain("nat", DNAT);
  const jump = `-m addrtype --dst-type LOCAL -j ${DNAT}`;
  iptables.ensureRule("nat", "PREROUTING", jump);
  iptables.ensureRule("nat", "OUTPUT", jump);
  if (!snat || externalSetMarkChain !== undefined) return;
  const value = `0x${(2 ** markMasqBit).toString(16)}`;
  const mark = `-m comment --comment "CNI portfwd masquerade mark" -j MARK --set-xmark ${value}/${value}`;
  iptables.ensureRule("nat", SETMARK, mark);
  const masquerade = `-m mark --mark ${value}/${value} -j MASQUERADE`;
  iptables.ensureRule("nat", MASQ, masquerade);
  const entry = `-m comment --comment "CNI portfwd requiring masquerade" -j ${MASQ}`;
  // Before the rules of bridge and ptp, which would take the packet first.
  iptables.ensureRule("nat", "POSTROUTING", entry, "insert");
}
