/** Services in a running cluster: kube-proxy's rules meet the packets. */
import type { Input } from "@shikumi/sim";
import { describe, expect, it } from "vitest";
import { apply, ask, pod, run, service } from "./world.ts";

const PROXIES = ["iptables", "nftables", "ipvs"] as const;
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

describe("the ipvs mode in a cluster", () => {
  const yaml = service("web", "  clusterIP: 10.96.7.7\n");
  const inputs = [apply(...PODS, yaml), ...often("pod client", "10.96.7.7:8080", 4)];
  const scenario = { network: "flannel", proxy: "ipvs" } as const;

  it("has the address on kube-ipvs0, and shows who served how many", async () => {
    const { session, lines } = await run(scenario, inputs);
    expect(serversOf(lines)).toEqual(["pod default/web-1", "pod default/web-2"]);
    const { root } = session.cluster.hosts[0]!.network;
    const dummy = root.links.get("kube-ipvs0")!;
    expect(dummy).toMatchObject({ kind: "dummy", up: false });
    expect(dummy.addresses.map(({ ip }) => ip)).toEqual(["10.96.0.1", "10.96.7.7"]);
    expect(root.ipvs!.lines(session.kernel.now()).slice(4)).toEqual([
      "TCP  10.96.7.7:8080 rr",
      "  -> 10.244.0.2:80                Masq    1      2          0         ",
      "  -> 10.244.1.2:80                Masq    1      2          0         ",
    ]);
    const programs = [...session.kernel.trace].filter(({ verb }) => verb === "program");
    const { rules } = programs.at(-1)!.detail as { rules: string[] };
    expect(rules).toContain("add KUBE-CLUSTER-IP 10.96.7.7,tcp:8080");
    expect(rules).toContain("TCP  10.96.7.7:8080 rr");
  });

  it("warns that it is deprecated", async () => {
    const { session } = await run(scenario, []);
    const events = session.cluster.server.storageOf("events").cache.list("") as {
      reason?: string;
    }[];
    const found = events.filter(({ reason }) => reason === "IPVSDeprecation");
    expect(found).toHaveLength(2);
    expect(found[0]).toMatchObject({
      type: "Warning",
      message:
        "The ipvs proxier is now deprecated and may be removed in a future release. Please use 'nftables' instead.",
      involvedObject: { kind: "Node", name: "node-1" },
    });
  });

  it("chooses by the scheduler that kube-proxy is told, or ends at one it does not know", async () => {
    const sh = await run({ ...scenario, ipvsScheduler: "sh" }, inputs);
    expect(serversOf(sh.lines)).toHaveLength(1);
    const { root } = sh.session.cluster.hosts[0]!.network;
    expect(root.ipvs!.lines(0)).toContain("TCP  10.96.7.7:8080 sh");
    const { session } = await run({ ...scenario, ipvsScheduler: "mh" }, []);
    const ends = [...session.kernel.trace].filter(({ verb, actor }) => {
      return verb === "error" && actor === "kube-proxy/node-1";
    });
    const message =
      'failed validate: KubeProxyConfiguration.KubeProxyIPVSConfiguration.Scheduler.Scheduler: Invalid value: "mh": must be in [rr wrr lc wlc lblc lblcr sh dh sed nq ], blank means the default algorithm method (currently rr)';
    expect(ends.map(({ detail }) => detail)).toEqual([{ message }]);
  });

  it("lets a real server with connections end: weight 0, and gone a while after the last", async () => {
    const [web1, , client] = PODS as [string, string, string];
    const ending: Input[] = [
      apply(web1, pod("web-2", "node-2", "web"), client, yaml),
      ...often("pod client", "10.96.7.7:8080", 2),
      { atMs: 40_000, do: "kubectl", line: "delete pod web-2 --wait=false" },
      ...[0, 1].map((i) => ask("pod client", "10.96.7.7:8080", 50_000 + i * 100)),
    ];
    const { session, lines } = await run({ ...scenario, untilMs: 60_000 }, ending);
    const { root } = session.cluster.hosts[0]!.network;
    const shown = () => root.ipvs!.lines(session.kernel.now()).slice(4);
    expect(serversOf(lines.slice(2))).toEqual(["pod default/web-1"]);
    expect(shown()).toEqual([
      "TCP  10.96.7.7:8080 rr",
      "  -> 10.244.0.2:80                Masq    1      3          0         ",
      "  -> 10.244.1.2:80                Masq    0      1          0         ",
    ]);
    // A connection is known for 15 minutes; a look follows within one.
    await session.run({ untilMs: 900_000 });
    expect(shown()).toHaveLength(3);
    await session.run({ untilMs: 30_000 + 900_000 + 61_000 });
    expect(shown().map((line) => line.trim().split(" ")[1])).toEqual(["", "10.244.0.2:80"]);
    const subjects = [...session.kernel.trace].map(({ subject }) => subject);
    expect(subjects).toContain("ipvs deletes 10.96.7.7:8080/TCP/10.244.1.2:80");
  });

  it("refuses a port of the address that no Service has", async () => {
    const { lines } = await run(scenario, [
      apply(...PODS, yaml),
      ask("pod client", "10.96.7.7:81"),
    ]);
    expect(lines).toEqual([expect.stringMatching(/^curl: \(7\) Failed to connect/)]);
  });
});

describe("the userspace mode", () => {
  it("is refused as 1.36 refuses it, and nobody serves the Service", async () => {
    const yaml = service("web", "  clusterIP: 10.96.7.7\n");
    const inputs = [apply(...PODS, yaml), ask("pod client", "10.96.7.7:8080")];
    const { session, lines } = await run({ network: "flannel", proxy: "userspace" }, inputs);
    expect(lines).toEqual(["curl: (28) Connection timed out after 3000 milliseconds"]);
    const ends = [...session.kernel.trace].filter(({ verb, actor }) => {
      return verb === "error" && actor === "kube-proxy/node-1";
    });
    const message =
      'failed validate: KubeProxyConfiguration.ProxyMode: Invalid value: "userspace": must be iptables, ipvs, nftables or blank (blank means the best-available proxy [currently iptables])';
    expect(ends.map(({ detail }) => detail)).toEqual([{ message }]);
  });
});

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

  it("is reached from a Pod by its load balancer's and its external addresses", async () => {
    const more = "  type: LoadBalancer\n  externalIPs: [198.51.100.99]\n";
    const inputs = [
      apply(...PODS, service("web", more)),
      ...often("pod client", "198.51.100.10:8080", 8),
      ...often("pod client", "198.51.100.99:8080", 8),
    ];
    const { lines } = await run({ ...scenario, cloud: true }, inputs, 4);
    expect(lines).toHaveLength(16);
    expect(serversOf(lines)).toEqual(["pod default/web-1", "pod default/web-2"]);
  });

  it("of policy Local outside: only where an endpoint is, which sees its client", async () => {
    const more = "  type: NodePort\n  externalTrafficPolicy: Local\n";
    const web = service("web", more).replace("targetPort: 80", "targetPort: 80, nodePort: 30080");
    const asks = [1, 2].map((n) => ask("outside", `node node-${n}:30080`));
    const { lines } = await run(scenario, [apply(pod("web", "node-1"), web), ...asks]);
    // Without an endpoint of its own, ipvs takes those of other nodes; and what
    // comes from outside for another node's Pods, flannel masquerades.
    const elsewhere =
      way === "ipvs"
        ? "pod default/web answers; it saw 10.244.1.0"
        : "curl: (28) Connection timed out after 3000 milliseconds";
    expect(lines).toEqual(["pod default/web answers; it saw 203.0.113.10", elsewhere]);
  });

  it("of policy Local inside: only where an endpoint is", async () => {
    const more = "  clusterIP: 10.96.7.7\n  internalTrafficPolicy: Local\n";
    const pods = [pod("web", "node-1"), pod("near", "node-1"), pod("far", "node-2")];
    const asks = ["near", "far"].map((name) => ask(`pod ${name}`, "10.96.7.7:8080"));
    const { lines } = await run(scenario, [apply(...pods, service("web", more)), ...asks]);
    expect(lines.map((line) => / answers/.test(line)).toSorted()).toEqual([false, true]);
  });

  it("with session affinity keeps a client at its endpoint, from inside and outside", async () => {
    const timeout = "sessionAffinityConfig: { clientIP: { timeoutSeconds: 10 } }";
    const more = `  type: NodePort\n  clusterIP: 10.96.7.7\n  sessionAffinity: ClientIP\n  ${timeout}\n`;
    const web = service("web", more).replace("targetPort: 80", "targetPort: 80, nodePort: 30080");
    for (const [from, to] of [
      ["pod client", "10.96.7.7:8080"],
      ["outside", "node node-1:30080"],
    ] as const) {
      const rounds = [30_000, 60_000, 90_000, 120_000, 150_000, 180_000].flatMap((atMs) =>
        Array.from({ length: 4 }, (_, i) => ask(from, to, atMs + i * 4_000)),
      );
      const inputs = [apply(...PODS, web), ...rounds];
      const { lines } = await run({ ...scenario, untilMs: 200_000 }, inputs, 4);
      const servers = lines.map((line) => line.split(" answers")[0]);
      expect(servers).toHaveLength(24);
      // It stays within a round; between rounds more than its time goes by.
      const kept = [0, 4, 8, 12, 16, 20].map((i) => new Set(servers.slice(i, i + 4)).size);
      expect(kept).toEqual([1, 1, 1, 1, 1, 1]);
      const firsts = [0, 4, 8, 12, 16, 20].map((i) => servers[i]!);
      // ipvs takes turns by its own count, the others by chance.
      if (way !== "ipvs") expect(new Set(firsts).size).toBe(2);
    }
  });

  it("is reached from a node's own process", async () => {
    const yaml = service("web", "  clusterIP: 10.96.7.7\n");
    const inputs = [apply(...PODS, yaml), ...often("node node-1", "10.96.7.7:8080", 8)];
    const { lines } = await run(scenario, inputs, 4);
    expect(serversOf(lines)).toEqual(["pod default/web-1", "pod default/web-2"]);
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
