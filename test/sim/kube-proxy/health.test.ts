/** kube-proxy's health servers: what load balancers ask it. */
import { describe, expect, it } from "vitest";
import type { Node } from "../../../sim/src/api/kinds/node.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";
import { HealthServers } from "../../../sim/src/kube-proxy/health.ts";
import type { ServicePort } from "../../../sim/src/kube-proxy/service-ports.ts";
import type { Listeners } from "../../../sim/src/network/listeners.ts";
import { apply, ask, pod, run, service } from "../networks/world.ts";

const NODE: Node = { apiVersion: "v1", kind: "Node", metadata: { name: "node-1" }, spec: {} };

function made(node: () => Node | undefined = () => NODE) {
  const kernel = new Kernel({ seed: 1, epoch: "2026-01-01T00:00:00Z" });
  const listeners: Listeners = new Map();
  const health = new HealthServers({ kernel, actor: "kube-proxy/node-1", listeners, node });
  const get = (path: string, port = 10_256) => {
    const { status, body } = listeners.get(port)!.get(path);
    return { status, body: JSON.parse(body) as Record<string, unknown> };
  };
  return { kernel, listeners, health, get };
}

const PORT: ServicePort = {
  ...{ name: "default/web", namespace: "default", service: "web", portName: "", protocol: "tcp" },
  ...{ clusterIP: "10.96.7.7", port: 80, nodePort: 30080, externalIPs: [], loadBalancerIPs: [] },
  ...{ sourceRanges: [], externalPolicyLocal: true, internalPolicyLocal: false },
  ...{ affinitySeconds: 0, healthCheckNodePort: 31000, endpoints: [] },
};
const endpoint = (ip: string, more: object = {}) => ({
  ...{ ip, port: 80, isLocal: true, ready: true, serving: true, terminating: false },
  ...{ zoneHints: [], nodeHints: [], ...more },
});

describe("kube-proxy's /healthz and /livez", () => {
  it("are well while it starts, and after each sync", () => {
    const { health, get } = made();
    expect(get("/healthz")).toEqual({
      status: 200,
      body: {
        lastUpdated: "2026-01-01T00:00:00Z",
        currentTime: "2026-01-01T00:00:00Z",
        nodeEligible: true,
        healthy: true,
      },
    });
    health.queuedUpdate();
    health.updated([]);
    const own = { lastUpdated: "2026-01-01T00:00:00Z", healthy: true };
    expect(get("/livez").body).toMatchObject({ healthy: true, status: { IPv4: own } });
    expect(get("/livez").body).not.toHaveProperty("nodeEligible");
  });

  it("fail once a change has waited for twice the sync period", async () => {
    const { kernel, health, get } = made();
    health.updated([]);
    kernel.after(1_500, () => health.queuedUpdate());
    kernel.after(5_000, () => health.queuedUpdate());
    const statuses: number[] = [];
    const look = () => {
      statuses.push(get("/livez").status, get("/healthz").status);
    };
    kernel.after(61_499, look);
    kernel.after(61_500, look);
    kernel.after(61_600, () => {
      expect(get("/livez").body).toEqual({
        ...{ lastUpdated: "2026-01-01T00:00:00Z", currentTime: "2026-01-01T00:01:01.6Z" },
        healthy: false,
        status: { IPv4: { lastUpdated: "2026-01-01T00:00:00Z", healthy: false } },
      });
      health.updated([]);
      look();
    });
    await kernel.run({ untilMs: 70_000 });
    expect(statuses).toEqual([200, 200, 503, 503, 200, 200]);
  });

  it.each([
    ["is not there", undefined],
    ["ends", { ...NODE, metadata: { name: "node-1", deletionTimestamp: "2026-01-01T00:00:00Z" } }],
    [
      "is about to be taken by the autoscaler",
      {
        ...NODE,
        spec: { taints: [{ key: "ToBeDeletedByClusterAutoscaler", effect: "NoSchedule" }] },
      },
    ],
  ] as [string, Node | undefined][])("fails /healthz alone where the node %s", (_, node) => {
    const { get } = made(() => node);
    const { status, body } = get("/healthz");
    expect([status, body.nodeEligible, body.healthy]).toEqual([503, false, true]);
    expect(get("/livez").status).toBe(200);
  });

  it("knows no other page", () => {
    const { listeners } = made();
    expect(listeners.get(10_256)!.get("/metrics").status).toBe(404);
  });
});

describe("a Service's health check node port", () => {
  it("counts ready endpoints of the node, each address once", () => {
    const { health, get, listeners } = made();
    const endpoints = [
      endpoint("10.244.0.2"),
      endpoint("10.244.0.3", { ready: false }),
      endpoint("10.244.1.2", { isLocal: false }),
    ];
    const other = { ...PORT, portName: "metrics", name: "default/web:metrics", endpoints };
    health.updated([{ ...PORT, endpoints }, other]);
    const { status, headers, body } = listeners.get(31000)!.get("/");
    expect(status).toBe(200);
    expect(headers["X-Load-Balancing-Endpoint-Weight"]).toBe("1");
    expect(body).toBe(`{
	"service": {
		"namespace": "default",
		"name": "web"
	},
	"localEndpoints": 1,
	"serviceProxyHealthy": true
}`);
    health.updated([PORT]);
    expect(get("/healthz", 31000)).toMatchObject({ status: 503, body: { localEndpoints: 0 } });
  });

  it("says no while the proxy itself is not well", async () => {
    const { kernel, health, get } = made();
    health.updated([{ ...PORT, endpoints: [endpoint("10.244.0.2")] }]);
    health.queuedUpdate();
    kernel.after(60_000, () => {
      const body = { localEndpoints: 1, serviceProxyHealthy: false };
      expect(get("/", 31000)).toMatchObject({ status: 503, body });
    });
    await kernel.run({ untilMs: 60_001 });
    expect.assertions(1);
  });

  it("is open as long as the Service has it, and the process runs", () => {
    const { health, listeners } = made();
    health.updated([PORT]);
    health.updated([{ ...PORT, healthCheckNodePort: 31001 }]);
    expect([...listeners.keys()]).toEqual([10_256, 31001]);
    health.stop();
    expect([...listeners.keys()]).toEqual([]);
  });

  it.each(["iptables", "nftables", "ipvs"] as const)("answers anybody, under %s", async (proxy) => {
    const more =
      "  type: LoadBalancer\n  externalTrafficPolicy: Local\n  healthCheckNodePort: 31000\n";
    const nodes = ["node-1", "node-2"];
    const asks = [
      ...nodes.map((node) => ask("outside", `node ${node}:31000/healthz`)),
      ask("outside", "node node-1:10256/livez", 31_000),
      ask("outside", "node node-1:10257/livez", 32_000),
    ];
    const scenario = { network: "flannel", proxy } as const;
    const inputs = [apply(pod("web", "node-1"), service("web", more)), ...asks];
    const { lines } = await run(scenario, inputs);
    const heads = lines.map((line) => line.split("\n")[0]);
    expect(heads.toSorted()).toEqual([
      expect.stringMatching(/^curl: \(7\) Failed to connect to node node-1 port 10257/),
      "kube-proxy/node-1 answers 200 OK; it saw 203.0.113.10",
      "kube-proxy/node-1 answers 200 OK; it saw 203.0.113.10",
      "kube-proxy/node-2 answers 503 Service Unavailable; it saw 203.0.113.10",
    ]);
    expect(lines.find((line) => line.startsWith("kube-proxy/node-2"))).toContain(
      '"localEndpoints": 0',
    );
  });

  it("is closed with kube-proxy, and open again with it", async () => {
    const scenario = { network: "flannel", proxy: "iptables" } as const;
    const actor = "kube-proxy/node-1";
    const to = "node node-1:10256/livez";
    const { lines } = await run(scenario, [
      { atMs: 20_000, do: "stop", actor },
      ask("outside", to, 21_000),
      { atMs: 22_000, do: "start", actor },
      ask("outside", to, 25_000),
    ]);
    expect(lines[0]).toMatch(/^curl: \(7\)/);
    expect(lines[1]).toMatch(/^kube-proxy\/node-1 answers 200 OK/);
  });
});
