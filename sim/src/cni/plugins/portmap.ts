/**
 * portmap: host ports. A chained plugin: it takes the result of the one
 * before, writes DNAT rules to the Pod's address, and passes the result on.
 * Models:     containernetworking/plugins plugins/meta/portmap (iptables) @ v1.9
 * Leaves out: the nftables backend, IPv6.
 */
import { parseResult } from "../result.ts";
import { type CniArgs, plugin } from "../spec.ts";
import type { CniResult, PortMapping } from "../types.ts";
import { ALL_VERSIONS } from "../version.ts";
import {
  DNAT,
  dnatRules,
  ensureTopChains,
  entryRules,
  MARK_BIT,
  namesOf,
  type PortmapConf,
} from "./portmap-rules.ts";

export const portmap = plugin<PortmapConf>({
  name: "portmap",
  versions: ALL_VERSIONS,
  add(args) {
    const { mappings, result } = parsed(args, "failed to parse config: ");
    if (!result) throw new Error("must be called as chained plugin");
    const address = addressOf(args, result);
    if (mappings.length > 0 && address) forwardPorts(args, mappings, address);
    return result;
  },
  del(args) {
    const { mappings } = parsed(args, "failed to parse config: ");
    if (mappings.length === 0) return;
    const { chain } = namesOf(args);
    const { iptables } = args.host.network.root;
    iptables.deleteRules("nat", DNAT, (rule) => rule.endsWith(`-j ${chain}`));
    iptables.deleteChain("nat", chain);
  },
  check(args) {
    const { mappings, result } = parsed(args, "");
    if (!result) throw new Error("Required prevResult missing");
    const address = addressOf(args, result);
    if (mappings.length > 0 && address) checkPorts(args, mappings, address);
  },
});

function parsed(args: CniArgs<PortmapConf>, prefix: string) {
  const { conf } = args;
  const mappings = conf.runtimeConfig?.portMappings ?? [];
  const problem = problemOf(conf, mappings);
  if (problem) throw new Error(`${prefix}${problem}`);
  return { mappings, result: parseResult(conf.prevResult) };
}

function problemOf(
  { markMasqBit, externalSetMarkChain }: PortmapConf,
  mappings: readonly PortMapping[],
): string | undefined {
  if (markMasqBit !== undefined && externalSetMarkChain !== undefined) {
    return "Cannot specify externalSetMarkChain and markMasqBit";
  }
  const bit = markMasqBit ?? MARK_BIT;
  if (bit < 0 || bit > 31) return "MasqMarkBit must be between 0 and 31";
  for (const { containerPort = 0, hostPort = 0 } of mappings) {
    if (containerPort <= 0) {
      return `Invalid container port number: ${containerPort}`;
    }
    if (hostPort <= 0) return `Invalid host port number: ${hostPort}`;
  }
  return undefined;
}

/** The Pod's IPv4 address: not one that lies on another interface. */
function addressOf(
  { ifname }: CniArgs,
  { ips = [], interfaces = [] }: CniResult,
): string | undefined {
  const found = ips.find(({ address, interface: index = -1 }) => {
    if (address.includes(":")) return false;
    const link = interfaces[index];
    return !link || (link.name === ifname && !!link.sandbox);
  });
  return found?.address;
}

function forwardPorts(
  args: CniArgs<PortmapConf>,
  mappings: readonly PortMapping[],
  address: string,
): void {
  const { iptables } = args.host.network.root;
  ensureTopChains(iptables, args.conf);
  const { chain } = namesOf(args);
  iptables.ensureChain("nat", chain);
  for (const rule of entryRules(args, mappings)) {
    iptables.ensureRule("nat", DNAT, rule);
  }
  for (const rule of dnatRules(args.conf, mappings, address)) {
    iptables.ensureRule("nat", chain, rule);
  }
}

function checkPorts(
  args: CniArgs<PortmapConf>,
  mappings: readonly PortMapping[],
  address: string,
): void {
  const { iptables } = args.host.network.root;
  const { chain } = namesOf(args);
  const failed = (what: string) =>
    new Error(`could not check ipv4 dnat: ${what}`);
  if (!iptables.chain("nat", chain)) {
    throw failed(`chain ${chain} not found in iptables table nat`);
  }
  const all = [
    [chain, dnatRules(args.conf, mappings, address)],
    [DNAT, entryRules(args, mappings)],
  ] as const;
  for (const [where, rules] of all) {
    const there = iptables.chain("nat", where) ?? [];
    if (rules.every((rule) => there.includes(rule))) continue;
    const shown = rules.map((rule) => `[${rule}]`).join(" ");
    throw failed(`rule [${shown}] in chain ${where} not found in table nat`);
  }
}
