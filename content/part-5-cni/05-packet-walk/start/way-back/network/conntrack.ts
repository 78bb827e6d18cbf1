/**
 * Connection tracking and NAT: the first packet of a conversation decides,
 * all others follow.
 * Models: Linux nf_conntrack, nf_nat
 */
import type { Packet } from "./packet.ts";

interface Tuple {
  readonly src: string;
  readonly srcPort: number;
  readonly dst: string;
  readonly dstPort: number;
}

export interface Conversation {
  readonly protocol: string;
  /** As the first packet came in. */
  readonly original: Tuple;
  /** As the answers come in. */
  reply: Tuple;
  dnat: boolean;
  snat: boolean;
  /** IPVS changed its destination, and does so where IPVS works. */
  virtual?: boolean;
}

export class Conntrack {
  private readonly table = new Map<string, Conversation>();

  /** Finds the packet's conversation, or begins one. */
  track(packet: Packet): void {
    if (packet.tracked) return;
    const own = tupleOf(packet);
    const found = this.table.get(keyOf(packet.protocol, own));
    if (found) {
      packet.tracked = { with: found, reply: !same(found.original, own) };
      return;
    }
    const made: Conversation = {
      protocol: packet.protocol,
      original: own,
      reply: inverse(own),
      dnat: false,
      snat: false,
    };
    this.table.set(keyOf(packet.protocol, own), made);
    this.table.set(keyOf(packet.protocol, made.reply), made);
    packet.tracked = { with: made, reply: false };
  }

  /** From now on, the conversation goes to this address and port. */
  setDestination({ tracked }: Packet, dst: string, dstPort: number): void {
    if (!tracked) return;
    this.change(tracked.with, { src: dst, srcPort: dstPort });
    tracked.with.dnat = true;
  }

  /** From now on, it seems to come from this address and port. */
  setSource({ tracked }: Packet, src: string, srcPort: number): void {
    if (!tracked) return;
    this.change(tracked.with, { dst: src, dstPort: srcPort });
    tracked.with.snat = true;
  }

  private change(conversation: Conversation, part: Partial<Tuple>): void {
    const { protocol } = conversation;
    this.table.delete(keyOf(protocol, conversation.reply));
    conversation.reply = { ...conversation.reply, ...part };
    this.table.set(keyOf(protocol, conversation.reply), conversation);
  }

  /** All conversations, as `conntrack -L` lists them. */
  list(): Conversation[] {
    return [...new Set(this.table.values())];
  }
}

/** Before routing: the destination as the conversation has it. */
export function translateDestination(packet: Packet, byIpvs = false): void {
  const { tracked } = packet;
  if (!tracked || tracked.reply) return;
  if (tracked.with.virtual && !byIpvs) return;
  const { reply } = tracked.with;
  packet.dst = reply.src;
  packet.dstPort = reply.srcPort;
}

/** After routing: the source as the other side knows it. */
export function translateSource(packet: Packet): void {
  const { tracked } = packet;
  if (!tracked || tracked.reply) return;
  const { reply } = tracked.with;
  packet.src = reply.dst;
  packet.srcPort = reply.dstPort;
}

function tupleOf({ src, srcPort, dst, dstPort }: Packet): Tuple {
  return { src, srcPort, dst, dstPort };
}

function inverse({ src, srcPort, dst, dstPort }: Tuple): Tuple {
  return { src: dst, srcPort: dstPort, dst: src, dstPort: srcPort };
}

function same(a: Tuple, b: Tuple): boolean {
  return keyOf("", a) === keyOf("", b);
}

function keyOf(
  protocol: string,
  { src, srcPort, dst, dstPort }: Tuple,
): string {
  return `${protocol} ${src}:${srcPort} ${dst}:${dstPort}`;
}
