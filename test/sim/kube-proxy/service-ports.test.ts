/** What a proxy reads out of Services and slices, and the rules of rare ones. */
import { describe, expect, it } from "vitest";
import type { Endpoint, EndpointSlice } from "../../../sim/src/api/kinds/endpointslice.ts";
import type { Service } from "../../../sim/src/api/kinds/service.ts";
import { iptablesRules } from "../../../sim/src/kube-proxy/iptables.ts";
import { ipvsRules } from "../../../sim/src/kube-proxy/ipvs.ts";
import { probabilityOf, serviceChain } from "../../../sim/src/kube-proxy/names.ts";
import { nftablesRules } from "../../../sim/src/kube-proxy/nftables.ts";
import { servicePorts } from "../../../sim/src/kube-proxy/service-ports.ts";

const CONFIG = {
  ...{ nodeName: "n1", nodeIPs: ["192.168.0.11"], zone: "" },
  ...{ clusterCIDR: "10.244.0.0/16", serviceCIDR: "10.96.0.0/12" },
};
const HTTP = { name: "http", protocol: "TCP", port: 80 };
const ready = (ip: string, more: object = {}): Endpoint => ({
  ...{ addresses: [ip], conditions: { ready: true } },
  ...more,
});

function sliceOf(endpoints: Endpoint[], ports: EndpointSlice["ports"]): EndpointSlice {
  return {
    ...{ apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", addressType: "IPv4" },
    metadata: { name: "web-1", namespace: "default" },
    ...{ endpoints, ports },
  };
}

interface World {
  spec?: Partial<Service["spec"]>;
  ingress?: { ip?: string; ipMode?: string }[];
  slices?: EndpointSlice[];
  labels?: Record<string, string>;
}

const SLICE = sliceOf([ready("10.244.2.2")], [{ name: "http", port: 8080, protocol: "TCP" }]);

function portsOf({ spec = {}, ingress, slices = [SLICE], labels }: World) {
  const service: Service = {
    ...{ apiVersion: "v1", kind: "Service" },
    metadata: { name: "web", namespace: "default", labels },
    spec: { type: "ClusterIP", clusterIP: "10.96.10.1", ports: [HTTP], ...spec },
    status: { loadBalancer: { ingress } },
  };
  return servicePorts(service, slices, "n1");
}

const textsOf = (slices: EndpointSlice[]) =>
  portsOf({ slices }).flatMap(({ endpoints }) => endpoints.map(({ ip, port }) => `${ip}:${port}`));

describe("what a proxy reads of a Service", () => {
  it("is the address of its own family", () => {
    const both = { clusterIP: "fd00::1", clusterIPs: ["fd00::1", "10.96.0.9"] };
    const [port] = portsOf({ spec: { ...both, ipFamilies: ["IPv6", "IPv4"] } });
    expect(port?.clusterIP).toBe("10.96.0.9");
    const six = { clusterIP: "fd00::1", clusterIPs: ["fd00::1"] };
    expect(portsOf({ spec: { ...six, ipFamilies: ["IPv6"] } })).toEqual([]);
    expect(portsOf({ spec: six })).toEqual([]);
  });

  it("is nothing of one that another proxy serves", () => {
    expect(portsOf({ labels: { "service.kubernetes.io/service-proxy-name": "" } })).toEqual([]);
  });

  it("has source ranges without blanks and host bits", () => {
    const ranges = [" 203.0.113.77/25 ", "fd00::/8", "10.0.0.0/8"];
    const [port] = portsOf({ spec: { loadBalancerSourceRanges: ranges } });
    expect(port?.sourceRanges).toEqual(["203.0.113.0/25", "10.0.0.0/8"]);
  });

  it("has a policy for what comes from outside only if that can be", () => {
    const spec = { externalTrafficPolicy: "Local", healthCheckNodePort: 31_000 };
    const read = (more: World) => {
      const [port] = portsOf({ ...more, spec: { ...spec, ...more.spec } });
      return [port?.externalPolicyLocal, port?.healthCheckNodePort];
    };
    expect(read({})).toEqual([false, 0]);
    expect(read({ spec: { externalIPs: ["198.51.100.9"] } })).toEqual([true, 0]);
    expect(read({ spec: { type: "NodePort" } })).toEqual([true, 0]);
    expect(read({ spec: { type: "LoadBalancer" } })).toEqual([true, 31_000]);
    const cluster = { type: "LoadBalancer", externalTrafficPolicy: "Cluster" };
    expect(read({ spec: cluster })).toEqual([false, 0]);
  });
});

describe("what a proxy reads of slices", () => {
  it("goes by the port's name and its protocol", () => {
    const at = (ports: EndpointSlice["ports"]) => textsOf([sliceOf([ready("10.244.2.2")], ports)]);
    expect(at([{ name: "http", port: 8080, protocol: "UDP" }])).toEqual([]);
    expect(at([{ name: "http", port: 0, protocol: "TCP" }])).toEqual([]);
    const two = [8081, 8080].map((port) => ({ name: "http", port, protocol: "TCP" }));
    expect(at(two)).toEqual(["10.244.2.2:8080", "10.244.2.2:8081"]);
    const spec = { ports: [{ protocol: "TCP", port: 80 }] };
    const bare = sliceOf([ready("10.244.2.2")], [{ port: 8080, protocol: "TCP" }]);
    expect(portsOf({ spec, slices: [bare] })[0]?.endpoints).toEqual([]);
  });

  it("takes an endpoint that says nothing as ready and serving", () => {
    const ending = { addresses: ["10.244.2.2"], conditions: { ready: false, terminating: true } };
    const [port] = portsOf({ slices: [sliceOf([ending], SLICE.ports)] });
    expect(port?.endpoints[0]).toMatchObject({ ready: false, serving: true, terminating: true });
  });

  it("prefers who runs to who ends under the same address, in any order", () => {
    const ends = { conditions: { ready: false, serving: true, terminating: true } };
    const both = [ready("10.244.2.2"), ready("10.244.2.2", ends)];
    for (const endpoints of [both, both.toReversed()]) {
      const slices = endpoints.map((each) => sliceOf([each], SLICE.ports));
      expect(portsOf({ slices })[0]?.endpoints).toMatchObject([{ ready: true }]);
    }
  });
});

describe("rules of rare Services", () => {
  const firewalled: World = {
    spec: { type: "LoadBalancer", loadBalancerSourceRanges: ["203.0.113.0/25"] },
    ingress: [{ ip: "198.51.100.7" }],
  };

  it("iptables ends a firewall chain with a rule that only says what comes next", () => {
    const { nat } = iptablesRules(portsOf(firewalled), CONFIG);
    const fw = nat.get(serviceChain("FW", "default/web:http", "tcp"));
    expect(fw?.at(-1)).toBe(
      '-m comment --comment "other traffic to default/web:http will be dropped by KUBE-PROXY-FIREWALL"',
    );
    expect(fw).toHaveLength(2);
  });

  it("nftables has a firewall without endpoints, iptables has not", () => {
    const ports = portsOf({ ...firewalled, slices: [] });
    const { nat } = iptablesRules(ports, CONFIG);
    expect([...nat.keys()].filter((chain) => chain.startsWith("KUBE-FW-"))).toEqual([]);
    const nft = nftablesRules(ports, CONFIG).filter((line) => line.includes("firewall-"));
    expect(nft).toEqual([
      "add element ip kube-proxy firewall-ips { 198.51.100.7 . tcp . 80 : goto firewall-SUSTUHLJ-default/web/tcp/http }",
      "add chain ip kube-proxy firewall-SUSTUHLJ-default/web/tcp/http",
      "add rule ip kube-proxy firewall-SUSTUHLJ-default/web/tcp/http ip saddr != { 203.0.113.0/25 } drop",
    ]);
  });

  it("nftables names an address once for all ports of a Service", () => {
    const ports = [HTTP, { name: "admin", protocol: "TCP", port: 81 }];
    const own = [ready("10.244.2.2", { nodeName: "n1" })];
    const slice = sliceOf(
      own,
      ports.map(({ name }) => ({ name, port: 8080, protocol: "TCP" })),
    );
    const lines = nftablesRules(portsOf({ spec: { ports }, slices: [slice] }), CONFIG);
    const of = (set: string) => lines.filter((line) => line.includes(` ${set} `));
    expect(of("cluster-ips")).toHaveLength(1);
    expect(of("hairpin-connections")).toHaveLength(1);
  });

  it("ipvs does not bind what the node has already, and serves each address once", () => {
    const external = ["192.168.0.11", "198.51.100.7"];
    const spec = { type: "LoadBalancer", externalIPs: external };
    const rules = ipvsRules(portsOf({ spec, ingress: [{ ip: "198.51.100.7" }] }), CONFIG);
    expect(rules.addresses).toEqual(["10.96.10.1", "198.51.100.7"]);
    expect(rules.virtualServers.map(({ address }) => address)).toEqual(["10.96.10.1", ...external]);
  });

  it("rounds a chance as Go does: a half to the even digit", () => {
    expect(probabilityOf(2048)).toBe("0.0004882812");
    expect([1, 6, 1024, 10_240].map(probabilityOf)).toEqual([
      ...["1.0000000000", "0.1666666667", "0.0009765625", "0.0000976563"],
    ]);
  });
});
