/**
 * Laws of the proxies: the same packet goes to the same set of endpoints.
 * The node, its clients and all endpoints hang on wires, and packets travel.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EndpointSlice } from "../../../sim/src/api/kinds/endpointslice.ts";
import type { Service } from "../../../sim/src/api/kinds/service.ts";
import { Random } from "../../../sim/src/kernel/index.ts";
import { GracefulTermination } from "../../../sim/src/kube-proxy/graceful-termination.ts";
import { installRules } from "../../../sim/src/kube-proxy/install.ts";
import { iptablesRules } from "../../../sim/src/kube-proxy/iptables.ts";
import { JUMPS } from "../../../sim/src/kube-proxy/iptables-external.ts";
import { ipvsRules } from "../../../sim/src/kube-proxy/ipvs.ts";
import { installIpvs } from "../../../sim/src/kube-proxy/ipvs-install.ts";
import { nftablesBase, nftablesRules } from "../../../sim/src/kube-proxy/nftables.ts";
import { type ServicePort, servicePorts } from "../../../sim/src/kube-proxy/service-ports.ts";
import { inCidr } from "../../../sim/src/network/ip.ts";
import { NetworkNamespace } from "../../../sim/src/network/namespace.ts";
import { Nftables } from "../../../sim/src/network/nftables.ts";
import type { Packet } from "../../../sim/src/network/packet.ts";
import { Walk } from "../../../sim/src/network/walk.ts";
import { Wires } from "../../../sim/src/network/wires.ts";

const NODE = "192.168.0.11";
const CONFIG = {
  ...{ nodeName: "n1", nodeIPs: [NODE], zone: "" },
  ...{ clusterCIDR: "10.244.0.0/16", serviceCIDR: "10.96.0.0/12" },
};
const MODES = ["iptables", "nftables", "ipvs"] as const;
type Mode = (typeof MODES)[number];

/** Where a client is: its addresses begin so. */
const CLIENTS = { pod: "10.244.1.", outside: "203.0.113.", node: NODE } as const;
const TARGETS = {
  clusterIP: ["10.96.10.1", 80],
  nodePort: [NODE, 30_080],
  loadBalancer: ["198.51.100.7", 80],
  externalIP: ["198.51.100.8", 80],
} as const;
/** Half of the clients outside are in it. */
const RANGE = "203.0.113.0/27";

/** From a node's process there is one client alone: it has no set to see. */
const settled = (one: Case): Case => ({ ...one, affinity: one.affinity && one.from !== "node" });
const policy = fc.constantFrom("Cluster", "Local");
const cases = fc.record({
  endpoints: fc.array(
    fc.record({ ready: fc.boolean(), terminating: fc.boolean(), here: fc.boolean() }),
    { maxLength: 3 },
  ),
  ...{ externalTrafficPolicy: policy, internalTrafficPolicy: policy },
  ...{
    affinity: fc.boolean(),
    ranges: fc.boolean(),
    type: fc.constantFrom("internal", "external"),
  },
  from: fc.constantFrom("pod", "outside", "node"),
  to: fc.constantFrom("clusterIP", "nodePort", "loadBalancer", "externalIP"),
} as const);
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

const CASE: Case = {
  endpoints: [0, 1, 2].map(() => ({ ready: true, terminating: false, here: false })),
  ...{ externalTrafficPolicy: "Cluster", internalTrafficPolicy: "Cluster", type: "external" },
  ...{ affinity: false, ranges: false, from: "pod", to: "clusterIP" },
};

function portsOf(one: Case): ServicePort[] {
  const { externalTrafficPolicy, internalTrafficPolicy, affinity, ranges, type } = one;
  const external = type === "external";
  const service: Service = {
    ...{ apiVersion: "v1", kind: "Service", metadata: { name: "web", namespace: "default" } },
    spec: {
      ...{ type: external ? "LoadBalancer" : "ClusterIP", clusterIP: TARGETS.clusterIP[0] },
      ...{ internalTrafficPolicy, sessionAffinity: affinity ? "ClientIP" : "None" },
      ...(external && { externalTrafficPolicy, externalIPs: [TARGETS.externalIP[0]] }),
      ...(external && ranges && { loadBalancerSourceRanges: [RANGE, CONFIG.clusterCIDR] }),
      ports: [
        {
          ...{ name: "http", protocol: "TCP", port: 80 },
          ...(external && { nodePort: TARGETS.nodePort[1] }),
        },
      ],
    },
    ...(external && { status: { loadBalancer: { ingress: [{ ip: TARGETS.loadBalancer[0] }] } } }),
  };
  const slice: EndpointSlice = {
    ...{ apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice" },
    metadata: { name: "web-1", namespace: "default" },
    addressType: "IPv4",
    ports: [{ name: "http", port: 8080, protocol: "TCP" }],
    endpoints: one.endpoints.map(({ ready, terminating, here }, i) => ({
      addresses: [`10.244.2.${i + 2}`],
      nodeName: here ? "n1" : "n2",
      conditions: { ready: ready && !terminating, serving: ready, terminating },
    })),
  };
  return servicePorts(service, [slice], "n1");
}

/** A namespace with one interface on a wire. */
function plugged(wires: Wires, wire: string, ip: string, gateway = ""): NetworkNamespace {
  const namespace = new NetworkNamespace(wire);
  add(wires, namespace, wire, ip);
  if (gateway) namespace.addRoute({ destination: "0.0.0.0/0", gateway, device: wire });
  return namespace;
}

let macs = 0;
function add(wires: Wires, namespace: NetworkNamespace, wire: string, ip: string) {
  const link = namespace.addLink({ name: wire, kind: "ethernet", mac: `02:00:00:00:00:${macs++}` });
  namespace.addAddress(link, ip);
  wires.plug(link, wire);
}

class World {
  readonly node: NetworkNamespace;
  private readonly client: NetworkNamespace;
  private readonly walk: Walk;
  private arrived: Packet[] = [];
  private lost = "";
  nowMs = 0;
  private readonly graceful = new GracefulTermination();

  constructor(mode: Mode, one: Case, seed = 1) {
    const wires = new Wires();
    this.node = plugged(wires, "eth0", `${NODE}/24`);
    add(wires, this.node, "pods", "10.244.2.1/24");
    add(wires, this.node, "clients", "10.0.0.1/24");
    this.node.sysctl.set("net.ipv4.ip_forward", "1");
    for (const destination of ["10.244.1.0/24", "203.0.113.0/24"]) {
      this.node.addRoute({ destination, gateway: "10.0.0.2", device: "clients" });
    }
    this.client = plugged(wires, "clients", "10.0.0.2/24", "10.0.0.1");
    const pods = plugged(wires, "pods", "10.244.2.254/24", "10.244.2.1");
    for (let i = 2; i < 6; i++) pods.addAddress(pods.links.get("pods")!, `10.244.2.${i}/32`);
    const random = new Random(seed);
    this.walk = new Walk({
      ...{ wires, random: (bound) => random.int(bound), now: () => this.nowMs },
      onSighting: () => {},
      onLost: (_, reason) => {
        this.lost = reason;
      },
      deliver: (namespace, packet) => {
        if (namespace === pods) this.arrived.push(packet);
      },
    });
    this.program(mode, portsOf(one));
  }

  program(mode: Mode, ports: readonly ServicePort[]): void {
    const { node } = this;
    if (mode === "iptables") installRules(node, iptablesRules(ports, CONFIG), JUMPS);
    if (mode === "ipvs") {
      const { nowMs, graceful } = this;
      const moment = { nowMs, graceful, cleaned: { atMs: 0 } };
      const mac = () => "02:00:00:00:00:99";
      installIpvs(node, ipvsRules(ports, CONFIG), { ...moment, mac });
    }
    if (mode !== "nftables") return;
    node.nftables = new Nftables(node.nftables);
    node.nftables.load([...nftablesBase(CONFIG), ...nftablesRules(ports, CONFIG)]);
  }

  /** Sends a first packet; says who got it, and as whose. */
  send({ from, to }: Case, i: number, srcPort = 20_000 + i) {
    this.arrived = [];
    this.lost = "";
    const [dst, dstPort] = TARGETS[to];
    // A process speaks to an address of its own machine as that address.
    const own = this.node.linkOf(dst) ? dst : NODE;
    const src = from === "node" ? own : `${CLIENTS[from]}${i + 2}`;
    const packet: Packet = {
      ...{ protocol: "tcp", src, srcPort, dst, dstPort },
      ...{ ttl: 64, bytes: 60, way: "request", mark: 0 },
    };
    this.walk.send(from === "node" ? this.node : this.client, packet);
    const [arrived] = this.arrived;
    const { lost } = this;
    return { client: src, to: arrived?.dst ?? "", port: arrived?.dstPort, as: arrived?.src, lost };
  }
}

/**
 * Endpoints that answer some of the clients. What reaches an endpoint of
 * another node with the address of somebody outside is answered past this
 * node, and the client throws the answer away.
 */
function served(mode: Mode, one: Case): string[] {
  const world = new World(mode, one);
  const found = new Set<string>();
  for (let i = 0; i < 60; i++) {
    const { to, port, as = "" } = world.send(one, i);
    if (!to) continue;
    expect(port).toBe(8080);
    const here = one.endpoints[Number(to.split(".")[3]) - 2]?.here;
    const back = as === "10.244.2.1" || inCidr(as, "10.244.1.0/24") || as === NODE;
    if (here || back) found.add(to);
  }
  return [...found].toSorted();
}

/** What the Service says, in plain words; the clients that it says it of are let in. */
function wanted(one: Case): { all: string[]; local: string[] } {
  const of = (which: (endpoint: Case["endpoints"][number]) => boolean) =>
    one.endpoints.flatMap((endpoint, i) => (which(endpoint) ? [`10.244.2.${i + 2}`] : []));
  const choose = (here: (endpoint: Case["endpoints"][number]) => boolean) => {
    const ready = of((e) => here(e) && e.ready && !e.terminating);
    return ready.length > 0 ? ready : of((e) => here(e) && e.ready && e.terminating);
  };
  return { all: choose(() => true), local: choose(({ here }) => here) };
}

function expected(mode: Mode, one: Case): string[] {
  const { to, from, type } = one;
  const inside = from !== "outside";
  const { all, local } = wanted(one);
  if (to === "clusterIP") {
    if (one.internalTrafficPolicy === "Cluster") return all;
    // Where ipvs differs: it takes the others, if it serves them to anybody.
    return mode === "ipvs" && type === "external" && local.length === 0 ? all : local;
  }
  if (type === "internal") return [];
  // The node is in none of the ranges.
  if (to === "loadBalancer" && one.ranges && from === "node") return [];
  if (one.externalTrafficPolicy === "Cluster") return all;
  // Where ipvs differs: Pods and the node, too, get the local ones if any;
  // from one of its Service's addresses, the node gets no others either.
  if (mode === "ipvs" && from === "node" && to !== "nodePort") return local;
  if (inside) return mode === "ipvs" && local.length > 0 ? local : all;
  return local;
}

describe("the proxies", () => {
  it.each(MODES)("%s sends each packet to the endpoints that the Service says", (mode) => {
    fc.assert(
      fc.property(cases, (one) => {
        expect(served(mode, settled(one))).toEqual(expected(mode, one));
      }),
      { numRuns: 60 },
    );
  });

  it("send the same packet to the same set, but where policy Local has ipvs differ", () => {
    fc.assert(
      fc.property(cases, (one) => {
        const [iptables, nftables, ipvs] = MODES.map((mode) => served(mode, settled(one)));
        expect(nftables).toEqual(iptables);
        const local =
          one.to === "clusterIP" ? one.internalTrafficPolicy : one.externalTrafficPolicy;
        if (local === "Cluster") expect(ipvs).toEqual(iptables);
      }),
      { numRuns: 30 },
    );
  });

  it.each(MODES)("%s lets in a load balancer's own source ranges alone", (mode) => {
    const world = new World(mode, { ...CASE, ranges: true });
    const one = { ...CASE, from: "outside", to: "loadBalancer" } as const;
    for (let i = 0; i < 60; i++) {
      const { to, client } = world.send(one, i);
      expect(to !== "", client).toBe(inCidr(client, RANGE));
    }
  });

  it.each(MODES)("%s keeps a client at its endpoint, for its time", (mode) => {
    const one = { ...CASE, affinity: true };
    const world = new World(mode, one, 2);
    const places = Array.from({ length: 20 }, (_, i) => world.send(one, 7, 20_000 + i).to);
    expect(new Set(places).size).toBe(1);
    expect(places[0]).toMatch(/^10\.244\.2\./);
    const others = Array.from({ length: 20 }, (_, i) => world.send(one, 20 + i).to);
    expect(new Set(others).size).toBe(3);
  });

  it.each(MODES)("%s keeps it through syncs, and no longer than its time", (mode) => {
    const one = { ...CASE, affinity: true };
    const firsts = Array.from({ length: 12 }, (_, seed) => {
      const world = new World(mode, one, seed);
      const first = world.send(one, 7, 20_000).to;
      world.nowMs = 9_000_000;
      world.program(mode, portsOf(one));
      expect(world.send(one, 7, 20_001).to).toBe(first);
      // Three hours are counted from the last connection.
      world.nowMs = 19_000_000;
      expect(world.send(one, 7, 20_002).to).toBe(first);
      world.nowMs += 10_800_001;
      return world.send(one, 7, 20_003).to === first;
    });
    expect(firsts).toContain(false);
  });

  it.each(MODES)("%s tells a client at once that nobody serves the Service", (mode) => {
    for (const from of ["pod", "node"] as const) {
      const one = { ...CASE, endpoints: [], from };
      expect(new World(mode, one).send(one, 1).lost).toBe("rejected by a rule");
    }
  });
});
