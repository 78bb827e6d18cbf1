/**
 * What `ip` prints about a namespace: links, addresses and routes as text.
 * Models: iproute2 `ip -o link`, `ip -o addr`, `ip route`
 */
import type { Link } from "./link.ts";
import type { NetworkNamespace } from "./namespace.ts";
import { endpointOf, type Frame, frameBytes } from "./packet.ts";
import type { Route } from "./route.ts";

/** `ip -o addr show dev X`: a line an address. */
export function addressLines(link: Link): string[] {
  return link.addresses.map(({ ip, length, scope, broadcast }) => {
    const family = ip.includes(":") ? "inet6" : "inet";
    const brd = broadcast ? ` brd ${broadcast}` : "";
    const life = "\\       valid_lft forever preferred_lft forever";
    return `${link.index}: ${link.name}    ${family} ${ip}/${length}${brd} scope ${scope} ${link.name}${life}`;
  });
}

/** `ip -o link show dev X`; `netns` is the name of the peer's namespace. */
export function linkLine(link: Link, netns = netnsOf(link.peer)): string {
  const name = link.peer ? `${link.name}@if${link.peer.index}` : link.name;
  const flags = link.up
    ? "BROADCAST,MULTICAST,UP,LOWER_UP"
    : "BROADCAST,MULTICAST";
  const master = link.master ? ` master ${link.master.name}` : "";
  const queue = link.queueLength ? `qlen ${link.queueLength}` : "";
  const other = netns ? ` link-netns ${netns}` : "";
  return (
    `${link.index}: ${name}: <${flags}> mtu ${link.mtu} qdisc noqueue${master}` +
    ` state ${link.up ? "UP" : "DOWN"} mode DEFAULT group default ${queue}` +
    `\\    link/ether ${link.mac} brd ff:ff:ff:ff:ff:ff${other}`
  );
}

function netnsOf(peer: Link | undefined): string {
  return peer?.namespace.path.split("/").at(-1) ?? "";
}

/** `ip route`, in the order that the kernel lists them. */
export function routeLines(namespace: NetworkNamespace): string[] {
  return namespace.routes
    .filter((r) => !r.destination.includes(":"))
    .map(routeLine);
}

export function routeLine(route: Route): string {
  const { destination, gateway, device, protocol, scope, source } = route;
  if (route.blackhole) return `blackhole ${destination} proto ${protocol}`;
  const words = [destination === "0.0.0.0/0" ? "default" : bare(destination)];
  if (gateway) words.push("via", gateway);
  if (device) words.push("dev", device);
  if (protocol) words.push("proto", protocol);
  if (scope) words.push("scope", scope);
  if (source) words.push("src", source);
  if (route.onlink) words.push("onlink");
  return words.join(" ");
}

/** A host route is shown without its length. */
function bare(destination: string): string {
  return destination.replace(/\/32$/, "");
}

/** A frame as plain data, for the trace. */
export interface FrameView {
  readonly srcMac: string;
  readonly dstMac: string;
  /** With the Ethernet header. */
  readonly bytes: number;
  readonly protocol: string;
  readonly src: string;
  readonly dst: string;
  readonly ttl: number;
  /** What the tunnel carries. */
  readonly inner?: FrameView;
}

export function frameView(frame: Frame): FrameView {
  const { srcMac, dstMac, packet, inner } = frame;
  const { protocol, ttl } = packet;
  const src = endpointOf(packet.src, packet.srcPort);
  const dst = endpointOf(packet.dst, packet.dstPort);
  const bytes = frameBytes(frame);
  const view = { srcMac, dstMac, bytes, protocol, src, dst, ttl };
  return inner ? { ...view, inner: frameView(inner) } : view;
}
