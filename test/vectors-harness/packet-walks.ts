/**
 * Replays packet-walks.json: builds the recorder's network (its nodes from
 * nodeState, Pods and services from notes and cases), sends the packet, and
 * compares who saw it and how.
 */
import type { EndpointSlice } from "../../sim/src/api/kinds/endpointslice.ts";
import type { Service } from "../../sim/src/api/kinds/service.ts";
import { Random } from "../../sim/src/kernel/index.ts";
import { nftablesBase, nftablesRules } from "../../sim/src/kube-proxy/nftables.ts";
import { servicePorts } from "../../sim/src/kube-proxy/service-ports.ts";
import { addFlannelRules } from "../../sim/src/network/flannel-masq.ts";
import { NetworkNamespace } from "../../sim/src/network/namespace.ts";
import { Nftables } from "../../sim/src/network/nftables.ts";
import { endpointOf, type Frame, frameBytes, type Packet } from "../../sim/src/network/packet.ts";
import { type Sighting, Walk } from "../../sim/src/network/walk.ts";
import { Wires } from "../../sim/src/network/wires.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";

type Row = Record<string, unknown> & {
  us: number;
  at: string;
  dir: string;
  src: string;
  dst: string;
};

interface Case {
  case: string;
  from: string;
  does: string;
  seen: Row[];
  result: string;
}

const NETWORK = "10.244.0.0/16";
const VIP = "10.96.10.1";
const NODE_PORT = 30080;

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  const nodeState = file.json.nodeState as string[];
  for (const c of casesOf<Case>(file)) {
    const { seen, result } = new World(nodeState, c).run();
    const wanted = c.seen.map(withoutTime);
    const order = orderFault(c.seen, seen);
    tally.same(c.case, () => ({ seen: asSet(seen), result, order }), {
      ...{ seen: asSet(wanted), result: c.result, order: "" },
    });
  }
  return tally.result();
}

function withoutTime({ us: _, ...row }: Row): object {
  const { outer, ...rest } = row as { outer?: Record<string, unknown> };
  const { srcPort: __, ...kept } = outer ?? {};
  return masked(outer ? { ...rest, outer: kept } : rest);
}

/** Ports of five digits vary. */
function masked(row: Record<string, unknown>): Record<string, unknown> {
  const mask = (text: unknown) => String(text).replace(/:\d{5}$/, ":port");
  return { ...row, src: mask(row.src), dst: mask(row.dst) };
}

function textOf(row: object): string {
  return JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function asSet(rows: readonly object[]): string[] {
  return rows.map(textOf).toSorted();
}

/** Sightings more than 1 us apart have to come in the recorded order. */
function orderFault(recorded: readonly Row[], seen: readonly object[]): string {
  const place = new Map(seen.map((row, i) => [textOf(row), i]));
  const sorted = recorded.toSorted((a, b) => a.us - b.us);
  for (const [i, row] of sorted.entries()) {
    for (const later of sorted.slice(i + 1)) {
      if (later.us - row.us <= 1) continue;
      const [first, second] = [row, later].map((each) => place.get(textOf(withoutTime(each))));
      if (first === undefined || second === undefined || first < second) continue;
      return `${row.at} at ${row.us} us came after ${later.at} at ${later.us} us`;
    }
  }
  return "";
}

class World {
  private readonly c: Case;
  private readonly wires = new Wires();
  private readonly spaces = new Map<string, NetworkNamespace>();
  private readonly random = new Random(1);
  private readonly rows: object[] = [];
  private readonly known = new Set<string>();
  private readonly walk: Walk;
  private serverSaw = "";
  private answered = false;
  private target = { ip: "", port: 0 };

  constructor(nodeState: readonly string[], c: Case) {
    this.c = c;
    this.walk = new Walk({
      wires: this.wires,
      random: (bound) => this.random.int(bound),
      onSighting: (sighting) => this.note(sighting),
      deliver: (namespace, packet) => this.deliver(namespace, packet),
    });
    for (const section of sectionsOf(nodeState)) this.addNode(section);
    for (const pod of ["11", "12", "21", "31"]) this.addPod(pod[0]!, pod[1]!);
    const ext = this.space("ext");
    const link = ext.addLink({ name: "eth0", kind: "ethernet", mac: "02:00:00:00:00:99" });
    ext.addAddress(link, "192.168.0.99/24");
    this.wires.plug(link, "lan");
    this.addServices();
  }

  private space(name: string): NetworkNamespace {
    const found = this.spaces.get(name) ?? new NetworkNamespace(name);
    this.spaces.set(name, found);
    return found;
  }

  private addNode({ name, lines }: Section): void {
    const node = this.space(name);
    const index = name.slice(1);
    node.sysctl.set("net.ipv4.ip_forward", "1");
    const nf = /bridge-nf-call-iptables 0/.test(this.c.case) ? "0" : "1";
    node.sysctl.set("net.bridge.bridge-nf-call-iptables", nf);
    const eth0 = node.addLink({ name: "eth0", kind: "ethernet", mac: `02:00:00:00:00:1${index}` });
    this.wires.plug(eth0, "lan");
    node.addLink({ name: "cni0", kind: "bridge", mac: `0e:00:00:00:0${index}:01`, mtu: 1450 });
    let device = "";
    for (const line of lines) {
      device = /^\d+: ([\w.]+)/.exec(line)?.[1] ?? device;
      readLine(node, device, line);
    }
    const subnet = `10.244.${index}.0/24`;
    addFlannelRules(node, NETWORK, subnet);
  }

  private addPod(node: string, number: string): void {
    const host = this.space(`n${node}`);
    const pod = this.space(`p${node}${number}`);
    const mac = `0e:00:00:00:0${node}:1${number}`;
    const inside = pod.addLink({ name: "eth0", kind: "veth", mac, mtu: 1450 });
    const name = `vp${node}${number}`;
    const outside = host.addLink({ name, kind: "veth", mac: `0e:00:00:00:0${node}:2${number}` });
    Object.assign(inside, { peer: outside });
    Object.assign(outside, { peer: inside, master: host.links.get("cni0"), hairpin: true });
    pod.addAddress(inside, `10.244.${node}.${Number(number) + 1}/24`);
    pod.addRoute({ destination: "0.0.0.0/0", gateway: `10.244.${node}.1`, device: "eth0" });
  }

  /** The service's endpoint is the Pod whose port 8080 was seen. */
  private addServices(): void {
    const found = this.c.seen
      .map(({ dst }) => /^(10\.244\.\d+\.\d+):8080$/.exec(dst)?.[1])
      .find(Boolean);
    const ip = found ?? "10.244.2.2";
    const policy = /policy local/i.test(this.c.case) ? "Local" : "Cluster";
    const service: Service = {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web", namespace: "default" },
      spec: {
        ...{ type: "NodePort", clusterIP: VIP, externalTrafficPolicy: policy },
        ports: [{ name: "http", protocol: "TCP", port: 80, nodePort: NODE_PORT }],
      },
    };
    const slice: EndpointSlice = {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { name: "web-1", namespace: "default" },
      addressType: "IPv4",
      ports: [{ name: "http", port: 8080, protocol: "TCP" }],
      endpoints: [
        { addresses: [ip], nodeName: `n${ip.split(".")[2]}`, conditions: { ready: true } },
      ],
    };
    for (const [name, node] of this.spaces) {
      if (!name.startsWith("n")) continue;
      const nodeIPs = [`192.168.0.1${name.slice(1)}`];
      const place = { nodeName: name, nodeIPs, zone: "" };
      const config = { ...place, clusterCIDR: NETWORK, serviceCIDR: "10.96.0.0/12" };
      node.nftables = new Nftables();
      const ports = servicePorts(service, [slice], name);
      node.nftables.load([...nftablesBase(config), ...nftablesRules(ports, config)]);
    }
  }

  run() {
    const [, ping, ip, port] = /^(?:(ping) .*?|tcp )([\d.]+)(?: (\d+))?$/.exec(this.c.does) ?? [];
    const from = this.space(this.c.from);
    const src = from.links.get("eth0")!.addresses[0]!.ip;
    this.target = { ip: ip ?? "", port: Number(port ?? 0) };
    this.walk.send(from, {
      ...{ protocol: ping ? "icmp" : "tcp", src, dst: this.target.ip, way: "request", mark: 0 },
      ...{ srcPort: ping ? 0 : 40_000, dstPort: this.target.port, ttl: 64, bytes: ping ? 84 : 60 },
    });
    return { seen: this.rows, result: this.result(Boolean(ping), src) };
  }

  private result(ping: boolean, src: string): string {
    const { ip } = this.target;
    if (ping) return `PING ${ip} (${ip}) 56(84) bytes of data.`;
    if (!this.answered) return "TimeoutError: timed out";
    return `server saw ${this.serverSaw} client was ${src}`;
  }

  /** A server answers; the client takes only what it asked for. */
  private deliver(namespace: NetworkNamespace, packet: Packet): void {
    const { src, dst, srcPort, dstPort, way } = packet;
    if (way === "reply") {
      const { ip, port } = this.target;
      this.answered = src === ip && srcPort === port;
      return;
    }
    this.serverSaw = src;
    const { protocol, bytes } = packet;
    this.walk.send(namespace, {
      ...{ protocol, bytes, way: "reply", mark: 0, ttl: 64 },
      ...{ src: dst, srcPort: dstPort, dst: src, dstPort: srcPort },
    });
  }

  /** Each point lists the first packet of each direction and address form. */
  private note({ link, frame }: Sighting): void {
    const at = `${link.namespace.path} ${link.name}`;
    const row = masked(rowOf(at, frame));
    const form = `${at} ${row.dir} ${row.src} ${row.dst}`;
    if (this.known.has(form)) return;
    this.known.add(form);
    this.rows.push(row);
  }
}

function rowOf(at: string, frame: Frame): Record<string, unknown> {
  const { packet } = frame.inner ?? frame;
  const { ttl, way } = packet;
  const head = { srcMac: frame.srcMac, dstMac: frame.dstMac, frame: frameBytes(frame), ttl };
  const src = endpointOf(packet.src, packet.srcPort);
  const dst = endpointOf(packet.dst, packet.dstPort);
  const row = { ...head, src, dst, dir: way, at };
  if (!frame.inner) return row;
  const { src: from, dst: to, dstPort, ttl: outerTtl } = frame.packet;
  const inner = frame.inner;
  return {
    ...row,
    outer: { src: from, dst: to, dstPort, ttl: outerTtl, vni: frame.vni },
    ...{ innerSrcMac: inner.srcMac, innerDstMac: inner.dstMac, innerFrame: frameBytes(inner) },
  };
}

interface Section {
  name: string;
  lines: string[];
}

function sectionsOf(lines: readonly string[]): Section[] {
  const sections: Section[] = [];
  for (const line of lines) {
    const name = /^## node (\w+)/.exec(line)?.[1];
    if (name) sections.push({ name, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

/** One line of `ip link`, `ip addr`, `ip route`, `ip neigh` or `bridge fdb`. */
function readLine(node: NetworkNamespace, device: string, line: string): void {
  const link = node.links.get(device);
  const ether = /^\s+link\/ether (\S+)/.exec(line);
  if (ether && !link) node.addLink({ name: device, kind: "vxlan", mac: ether[1]!, mtu: 1450 });
  const vxlan = /^\s+vxlan id (\d+) local (\S+) dev (\S+) .*dstport (\d+)/.exec(line);
  if (vxlan && link) {
    const [, id, local = "", dev = "", port] = vxlan;
    link.vxlan = { id: Number(id), local, device: dev, port: Number(port), learning: false };
  }
  const inet = /^\s+inet (\S+) scope global/.exec(line);
  if (inet && link) node.addAddress(link, inet[1]!);
  const route = /^(default|[\d.]+\/\d+) via (\S+) dev (\S+)( onlink)?/.exec(line);
  if (route) {
    const [, to = "", gateway, dev, onlink] = route;
    const destination = to === "default" ? "0.0.0.0/0" : to;
    node.addRoute({ destination, gateway, device: dev, onlink: Boolean(onlink) });
  }
  const neighbour = /^(\S+) lladdr (\S+) PERMANENT/.exec(line);
  if (neighbour) node.neighbours.set(neighbour[1]!, neighbour[2]!);
  const entry = /^([0-9a-f:]{17}) dst (\S+) self permanent/.exec(line);
  const tunnel = [...node.links.values()].find(({ kind }) => kind === "vxlan");
  if (entry && tunnel) (tunnel.fdb ??= new Map()).set(entry[1]!, entry[2]!);
}
