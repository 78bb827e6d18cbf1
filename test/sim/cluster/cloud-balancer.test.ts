/** Clients outside reach a Service by the address that the cloud gave it. */
import type { Input, PacketDetail, Session } from "@shikumi/sim";
import { describe, expect, it } from "vitest";
import { apply, ask, pod, run, service } from "../networks/world.ts";

const ADDRESS = "198.51.100.10:8080";
const TIMED_OUT = "curl: (28) Connection timed out after 3000 milliseconds";
const WAYS = ["iptables", "nftables", "ipvs", "cilium"] as const;
const scenarioOf = (way: (typeof WAYS)[number], cloud: "VIP" | "Proxy" = "VIP") =>
  way === "cilium"
    ? ({ network: "cilium", cloud } as const)
    : ({ network: "flannel", proxy: way, cloud } as const);
const balanced = (more = "") => service("web", `  type: LoadBalancer\n${more}`);
const LOCAL = "  externalTrafficPolicy: Local\n";
/** Every tenth of a second another connection. */
const often = (from: string, times: number, atMs = 30_000) =>
  Array.from({ length: times }, (_, i) => ask(from, ADDRESS, atMs + i * 100));

/** The places that the packets of the request and the answer came to. */
function placesOf({ kernel }: Session, way: PacketDetail["way"]): string[] {
  const hops = [...kernel.trace]
    .filter(({ verb }) => verb === "packet")
    .map(({ detail }) => detail as PacketDetail)
    .filter((hop) => hop.way === way);
  const places = hops.map(({ place }) => place);
  return places.filter((place, i) => place !== places[i - 1]);
}

function nodesOf(session: Session): string[] {
  const nodes = placesOf(session, "request").filter((place) => place.startsWith("node "));
  return [...new Set(nodes)].toSorted();
}

const probesOf = ({ kernel }: Session) =>
  [...kernel.trace]
    .filter(({ actor }) => actor === "cloud-load-balancer")
    .map(({ subject }) => subject);

describe.each(WAYS)("a load balancer's address under %s", (way) => {
  it("is reached from outside, by any node", async () => {
    const inputs = [apply(pod("web", "node-1"), balanced()), ...often("outside", 8)];
    const { session, lines } = await run(scenarioOf(way), inputs);
    expect(lines).toHaveLength(8);
    for (const line of lines) expect(line).toMatch(/^pod default\/web answers; it saw /);
    expect(nodesOf(session)).toEqual(["node node-1", "node node-2"]);
  });

  it("with policy Local leads to nodes with endpoints alone; the Pod sees its client", async () => {
    const inputs = [apply(pod("web", "node-1"), balanced(LOCAL)), ...often("outside", 8)];
    const { session, lines } = await run(scenarioOf(way), inputs);
    expect(new Set(lines)).toEqual(new Set(["pod default/web answers; it saw 203.0.113.10"]));
    expect(lines).toHaveLength(8);
    expect(nodesOf(session)).toEqual(["node node-1"]);
  });

  it("lets in clients of its source ranges alone", async () => {
    const asks = (range: string) =>
      run(scenarioOf(way), [
        apply(pod("web", "node-1"), balanced(`  loadBalancerSourceRanges: [${range}]\n`)),
        ask("outside", ADDRESS),
      ]);
    expect((await asks("203.0.113.0/24")).lines[0]).toMatch(/^pod default\/web answers/);
    const { lines, session } = await asks("192.0.2.0/24");
    expect(lines).toEqual([TIMED_OUT]);
    // It is the node that turns the client away.
    expect(placesOf(session, "request").at(-1)).toMatch(/^node node-/);
  });

  it("as a proxy asks a node port, and is what the Pod sees", async () => {
    const inputs = [apply(pod("web", "node-1"), balanced(LOCAL)), ask("outside", ADDRESS)];
    const { lines, session } = await run(scenarioOf(way, "Proxy"), inputs);
    expect(lines).toEqual(["pod default/web answers; it saw 172.18.255.254"]);
    const back = ["pod default/web", "node node-1", "load-balancer", "router", "outside"];
    expect(placesOf(session, "reply")).toEqual(back);
  });
});

describe("a packet's way by the load balancer", () => {
  const there = ["outside", "router", "load-balancer", "node node-1", "pod default/web"];

  it("leads past it on the way back, and keeps its address up to the node", async () => {
    const inputs = [apply(pod("web", "node-1"), balanced(LOCAL)), ask("outside", ADDRESS)];
    const { session } = await run(scenarioOf("iptables"), inputs);
    expect(placesOf(session, "request")).toEqual(there);
    expect(placesOf(session, "reply")).toEqual([
      ...["pod default/web", "node node-1", "router", "outside"],
    ]);
    const hops = [...session.kernel.trace].filter(({ verb }) => verb === "packet");
    const atNode = hops
      .map(({ detail }) => detail as PacketDetail)
      .find(({ place, link }) => place === "node node-1" && link === "eth0");
    expect(atNode?.after?.dst).toBe(ADDRESS);
  });

  it.each([
    ["VIP", false],
    ["Proxy", true],
  ] as const)("from a Pod, ipMode %s: by the balancer %s", async (mode, passes) => {
    const inputs = [
      apply(pod("web", "node-1"), pod("client", "node-2"), balanced()),
      ask("pod client", ADDRESS),
    ];
    const { session, lines } = await run(scenarioOf("iptables", mode), inputs);
    expect(lines[0]).toMatch(/^pod default\/web answers/);
    expect(placesOf(session, "request").includes("load-balancer")).toBe(passes);
    const { cache } = session.cluster.server.storageOf("services");
    expect(cache.get("default/web")).toMatchObject({
      status: { loadBalancer: { ingress: [{ ip: "198.51.100.10", ipMode: mode }] } },
    });
  });

  it("ends there for a proxy's own source ranges, an unknown port, a missing node port", async () => {
    const lost = async (more: string, to = ADDRESS) => {
      const inputs = [apply(pod("web", "node-1"), balanced(more)), ask("outside", to)];
      const { session } = await run(scenarioOf("iptables", "Proxy"), inputs);
      const hops = [...session.kernel.trace].filter(({ verb }) => verb === "packet");
      const last = hops.at(-1)!.detail as PacketDetail;
      expect(last.place).toBe("load-balancer");
      return last.lost;
    };
    expect(await lost("  loadBalancerSourceRanges: [192.0.2.0/24]\n")).toMatch(/source ranges/);
    expect(await lost("", "198.51.100.10:81")).toBe("it serves no such port");
    expect(await lost("  allocateLoadBalancerNodePorts: false\n")).toMatch(/no node port/);
    expect(await lost("", "198.51.100.77:80")).toBe("no load balancer has the address");
  });

  it("stays with a node for a client with affinity", async () => {
    const pods = [pod("web-1", "node-1", "web"), pod("web-2", "node-2", "web")];
    const affinity = "  sessionAffinity: ClientIP\n";
    const inputs = [apply(...pods, balanced(LOCAL + affinity)), ...often("outside", 8)];
    const { lines } = await run(scenarioOf("iptables"), inputs);
    expect(new Set(lines).size).toBe(1);
    expect(lines[0]).toMatch(/answers; it saw 203/);
  });
});

describe("the load balancer's health check", () => {
  const move: Input[] = [
    { atMs: 40_000, do: "kubectl", line: "delete pod web --wait=false" },
    { atMs: 40_000, do: "apply", yaml: pod("web-2", "node-2", "web") },
  ];

  it("follows the endpoints: in after one success, out after three failures", async () => {
    const inputs = [
      apply(pod("web", "node-1"), balanced(LOCAL)),
      ...move,
      ...often("outside", 4, 75_000),
    ];
    const { session, lines } = await run({ ...scenarioOf("iptables"), untilMs: 90_000 }, inputs);
    expect(new Set(lines)).toEqual(new Set(["pod default/web-2 answers; it saw 203.0.113.10"]));
    const [first, ...rest] = probesOf(session);
    expect(first).toBe("default/web: node-1 is well: it gets connections");
    expect(rest).toEqual([
      "default/web: node-2 is well: it gets connections",
      "default/web: node-1 is not well: taken out",
    ]);
    const times = [...session.kernel.trace].filter(({ actor }) => actor === "cloud-load-balancer");
    expect(times[2]!.atMs - 40_000).toBeGreaterThan(16_000);
    expect(times[2]!.atMs - 40_000).toBeLessThan(25_000);
  });

  it("asks kube-proxy itself where the policy is Cluster: none, no connections", async () => {
    const stop = (n: number): Input => ({
      atMs: 20_000,
      do: "stop",
      actor: `kube-proxy/node-${n}`,
    });
    const asked = async (...stops: Input[]) =>
      run({ ...scenarioOf("iptables"), untilMs: 70_000 }, [
        ...[apply(pod("web", "node-1"), balanced()), ...stops],
        ...often("outside", 8, 50_000),
      ]);
    const one = await asked(stop(1));
    // The rules of node-1 stay, but it gets nothing.
    expect(nodesOf(one.session)[0]).toBe("node node-1");
    const firsts = placesOf(one.session, "request").filter(
      (_, i, all) => all[i - 1] === "load-balancer",
    );
    expect(new Set(firsts)).toEqual(new Set(["node node-2"]));
    expect(one.lines).toHaveLength(8);
    const none = await asked(stop(1), stop(2));
    expect(new Set(none.lines)).toEqual(new Set([TIMED_OUT]));
  });

  it("takes out a node that the autoscaler is about to take away", async () => {
    const line = "taint node node-2 ToBeDeletedByClusterAutoscaler=1:NoSchedule";
    const inputs: Input[] = [
      apply(pod("web", "node-1"), balanced()),
      { atMs: 20_000, do: "kubectl", line },
      ...often("outside", 8, 50_000),
    ];
    const { session } = await run({ ...scenarioOf("nftables"), untilMs: 60_000 }, inputs);
    expect(nodesOf(session)).toEqual(["node node-1"]);
  });

  it("ends with the balancer, which can fail itself", async () => {
    const inputs: Input[] = [
      apply(pod("web", "node-1"), balanced()),
      { atMs: 20_000, do: "stop", actor: "cloud-load-balancer" },
      ask("outside", ADDRESS, 25_000),
      { atMs: 30_000, do: "start", actor: "cloud-load-balancer" },
      ask("outside", ADDRESS, 40_000),
      { atMs: 45_000, do: "kubectl", line: "delete service web" },
      ask("outside", ADDRESS, 60_000),
    ];
    const { lines } = await run({ ...scenarioOf("iptables"), untilMs: 70_000 }, inputs);
    expect(lines).toEqual([
      TIMED_OUT,
      expect.stringMatching(/^pod default\/web answers/),
      TIMED_OUT,
    ]);
  });
});
