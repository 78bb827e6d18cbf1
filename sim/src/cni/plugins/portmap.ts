/**
 * portmap: host ports. A chained plugin: it takes the result of the one
 * before, writes DNAT rules to the Pod's address, and passes the result on.
 * Models:     containernetworking/plugins plugins/meta/portmap (iptables) @ v1.9
 * Leaves out: the nftables backend, `conditionsV4`, `externalSetMarkChain`.
 */
import { formatNetwork, parseCidr } from "../../network/ip.ts";
import type { Iptables } from "../../network/iptables.ts";
import { parseResult } from "../result.ts";
import { type CniArgs, plugin } from "../spec.ts";
import type { NetConf, PortMapping } from "../types.ts";
import { ALL_VERSIONS } from "../version.ts";
import { chainName, commentOf } from "./ip-masq.ts";

interface PortmapConf extends NetConf {
  /** Masquerade what would not come back otherwise; true unless said. */
  readonly snat?: boolean;
}

const DNAT = "CNI-HOSTPORT-DNAT";
const SETMARK = "CNI-HOSTPORT-SETMARK";
const MASQ = "CNI-HOSTPORT-MASQ";
const MARK = "0x2000/0x2000";
/** As many as the multiport match takes. */
const PORTS_MAX = 15;

export const portmap = plugin<PortmapConf>({
  name: "portmap",
  versions: ALL_VERSIONS,
  add(args) {
    const result = parseResult(args.conf.prevResult);
    if (!result) throw new Error("must be called as chained plugin");
    const mappings = mappingsOf(args);
    const address = result.ips?.find((ip) => !ip.address.includes(":"));
    if (mappings.length > 0 && address) {
      forwardPorts(args, mappings, address.address);
    }
    return result;
  },
  del(args) {
    const mappings = mappingsOf(args);
    if (mappings.length === 0) return;
    const { chain } = namesOf(args);
    const { iptables } = args.host.network.root;
    iptables.deleteRules("nat", DNAT, (rule) => rule.endsWith(`-j ${chain}`));
    iptables.deleteChain("nat", chain);
  },
  check(args) {
    if (!args.conf.prevResult) throw new Error("Required prevResult missing");
    if (mappingsOf(args).length === 0) return;
    const { chain } = namesOf(args);
    if (args.host.network.root.iptables.chain("nat", chain)) return;
    throw new Error(`chain ${chain} does not exist`);
  },
});

function mappingsOf({ conf }: CniArgs<PortmapConf>): readonly PortMapping[] {
  const mappings = conf.runtimeConfig?.portMappings ?? [];
  const bad = mappings.find(
    (each) => each.hostPort < 0 || each.hostPort > 65535,
  );
  if (bad) throw new Error(`Invalid host port number: ${bad.hostPort}`);
  return mappings;
}

function namesOf({ conf, containerId }: CniArgs<PortmapConf>) {
  const name = conf.name ?? "";
  const comment = commentOf(name, containerId);
  return { chain: chainName(name, containerId, "DN-"), comment };
}

function forwardPorts(
  args: CniArgs<PortmapConf>,
  mappings: readonly PortMapping[],
  address: string,
): void {
  const { iptables } = args.host.network.root;
  const snat = args.conf.snat ?? true;
  ensureTopChains(iptables, snat);
  const { chain, comment } = namesOf(args);
  iptables.ensureChain("nat", chain);
  for (const protocol of ["tcp", "udp", "sctp"]) {
    const ports = mappings
      .filter((each) => each.protocol.toLowerCase() === protocol)
      .map((each) => each.hostPort);
    for (let at = 0; at < ports.length; at += PORTS_MAX) {
      const some = ports.slice(at, at + PORTS_MAX).join(",");
      const rule = `-p ${protocol} -m comment --comment "dnat ${comment}" -m multiport --dports ${some} -j ${chain}`;
      iptables.ensureRule("nat", DNAT, rule);
    }
  }
  for (const mapping of mappings) {
    for (const rule of rulesFor(mapping, address, snat)) {
      iptables.ensureRule("nat", chain, rule);
    }
  }
}

/** Marks what needs masquerading (the Pod itself, the node), then DNATs. */
function rulesFor(
  { hostPort, containerPort, protocol, hostIP }: PortMapping,
  address: string,
  snat: boolean,
): string[] {
  const proto = protocol.toLowerCase();
  const bound = hostIP && hostIP !== "0.0.0.0" ? `-d ${hostIP}/32 ` : "";
  const match = `${bound}-p ${proto} -m ${proto} --dport ${hostPort}`;
  const network = formatNetwork(parseCidr(address)!);
  const target = `${address.split("/")[0]}:${containerPort}`;
  const marks = snat
    ? [
        `-s ${network} ${match} -j ${SETMARK}`,
        `-s 127.0.0.1/32 ${match} -j ${SETMARK}`,
      ]
    : [];
  return [...marks, `${match} -j DNAT --to-destination ${target}`];
}

function ensureTopChains(iptables: Iptables, snat: boolean): void {
  iptables.ensureChain("nat", DNAT);
  const jump = `-m addrtype --dst-type LOCAL -j ${DNAT}`;
  iptables.ensureRule("nat", "PREROUTING", jump);
  iptables.ensureRule("nat", "OUTPUT", jump);
  if (!snat) return;
  const mark = `-m comment --comment "CNI portfwd masquerade mark" -j MARK --set-xmark ${MARK}`;
  iptables.ensureRule("nat", SETMARK, mark);
  const masquerade = `-m mark --mark ${MARK} -j MASQUERADE`;
  iptables.ensureRule("nat", MASQ, masquerade);
  const entry = `-m comment --comment "CNI portfwd requiring masquerade" -j ${MASQ}`;
  iptables.ensureRule("nat", "POSTROUTING", entry);
}
