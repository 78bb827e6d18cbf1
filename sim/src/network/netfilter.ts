/**
 * netfilter: the hooks that a packet passes in a namespace, and the rule sets
 * that hang there. NAT is decided once a conversation, by its first packet.
 * Models: Linux netfilter for IPv4; hooks and their order
 */
import { translateDestination, translateSource } from "./conntrack.ts";
import { decideIptables } from "./iptables-rules.ts";
import { chosenLine } from "./ipvs-service.ts";
import { firstAddress, type Link } from "./link.ts";
import type { NetworkNamespace } from "./namespace.ts";
import type { Packet } from "./packet.ts";
import type { Hook, RuleContext, Verdict } from "./verdict.ts";

/** Chance, and whoever wants to hear of every rule that matched. */
export interface NetfilterHost {
  readonly random: (bound: number) => number;
  readonly onRule?: (namespace: NetworkNamespace, rule: string) => void;
  /** Simulated time, in ms. */
  readonly now?: () => number;
}

/** The interfaces of a packet's way through a namespace. */
export interface Ways {
  readonly from?: Link;
  readonly out?: Link;
}

/** True: the packet goes on. False: it was dropped or rejected. */
export function passHook(
  host: NetfilterHost,
  namespace: NetworkNamespace,
  hook: Hook,
  packet: Packet,
  ways: Ways = {},
): boolean {
  namespace.conntrack.track(packet);
  const context = contextOf(host, namespace, packet, ways);
  if (hook === "postrouting") {
    sourceNat(namespace, packet, context, ways.out);
    translateSource(packet);
    return true;
  }
  if (!nftAllows(namespace, hook, context, BEFORE_NAT)) return false;
  if (hook === "prerouting" || hook === "output") {
    destinationNat(namespace, hook, packet, context);
    translateDestination(packet);
  }
  if (!nftAllows(namespace, hook, context, AFTER_NAT)) return false;
  if (hook === "prerouting") return true;
  // IPVS sees its own node's packets before the filter, others' after it.
  if (hook === "output" && !passIpvs(namespace, context)) return false;
  if (!iptablesAllows(namespace, hook, context)) return false;
  if (hook !== "input") return true;
  if (packet.tracked?.reply) translateSource(packet);
  return passIpvs(namespace, context);
}

function contextOf(
  host: NetfilterHost,
  namespace: NetworkNamespace,
  packet: Packet,
  { from, out }: Ways,
): RuleContext {
  return {
    packet,
    isLocal: (ip) =>
      ip.startsWith("127.") || namespace.linkOf(ip) !== undefined,
    random: host.random,
    inLink: from?.name,
    outLink: out?.name,
    sets: namespace.ipsets,
    recent: namespace.recent,
    nowMs: host.now?.() ?? 0,
    onRule: (rule) => host.onRule?.(namespace, rule),
  };
}

const BEFORE_NAT = (priority: number) => priority < -100;
const AFTER_NAT = (priority: number) => priority >= -100;

/** The filter chains of a hook: they see the address before or after NAT. */
function nftAllows(
  { nftables }: NetworkNamespace,
  hook: Hook,
  context: RuleContext,
  where: (priority: number) => boolean,
): boolean {
  return isFor(nftables?.decide("filter", hook, context, where), context);
}

function iptablesAllows(
  namespace: NetworkNamespace,
  hook: Hook,
  context: RuleContext,
): boolean {
  if (!namespace.hasRules) return true;
  const { iptables } = namespace;
  const chain = hook.toUpperCase();
  return isFor(decideIptables(iptables, "filter", chain, context), context);
}

function isFor(verdict: Verdict | undefined, { packet }: RuleContext) {
  if (verdict?.kind === "reject") packet.rejected = true;
  return !verdict || verdict.kind === "accept";
}

// region: ipvs
/** A packet to a virtual server gets a real one as its destination. */
function passIpvs(
  { ipvs, conntrack }: NetworkNamespace,
  { packet, nowMs = 0, onRule }: RuleContext,
): boolean {
  const { tracked, virtual, dst: ip, dstPort: port } = packet;
  const service = ipvs?.find(packet);
  if (!ipvs || !service || !tracked || tracked.reply || virtual) return true;
  if (!tracked.with.virtual) {
    const server = ipvs.schedule(service, packet, nowMs);
    // The client is told that nobody serves the port.
    if (!server) packet.rejected = true;
    if (!server) return false;
    onRule?.(chosenLine(service, server));
    conntrack.setDestination(packet, server.ip, server.port);
    tracked.with.virtual = true;
  }
  packet.virtual = { ip, port };
  translateDestination(packet, true);
  return true;
}
// endregion: ipvs

/** The first rule set with an opinion decides. */
function natVerdict(
  namespace: NetworkNamespace,
  hook: Hook,
  context: RuleContext,
): Verdict | undefined {
  const nft = namespace.nftables?.decide("nat", hook, context);
  if (nft || !namespace.hasRules) return nft;
  const chain = hook.toUpperCase();
  return decideIptables(namespace.iptables, "nat", chain, context);
}

function destinationNat(
  namespace: NetworkNamespace,
  hook: Hook,
  packet: Packet,
  context: RuleContext,
): void {
  const { tracked } = packet;
  if (!tracked || tracked.reply || tracked.with.dnat) return;
  const verdict = natVerdict(namespace, hook, context);
  if (verdict?.kind !== "dnat") return;
  namespace.conntrack.setDestination(packet, verdict.ip, verdict.port);
}

const EPHEMERAL_FIRST = 1024;
const EPHEMERAL_COUNT = 64_511;

/** Masquerading takes the address of the interface that the packet leaves by. */
function sourceNat(
  namespace: NetworkNamespace,
  packet: Packet,
  context: RuleContext,
  out: Link | undefined,
): void {
  const { tracked } = packet;
  if (!tracked || tracked.reply || tracked.with.snat || !out) return;
  const verdict = natVerdict(namespace, "postrouting", context);
  if (verdict?.kind !== "masquerade") return;
  const source = firstAddress(out) ?? anyAddress(namespace);
  if (!source) return;
  const port =
    packet.srcPort === 0
      ? 0
      : EPHEMERAL_FIRST + context.random(EPHEMERAL_COUNT);
  namespace.conntrack.setSource(packet, source, port);
}

/** An interface without an address borrows the first one of the others. */
function anyAddress({ links }: NetworkNamespace): string | undefined {
  for (const link of links.values()) {
    const address = link.kind === "loopback" ? undefined : firstAddress(link);
    if (address) return address;
  }
  return undefined;
}
