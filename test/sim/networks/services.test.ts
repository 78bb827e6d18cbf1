/** Services in a running cluster: kube-proxy's rules meet the packets. */
import { describe, expect, it } from "vitest";
import { apply, ask, pod, run, service } from "./world.ts";

const PROXIES = ["iptables", "nftables"] as const;
const PODS = [
  pod("web-1", "node-1", "web"),
  pod("web-2", "node-2", "web"),
  pod("client", "node-1"),
];
/** Every tenth of a second another connection. */
const often = (from: string, to: string, times = 12) =>
  Array.from({ length: times }, (_, i) => ask(from, to, 30_000 + i * 100));
const serversOf = (lines: readonly string[]) =>
  [...new Set(lines.map((line) => line.split(" answers")[0]))].toSorted();

const WAYS = [...PROXIES, "cilium"] as const;

describe.each(WAYS)("a Service under %s", (way) => {
  const scenario =
    way === "cilium"
      ? ({ network: "cilium", dns: true } as const)
      : ({ network: "flannel", proxy: way, dns: true } as const);

  it("is reached by name from a Pod, and spreads over all endpoints", async () => {
    const inputs = [apply(...PODS, service("web")), ...often("pod client", "web:8080")];
    const { lines } = await run(scenario, inputs);
    expect(serversOf(lines)).toEqual(["pod default/web-1", "pod default/web-2"]);
  });

  it("is reached by an endpoint of its own, too", async () => {
    const inputs = [apply(pod("web", "node-1"), service("web"))];
    const { lines } = await run(scenario, [...inputs, ask("pod web", "web:8080")]);
    // Cilium connects it to itself: the packet never leaves the Pod.
    const seen = way === "cilium" ? "10.244.0.2" : "10.244.0.1";
    expect(lines).toEqual([`pod default/web answers; it saw ${seen}`]);
  });

  it("is reached from outside by its node port, on every node", async () => {
    const inputs = [apply(pod("web", "node-1"), service("web", "  type: NodePort\n"))];
    const found = await run(scenario, inputs);
    const { cache } = found.session.cluster.server.storageOf("services");
    const { spec } = cache.get("default/web") as unknown as {
      spec: { ports: [{ nodePort: number }] };
    };
    const port = spec.ports[0].nodePort;
    const asks = [1, 2].map((n) => ask("outside", `node node-${n}:${port}`));
    const { lines } = await run(scenario, [...inputs, ...asks]);
    expect(serversOf(lines)).toEqual(["pod default/web"]);
    expect(lines).toHaveLength(2);
  });

  it("without endpoints is refused; a name that is not there is not found", async () => {
    const inputs = [
      apply(pod("client", "node-1"), service("web")),
      ask("pod client", "web:8080"),
      ask("pod client", "wep:8080", 31_000),
      ask("node node-1", "web:8080", 32_000),
    ];
    const { lines } = await run(scenario, inputs);
    expect(lines).toEqual([
      expect.stringMatching(/^curl: \(7\) Failed to connect to web port 8080/),
      "curl: (6) Could not resolve host: wep",
      "curl: (6) Could not resolve host: web",
    ]);
  });
});
