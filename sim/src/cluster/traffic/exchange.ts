/**
 * One packet there and its answer back, hop by hop over the real interfaces,
 * routes and rules of all machines. Each interface that sees the packet is
 * an entry of the trace, with the frame before and after.
 * Models: tcpdump on every interface at once
 */
import type { Kernel } from "../../kernel/index.ts";
import type { HttpAnswer } from "../../network/listeners.ts";
import type { MachineNetwork } from "../../network/machines.ts";
import type { NetworkNamespace } from "../../network/namespace.ts";
import type { Packet, Protocol } from "../../network/packet.ts";
import { type FrameView, frameView } from "../../network/show.ts";
import { type Sighting, Walk } from "../../network/walk.ts";
import type { Place, Places } from "./places.ts";
import { SourcePorts, sourceFor } from "./sources.ts";

/** Detail of a `packet` entry. */
export interface PacketDetail {
  /** `pod default/web`, `node node-1`. */
  readonly place: string;
  readonly link: string;
  /** As the interface before saw it; absent at the first. */
  readonly before?: FrameView;
  readonly after?: FrameView;
  /** Rules that matched since, in the words of their tool. */
  readonly rules: readonly string[];
  readonly way: "request" | "reply";
  /** Why it went no further. */
  readonly lost?: string;
}

export interface Target {
  readonly protocol: Protocol;
  readonly ip: string;
  /** 0 for ICMP. */
  readonly port: number;
  /** What a program of a machine is asked for. */
  readonly path?: string;
}

export interface Outcome {
  /** ok: answered. refused: told that nobody serves it. lost: no word. */
  readonly kind: "ok" | "refused" | "unreachable" | "lost";
  /** Who answered: `pod default/web-0`. */
  readonly server: string;
  /** The client's address as the server saw it. */
  readonly seenAs: string;
  /** Routers passed on the way back. */
  readonly ttl: number;
  /** What a program of a machine said. */
  readonly http?: HttpAnswer;
  /** The packet's way there. */
  readonly hops: readonly PacketDetail[];
}

interface Arrival {
  readonly place: Place;
  readonly packet: Packet;
}

/** From one interface to the next, in ms. */
const HOP_MS = 0.02;
const BYTES = { tcp: 60, udp: 90, icmp: 84, ipip: 84 };

export class Exchanges {
  private readonly kernel: Kernel;
  private readonly places: Places;
  private readonly walk: Walk;
  private readonly random: (bound: number) => number;
  private readonly ports: SourcePorts;
  private hops: PacketDetail[] = [];
  private rules: string[] = [];
  private arrivals: Arrival[] = [];

  constructor(kernel: Kernel, places: Places, machines: MachineNetwork) {
    this.kernel = kernel;
    this.places = places;
    const random = kernel.random.fork("network");
    this.random = (bound) => random.int(bound);
    this.ports = new SourcePorts(kernel, this.random);
    this.walk = new Walk({
      wires: machines.wires,
      random: this.random,
      now: () => kernel.now(),
      onRule: (_, rule) => this.rules.push(rule),
      onSighting: (sighting) => this.saw(sighting),
      onLost: (namespace, reason) => this.lost(namespace, reason),
      deliver: (namespace, packet) => {
        this.arrivals.push({ place: this.places.at(namespace), packet });
      },
    });
  }

  // region: exchange
  /** Sends a first packet, and waits for what comes back. */
  async exchange(from: Place, wanted: Target): Promise<Outcome> {
    const { protocol } = wanted;
    const socket = from.namespace.connect;
    const instead = socket?.(protocol, wanted.ip, wanted.port);
    if (instead === null) return NOWHERE;
    const { ip: dst, port: dstPort } = instead ?? wanted;
    const src = sourceFor(from.namespace, dst);
    if (!src) return NOWHERE;
    const srcPort = dstPort && this.ports.take(src, `${dst}:${dstPort}`);
    const head = { protocol, bytes: BYTES[protocol], ttl: 64, mark: 0 };
    const request = { ...head, src, srcPort, dst, dstPort, way: "request" };
    const there = await this.send(from.namespace, request as Packet);
    const { hops } = this;
    if (!there) return { ...this.silence(from), hops };
    const { place, packet } = there;
    const { listener, http } = this.served(there, wanted.path);
    const back = await this.send(place.namespace, {
      ...{ ...head, way: "reply", src: packet.dst, srcPort: packet.dstPort },
      ...{ dst: packet.src, dstPort: packet.srcPort },
    });
    const seenAs = packet.src;
    // The client takes an answer only from whom it asked.
    const known =
      back?.place.namespace === from.namespace &&
      back.packet.src === dst &&
      back.packet.srcPort === dstPort &&
      back.packet.dstPort === srcPort;
    const ttl = back?.packet.ttl ?? 0;
    if (!known) return { ...NOWHERE, kind: "lost", seenAs, hops };
    const kind = listener ? "ok" : "refused";
    return { kind, server: listener ?? place.name, seenAs, ttl, http, hops };
  }
  // endregion: exchange

  /** Who takes the packet in there, and what a program says to it. */
  private served({ place, packet }: Arrival, path = "/") {
    const { protocol, dstPort } = packet;
    if (protocol === "icmp") return { listener: place.name };
    const program = place.namespace.listeners.get(dstPort);
    if (program && protocol === "tcp") {
      return { listener: program.actor, http: program.get(path) };
    }
    return { listener: this.places.listener(place, dstPort) };
  }

  /** A rule may refuse; a router may know no way; else there is no word. */
  private silence(from: Place): Outcome {
    const last = this.hops.at(-1);
    if (last?.lost?.startsWith("rejected")) {
      return { ...NOWHERE, kind: "refused" };
    }
    const here = last?.place === from.name;
    const noWay = here && /^no route|does not answer/.test(last?.lost ?? "");
    return { ...NOWHERE, kind: noWay ? "unreachable" : "lost" };
  }

  /** The packet's walk is found at once, and told hop by hop. */
  private async send(namespace: NetworkNamespace, packet: Packet) {
    this.hops = [];
    this.rules = [];
    this.arrivals = [];
    this.walk.send(namespace, packet);
    const { hops, arrivals } = this;
    for (const hop of hops) {
      await this.kernel.sleep(HOP_MS);
      this.tell(hop);
    }
    this.hops = hops;
    return arrivals[0];
  }

  private tell(hop: PacketDetail): void {
    const { kernel } = this;
    const { place, link, lost, after, before } = hop;
    const seen = after ?? before;
    const flow = seen ? `${seen.src} > ${seen.dst}` : "";
    const what = lost ? `lost: ${lost}` : `${link}: ${flow}`;
    const subject = `${what} at ${place}`;
    kernel.causeId = kernel.record("network", "packet", subject, "", hop);
  }

  private saw({ link, frame }: Sighting): void {
    this.add(link.namespace, link.name, frameView(frame), frame.packet.way);
  }

  private lost(namespace: NetworkNamespace, reason: string): void {
    this.add(namespace, "", undefined, this.hops.at(-1)?.way, reason);
  }

  private add(
    namespace: NetworkNamespace,
    link: string,
    after: FrameView | undefined,
    way: Packet["way"] = "request",
    lost?: string,
  ): void {
    const place = this.places.at(namespace).name;
    const before = this.hops.at(-1)?.after;
    const { rules } = this;
    this.rules = [];
    this.hops.push({ place, link, before, after, rules, way, lost });
  }
}

const NOWHERE: Outcome = {
  ...{ kind: "unreachable", server: "", seenAs: "", ttl: 0, hops: [] },
};
