/** flannel in a running cluster: files, annotations, tunnels, and packets. */
import type { KubeObject, PacketDetail } from "@shikumi/sim";
import { describe, expect, it } from "vitest";
import type { Node } from "../../../sim/src/api/kinds/node.ts";
import { routeLines } from "../../../sim/src/network/show.ts";
import { apply, ask, pod, run } from "./world.ts";

const PODS = apply(pod("a", "node-1"), pod("b", "node-2"));

describe("flannel", () => {
  it("carries packets of Pods between nodes in VXLAN", async () => {
    const inputs = [PODS, ask("pod default/a", "pod default/b:80"), ask("pod a", "pod b")];
    const { session, lines } = await run({ network: "flannel" }, inputs);
    expect(lines).toEqual([
      "pod default/b answers; it saw 10.244.0.2",
      expect.stringMatching(/^64 bytes from 10\.244\.1\.2: icmp_seq=1 ttl=62/),
    ]);
    const outer = [...session.kernel.trace]
      .filter(({ verb }) => verb === "packet")
      .map(({ detail }) => detail as PacketDetail)
      .find(({ after }) => after?.inner);
    expect(outer).toMatchObject({
      ...{ place: "node node-1", link: "eth0", before: { bytes: 74 } },
      after: { bytes: 124, dst: "172.18.0.3:8472", inner: { dst: "10.244.1.2:80" } },
    });
  });

  it("leaves on each node what its tools show", async () => {
    const { session } = await run({ network: "flannel", nodes: 3 }, [PODS]);
    const { disk, network } = session.cluster.hosts[0]!;
    expect(disk.read("/run/flannel/subnet.env")).toBe(
      [
        "FLANNEL_NETWORK=10.244.0.0/16",
        "FLANNEL_SUBNET=10.244.0.1/24",
        "FLANNEL_MTU=1450",
        "FLANNEL_IPMASQ=true\n",
      ].join("\n"),
    );
    expect(disk.list("/etc/cni/net.d")).toEqual(["10-flannel.conflist"]);
    expect(routeLines(network.root)).toEqual(
      expect.arrayContaining([
        "10.244.1.0/24 via 10.244.1.0 dev flannel.1 onlink",
        "10.244.2.0/24 via 10.244.2.0 dev flannel.1 onlink",
      ]),
    );
    const tunnel = network.root.links.get("flannel.1")!;
    expect([...tunnel.fdb!.values()].toSorted()).toEqual(["172.18.0.3", "172.18.0.4"]);
    expect(tunnel.mtu).toBe(1450);
    const node = session.cluster.server.storageOf("nodes").get("", "node-1") as KubeObject;
    const { annotations } = node.metadata;
    expect(annotations?.["flannel.alpha.coreos.com/public-ip"]).toBe("172.18.0.2");
    expect(annotations?.["flannel.alpha.coreos.com/backend-data"]).toBe(
      JSON.stringify({ VNI: 1, VtepMAC: tunnel.mac }),
    );
  });

  it("tells that the network of its node works", async () => {
    const { session } = await run({ network: "flannel" }, []);
    const node = session.cluster.server.storageOf("nodes").get("", "node-1") as KubeObject as Node;
    const told = node.status?.conditions?.find(({ type }) => type === "NetworkUnavailable");
    expect(told).toMatchObject({
      ...{ status: "False", reason: "FlannelIsUp" },
      message: "Flannel is running on this node",
    });
  });

  it("writes rules for what leaves, and for what passes through", async () => {
    const { session } = await run({ network: "flannel" }, []);
    const { iptables } = session.cluster.hosts[0]!.network.root;
    const nat = iptables.chain("nat", "FLANNEL-POSTRTG");
    expect(nat?.filter((rule) => rule.endsWith("-j MASQUERADE --random-fully"))).toHaveLength(2);
    const forward = '-m comment --comment "flanneld forward"';
    expect(iptables.chain("filter", "FORWARD")).toContain(`${forward} -j FLANNEL-FWD`);
    expect(iptables.chain("filter", "FLANNEL-FWD")).toEqual([
      `-s 10.244.0.0/16 ${forward} -j ACCEPT`,
      `-d 10.244.0.0/16 ${forward} -j ACCEPT`,
    ]);
  });

  /** Two nodes whose net-conf.json has this backend. */
  const configured = (Backend: object | undefined) => {
    const text = JSON.stringify({ Network: "10.244.0.0/16", Backend });
    const files = [{ path: "/etc/kube-flannel/net-conf.json", text }];
    const nodes = ["node-1", "node-2"].map((name) => ({ name, files }));
    return run({ network: "flannel", nodes }, [PODS, ask("pod a", "pod b:80")]);
  };

  it("takes number, port and size of the tunnel from net-conf.json", async () => {
    const backend = { Type: "vxlan", VNI: 4096, Port: 4789, MTU: 1400 };
    const { session, lines } = await configured(backend);
    expect(lines).toEqual(["pod default/b answers; it saw 10.244.0.2"]);
    const { disk, network } = session.cluster.hosts[0]!;
    const tunnel = network.root.links.get("flannel.4096");
    expect(tunnel).toMatchObject({ mtu: 1350, vxlan: { id: 4096, port: 4789 } });
    expect(String(disk.read("/run/flannel/subnet.env"))).toContain("FLANNEL_MTU=1350\n");
  });

  it("routes directly to nodes of the same segment if it may", async () => {
    const { session, lines } = await configured({ Type: "vxlan", DirectRouting: true });
    expect(lines).toEqual(["pod default/b answers; it saw 10.244.0.2"]);
    const { root } = session.cluster.hosts[0]!.network;
    expect(routeLines(root)).toContain("10.244.1.0/24 via 172.18.0.3 dev eth0");
    const tunnel = root.links.get("flannel.1")!;
    // Room is left for the tunnel all the same: others may need it.
    expect([tunnel.mtu, tunnel.fdb?.size]).toEqual([1450, 0]);
  });

  it("puts a second IP header before packets as ipip", async () => {
    const scenario = { network: "flannel", encapsulation: "ipip" } as const;
    const { session, lines } = await run(scenario, [PODS, ask("pod a", "pod b:80")]);
    expect(lines).toEqual(["pod default/b answers; it saw 10.244.0.2"]);
    const { root } = session.cluster.hosts[0]!.network;
    expect(routeLines(root)).toContain("10.244.1.0/24 via 172.18.0.3 dev flannel.ipip onlink");
    expect(root.links.get("flannel.ipip")).toMatchObject({ mtu: 1480, kind: "ipip" });
    const node = session.cluster.server.storageOf("nodes").get("", "node-1") as KubeObject as Node;
    expect(node.metadata.annotations).toMatchObject({
      "flannel.alpha.coreos.com/backend-type": "ipip",
      "flannel.alpha.coreos.com/backend-data": "null",
    });
    const direct = await configured({ Type: "ipip", DirectRouting: true });
    const routes = routeLines(direct.session.cluster.hosts[0]!.network.root);
    expect(routes).toContain("10.244.1.0/24 via 172.18.0.3 dev eth0");
  });

  it.each([
    [{ Type: "wireguard" }, "wireguard"],
    [undefined, "udp"],
  ])("does not start with a backend that is not there: %j", async (backend, type) => {
    const { session } = await configured(backend);
    const said = [...session.kernel.trace].find(({ subject }) => subject === "flanneld");
    expect((said!.detail as { message: string }).message).toMatch(
      new RegExp(`unknown backend type: ${type} `),
    );
    expect(session.cluster.hosts[0]!.disk.exists("/run/flannel/subnet.env")).toBe(false);
  });

  it("goes by routes alone as host-gw", async () => {
    const inputs = [PODS, ask("pod a", "pod b:80")];
    const scenario = { network: "flannel", encapsulation: "none" } as const;
    const { session, lines } = await run(scenario, inputs);
    expect(lines).toEqual(["pod default/b answers; it saw 10.244.0.2"]);
    const { root } = session.cluster.hosts[0]!.network;
    expect(routeLines(root)).toContain("10.244.1.0/24 via 172.18.0.3 dev eth0");
    expect(root.links.has("flannel.1")).toBe(false);
  });

  it("leaves nodes not Ready, and Pods without a network, until it has come", async () => {
    const without = ["flanneld/node-1"];
    const { session } = await run({ network: "flannel", without }, [PODS]);
    const of = (name: string) => session.cluster.server.storageOf("pods").get("default", name);
    const phase = (name: string) => (of(name) as { status?: { phase?: string } }).status?.phase;
    expect([phase("a"), phase("b")]).toEqual(["Pending", "Running"]);
  });

  it("masquerades what leaves the cluster, and nothing between Pods", async () => {
    const inputs = [PODS, ask("pod a", "outside:443"), ask("node node-2", "pod a:80")];
    const { lines } = await run({ network: "flannel" }, inputs);
    expect(lines).toEqual([
      // First the node, then the router put their own address on it.
      "outside answers; it saw 203.0.113.1",
      // The other node's own processes speak from the tunnel's end there.
      "pod default/a answers; it saw 10.244.1.0",
    ]);
  });
});

describe("the bridge network", () => {
  it("has no way between nodes", async () => {
    const inputs = [PODS, ask("pod a", "pod b:80"), ask("node node-1", "pod a:80")];
    const { lines } = await run({}, inputs);
    expect(lines).toEqual([
      "pod default/a answers; it saw 10.244.0.1",
      "curl: (28) Connection timed out after 3000 milliseconds",
    ]);
  });
});
