import { describe, expect, it } from "vitest";
import type { EndpointSlice } from "../../../sim/src/api/kinds/endpointslice.ts";
import type { Service } from "../../../sim/src/api/kinds/service.ts";
import { Random } from "../../../sim/src/kernel/index.ts";
import { GracefulTermination } from "../../../sim/src/kube-proxy/graceful-termination.ts";
import { iptablesRules } from "../../../sim/src/kube-proxy/iptables.ts";
import { ipvsRules } from "../../../sim/src/kube-proxy/ipvs.ts";
import { serviceChain } from "../../../sim/src/kube-proxy/names.ts";
import { nftablesBase, nftablesRules } from "../../../sim/src/kube-proxy/nftables.ts";
import { PROGRAM } from "../../../sim/src/kube-proxy/programs.ts";
import { servicePorts } from "../../../sim/src/kube-proxy/service-ports.ts";
import { NetworkNamespace } from "../../../sim/src/network/namespace.ts";
import { passHook } from "../../../sim/src/network/netfilter.ts";
import { Nftables } from "../../../sim/src/network/nftables.ts";
import type { Packet } from "../../../sim/src/network/packet.ts";

const CONFIG = {
  ...{ nodeName: "n1", nodeIPs: ["192.168.0.11"], zone: "" },
  ...{ clusterCIDR: "10.244.0.0/16", serviceCIDR: "10.96.0.0/12" },
};

function portsOf(endpoints: readonly string[], spec: Partial<Service["spec"]> = {}) {
  const service: Service = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web", namespace: "default" },
    spec: {
      ...{ type: "NodePort", clusterIP: "10.96.10.1" },
      ports: [{ name: "http", protocol: "TCP", port: 80, nodePort: 30080 }],
      ...spec,
    },
  };
  const slice: EndpointSlice = {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name: "web-1", namespace: "default" },
    addressType: "IPv4",
    ports: [{ name: "http", port: 8080, protocol: "TCP" }],
    endpoints: endpoints.map((address) => ({ addresses: [address], conditions: { ready: true } })),
  };
  return servicePorts(service, [slice], "n1");
}

type Mode = "iptables" | "nftables";

function nodeWith(mode: Mode, ports: ReturnType<typeof portsOf>): NetworkNamespace {
  const node = new NetworkNamespace("n1");
  const eth0 = node.addLink({ name: "eth0", kind: "ethernet", mac: "02:00:00:00:00:11" });
  node.addAddress(eth0, "192.168.0.11/24");
  if (mode === "nftables") {
    node.nftables = new Nftables();
    node.nftables.load([...nftablesBase(CONFIG), ...nftablesRules(ports, CONFIG)]);
    return node;
  }
  const { nat, filter } = iptablesRules(ports, CONFIG);
  for (const [chain, rules] of nat) node.iptables.setChain("nat", chain, rules);
  for (const [chain, rules] of filter) node.iptables.setChain("filter", chain, rules);
  node.iptables.ensureRule("nat", "PREROUTING", "-j KUBE-SERVICES");
  node.iptables.ensureRule("filter", "FORWARD", "-j KUBE-SERVICES");
  return node;
}

function packetTo(dst: string, dstPort: number, srcPort: number): Packet {
  const head = { protocol: "tcp", src: "10.244.1.9", dst, srcPort, dstPort } as const;
  return { ...head, ttl: 64, bytes: 60, way: "request", mark: 0 };
}

/** Where so many new connections end up. */
function targets(mode: Mode, endpoints: readonly string[], dst: string, port: number, times = 300) {
  const node = nodeWith(mode, portsOf(endpoints));
  const random = new Random(`${mode}`);
  const host = { random: (bound: number) => random.int(bound) };
  const counts = new Map<string, number>();
  for (let i = 0; i < times; i++) {
    const packet = packetTo(dst, port, 20_000 + i);
    passHook(host, node, "prerouting", packet);
    const target = `${packet.dst}:${packet.dstPort}`;
    counts.set(target, (counts.get(target) ?? 0) + 1);
  }
  return counts;
}

const ENDPOINTS = ["10.244.1.5", "10.244.2.6", "10.244.3.7"];
const TARGETS = ENDPOINTS.map((ip) => `${ip}:8080`);

describe("the proxies' rules, executed", () => {
  it.each(["iptables", "nftables"] as const)(
    "%s spreads connections over all endpoints, evenly",
    (mode) => {
      for (const [dst, port] of [
        ["10.96.10.1", 80],
        ["192.168.0.11", 30080],
      ] as const) {
        const counts = targets(mode, ENDPOINTS, dst, port);
        expect([...counts.keys()].toSorted()).toEqual(TARGETS);
        for (const count of counts.values()) expect(count).toBeGreaterThan(60);
      }
    },
  );

  it("ipvs has the same endpoints as real servers", () => {
    const { virtualServers } = ipvsRules(portsOf(ENDPOINTS), CONFIG);
    for (const { realServers } of virtualServers) {
      expect(realServers).toEqual(TARGETS.map((target) => `${target} weight 1`));
    }
  });

  it.each(["iptables", "nftables"] as const)(
    "%s keeps a connection at its endpoint (misconception 44)",
    (mode) => {
      const node = nodeWith(mode, portsOf(ENDPOINTS));
      const random = new Random(1);
      const host = { random: (bound: number) => random.int(bound) };
      const seen = new Set<string>();
      for (let i = 0; i < 50; i++) {
        const packet = packetTo("10.96.10.1", 80, 40_000);
        passHook(host, node, "prerouting", packet);
        seen.add(packet.dst);
      }
      expect(seen.size).toBe(1);
    },
  );

  it.each(["iptables", "nftables"] as const)("%s refuses a Service without endpoints", (mode) => {
    const node = nodeWith(mode, portsOf([]));
    const host = { random: () => 0 };
    const packet = packetTo("10.96.10.1", 80, 40_000);
    expect(passHook(host, node, "prerouting", packet)).toBe(true);
    expect(packet.dst).toBe("10.96.10.1");
    expect(passHook(host, node, "forward", packet)).toBe(false);
  });

  it("puts a ClusterIP on no interface but that of ipvs (misconception 43)", () => {
    expect(nodeWith("iptables", portsOf(ENDPOINTS)).linkOf("10.96.10.1")).toBeUndefined();
    expect(ipvsRules(portsOf(ENDPOINTS), CONFIG).addresses).toEqual(["10.96.10.1"]);
  });

  const many = (count: number) =>
    Array.from({ length: count }, (_, i) => `10.244.${i >> 8}.${i & 255}`);

  it("leaves out the comments of more than 1,000 endpoints", () => {
    const endpointRules = (count: number) => {
      const { nat } = iptablesRules(portsOf(many(count)), CONFIG);
      const [[, sep]] = [...nat].filter(([chain]) => chain.startsWith("KUBE-SEP-")) as [
        [string, readonly string[]],
      ];
      const last = nat.get(serviceChain("SVC", "default/web:http", "tcp"))!.at(-1)!;
      return [last, ...sep].map((rule) => rule.replace(/KUBE-SEP-\w+/, "KUBE-SEP-X"));
    };
    const comment = "-m comment --comment default/web:http ";
    const dnat = "-m tcp -p tcp -j DNAT --to-destination 10.244.0.0:8080";
    expect(endpointRules(1000)).toEqual([
      '-m comment --comment "default/web:http -> 10.244.3.9:8080" -j KUBE-SEP-X',
      `${comment}-s 10.244.0.0 -j KUBE-MARK-MASQ`,
      `${comment}${dnat}`,
    ]);
    expect(endpointRules(1001)).toEqual(["-j KUBE-SEP-X", "-s 10.244.0.0 -j KUBE-MARK-MASQ", dnat]);
    // Those of the Service itself stay.
    const { nat } = iptablesRules(portsOf(many(1001)), CONFIG);
    expect(nat.get("KUBE-SERVICES")?.[0]).toContain('--comment "default/web:http cluster IP"');
  });

  it("looks for chains of many endpoints that are not needed every 30 s only", () => {
    const node = new NetworkNamespace("n1");
    const cleaned = { atMs: Number.NEGATIVE_INFINITY };
    const chains = (ports: ReturnType<typeof portsOf>, nowMs: number) => {
      const graceful = new GracefulTermination();
      PROGRAM.iptables(node, ports, CONFIG, { mac: () => "", graceful, cleaned, nowMs });
      return node.iptables.chains("nat").filter((chain) => chain.startsWith("KUBE-SEP-")).length;
    };
    expect(chains(portsOf(many(1010)), 0)).toBe(1010);
    expect(chains(portsOf(many(1005)), 30_000)).toBe(1010);
    expect(chains(portsOf(many(1005)), 30_001)).toBe(1005);
    expect(chains(portsOf(many(3)), 30_002)).toBe(3);
  });

  it("makes no rules for a headless Service", () => {
    expect(portsOf(ENDPOINTS, { clusterIP: "None" })).toEqual([]);
  });
});
