/** Laws of the proxies: the same packet goes to the same set of endpoints. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EndpointSlice } from "../../../sim/src/api/kinds/endpointslice.ts";
import type { Service } from "../../../sim/src/api/kinds/service.ts";
import { Random } from "../../../sim/src/kernel/index.ts";
import { iptablesRules } from "../../../sim/src/kube-proxy/iptables.ts";
import { nftablesBase, nftablesRules } from "../../../sim/src/kube-proxy/nftables.ts";
import { servicePorts } from "../../../sim/src/kube-proxy/service-ports.ts";
import { NetworkNamespace } from "../../../sim/src/network/namespace.ts";
import { passHook } from "../../../sim/src/network/netfilter.ts";
import { Nftables } from "../../../sim/src/network/nftables.ts";
import type { Packet } from "../../../sim/src/network/packet.ts";

const CONFIG = {
  ...{ nodeName: "n1", nodeIPs: ["192.168.0.11"], zone: "" },
  ...{ clusterCIDR: "10.244.0.0/16", serviceCIDR: "10.96.0.0/12" },
};

const policy = fc.constantFrom("Cluster", "Local");
const cases = fc.record({
  endpoints: fc.array(
    fc.record({ ready: fc.boolean(), terminating: fc.boolean(), here: fc.boolean() }),
    { maxLength: 4 },
  ),
  externalTrafficPolicy: policy,
  internalTrafficPolicy: policy,
  affinity: fc.boolean(),
  // From a Pod, or from outside of the cluster.
  src: fc.constantFrom("10.244.1.9", "203.0.113.10"),
  to: fc.constantFrom(["10.96.10.1", 80] as const, ["192.168.0.11", 30_080] as const),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

function nodeOf(mode: "iptables" | "nftables", one: Case): NetworkNamespace {
  const { externalTrafficPolicy, internalTrafficPolicy, affinity } = one;
  const service: Service = {
    ...{ apiVersion: "v1", kind: "Service", metadata: { name: "web", namespace: "default" } },
    spec: {
      ...{ type: "NodePort", clusterIP: "10.96.10.1" },
      ...{ externalTrafficPolicy, internalTrafficPolicy },
      sessionAffinity: affinity ? "ClientIP" : "None",
      ports: [{ name: "http", protocol: "TCP", port: 80, nodePort: 30_080 }],
    },
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
  const ports = servicePorts(service, [slice], "n1");
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
  return node;
}

/** Where so many new connections end up; each on a node of its own memory. */
function targets(mode: "iptables" | "nftables", one: Case): string[] {
  const random = new Random(1);
  const host = { random: (bound: number) => random.int(bound) };
  const found = new Set<string>();
  const shared = nodeOf(mode, one);
  for (let i = 0; i < 60; i++) {
    const node = one.affinity ? nodeOf(mode, one) : shared;
    const [dst, dstPort] = one.to;
    const packet: Packet = {
      ...{ protocol: "tcp", src: one.src, srcPort: 20_000 + i, dst, dstPort },
      ...{ ttl: 64, bytes: 60, way: "request", mark: 0 },
    };
    if (passHook(host, node, "prerouting", packet)) found.add(`${packet.dst}:${packet.dstPort}`);
  }
  return [...found].toSorted();
}

describe("the proxies", () => {
  it("send the same packet to the same set of endpoints", () => {
    fc.assert(
      fc.property(cases, (one) => {
        const unserved = `${one.to[0]}:${one.to[1]}`;
        const served = (mode: "iptables" | "nftables") =>
          targets(mode, one).filter((target) => target !== unserved);
        expect(served("iptables")).toEqual(served("nftables"));
      }),
      { numRuns: 40 },
    );
  });

  it.each(["iptables", "nftables"] as const)("%s keeps a client at its endpoint", (mode) => {
    const random = new Random(2);
    const host = { random: (bound: number) => random.int(bound) };
    const endpoints = [0, 1, 2].map(() => ({ ready: true, terminating: false, here: false }));
    const node = nodeOf(mode, {
      ...{ endpoints, externalTrafficPolicy: "Cluster", internalTrafficPolicy: "Cluster" },
      ...{ affinity: true, src: "10.244.1.9", to: ["10.96.10.1", 80] },
    });
    const found = new Set<string>();
    for (let i = 0; i < 30; i++) {
      const packet: Packet = {
        ...{ protocol: "tcp", src: "10.244.1.9", srcPort: 20_000 + i },
        ...{ dst: "10.96.10.1", dstPort: 80, ttl: 64, bytes: 60, way: "request", mark: 0 },
      };
      passHook(host, node, "prerouting", packet);
      found.add(packet.dst);
    }
    expect(found.size).toBe(1);
    expect([...found][0]).toMatch(/^10\.244\.2\./);
  });
});
