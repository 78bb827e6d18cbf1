/**
 * netfilter: the hooks that a packet passes in a namespace, and the rule sets
 * that hang there. NAT is decided once a conversation, by its first packet.
 * Models: Linux netfilter for IPv4; hooks and their order
 */
import { translateDestination, translateSource } from "./conntrack.ts";
import { decideIptables } from "./iptables-rules.ts";
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
  { from, out }: Ways = {},
): boolean {
  namespace.conntrack.track(packet);
  const context: RuleContext = {
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
  if (hook === "prerouting" || hook === "output") {
    if (!allows(namespace, hook, context)) return false;
    destinationNat(namespace, hook, packet, context);
    translateDestination(packet);
  } else if (hook === "postrouting") {
    sourceNat(namespace, packet, context, out);
    translateSource(packet);
  } else if (!allows(namespace, hook, context)) return false;
  return true;
}

/** The filter chains of a hook. */
function allows(
  namespace: NetworkNamespace,
  hook: Hook,
  context: RuleContext,
): boolean {
  const verdicts = [namespace.nftables?.decide("filter", hook, context)];
  if (namespace.hasRules && hook !== "prerouting") {
    const chain = hook.toUpperCase();
    verdicts.push(decideIptables(namespace.iptables, "filter", chain, context));
  }
  const against = verdicts.find((each) => each && each.kind !== "accept");
  if (against?.kind === "reject") context.packet.rejected = true;
  return !against;
}

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
