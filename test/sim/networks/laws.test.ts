/** Laws of all networks: addresses are not shared, Services are reached. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { world } from "../misconceptions/world.ts";
import { apply, ask, pod, run, service } from "./world.ts";

const place = fc.record({
  network: fc.constantFrom("flannel", "calico", "cilium"),
  encapsulation: fc.constantFrom("vxlan", "none"),
  proxy: fc.constantFrom("iptables", "nftables", "ipvs"),
  nodes: fc.integer({ min: 1, max: 3 }),
  pods: fc.integer({ min: 2, max: 6 }),
  seed: fc.nat(1000),
} as const);

const PROXIES = ["iptables", "nftables", "ipvs"] as const;
const NETWORKS = [
  ["bridge", undefined],
  ["flannel", "vxlan"],
  ["flannel", "none"],
  ["calico", "ipip"],
  ["calico", "vxlan"],
  ["calico", "none"],
  ["cilium", "vxlan"],
  ["cilium", "none"],
] as const;
const PLACES = NETWORKS.flatMap(([network, encapsulation]) =>
  PROXIES.map((proxy) => ({ network, encapsulation, proxy })),
);

const VIP = "10.96.7.7:8080";
const FRIENDS = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: friends }
spec:
  podSelector: { matchLabels: { app: web } }
  ingress:
  - from: [{ podSelector: { matchExpressions: [{ key: app, operator: In, values: [web, friend] }] } }]
    ports: [{ port: 80 }]
---
`;
const QUIET = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: quiet }
spec:
  podSelector: { matchLabels: { app: mute } }
  policyTypes: [Egress]
  egress: []
---
`;

/** Pod by name: its app, and its node; in the bridge's network all are on one. */
const PODS: Readonly<Record<string, readonly [app: string, node: string]>> = {
  "web-a": ["web", "node-1"],
  "web-b": ["web", "node-2"],
  ...{ near: ["friend", "node-1"], far: ["friend", "node-2"] },
  ...{ foe: ["foe", "node-1"], stranger: ["foe", "node-2"] },
  mute: ["mute", "node-1"],
};
const FORBIDDEN = ["foe", "mute", "stranger"];

describe("a Service with a ready endpoint", () => {
  it.each(PLACES)(
    "is reached from every Pod unless a policy forbids it: $network $encapsulation $proxy",
    async ({ network, ...rest }) => {
      const w = world({ nodes: 2, network, ...rest });
      const { traffic } = w.cluster;
      await w.until(5);
      const objects = Object.entries(PODS).map(([name, [app, node]]) =>
        pod(name, network === "bridge" ? "node-1" : node, app),
      );
      const web = service("web", "  clusterIP: 10.96.7.7\n");
      await w.apply([...objects, web].join(""));
      await w.more(15);
      /** Who is not served, of so many tries at each endpoint's turn. */
      const refused = async () => {
        const found = new Set<string>();
        for (const name of [...Object.keys(PODS), ...Object.keys(PODS)]) {
          const input = { atMs: 0, do: "connect", from: `pod ${name}`, to: VIP } as const;
          const { ok, server } = await w.act(() => traffic.connect(input));
          if (ok) expect(server).toMatch(/^pod default\/web-/);
          else found.add(name);
        }
        return [...found].toSorted();
      };
      expect(await refused()).toEqual([]);
      await w.apply(FRIENDS + QUIET);
      await w.more(5);
      const enforced = network === "calico" || network === "cilium";
      expect(await refused()).toEqual(enforced ? FORBIDDEN : []);
      // And once they are gone, all is as before.
      await w.kubectl("delete networkpolicy friends quiet");
      await w.more(5);
      expect(await refused()).toEqual([]);
    },
  );
});

describe("every network", () => {
  it("gives each Pod its own address, and a way to every Service", async () => {
    await fc.assert(
      fc.asyncProperty(place, async ({ pods, nodes, seed, ...rest }) => {
        const names = Array.from({ length: pods }, (_, i) => `p${i}`);
        const objects = names.map((name, i) => {
          return pod(name, `node-${(i % nodes) + 1}`, i % 2 === 0 ? "web" : "other");
        });
        // Some go, some come: addresses are used again.
        const gone = { atMs: 15_000, do: "kubectl", line: "delete pod p0 p1 --now" } as const;
        const again = { ...apply(...objects.slice(0, 2)), atMs: 20_000 };
        const asks = names.map((name, i) => ask(`pod ${name}`, "svc:8080", 30_000 + i * 10));
        const web = service("svc").replace("app: svc", "app: web");
        // Without CoreDNS, the Service is asked by its address.
        const yaml = web.replace("spec:\n", "spec:\n  clusterIP: 10.96.7.7\n");
        const inputs = [apply(...objects, yaml), gone, again];
        const byAddress = asks.map((one) => ({ ...one, to: "10.96.7.7:8080" }));
        const scenario = { ...rest, nodes, untilMs: 36_000 };
        const { session, lines } = await run(scenario, [...inputs, ...byAddress], seed);
        expect(lines).toHaveLength(pods);
        for (const line of lines) expect(line).toMatch(/^pod default\/p\d answers/);
        const live = session.cluster.server.storageOf("pods").cache.list("") as Pod[];
        const ips = live.map(({ status }) => status?.podIP);
        expect(new Set(ips).size).toBe(pods);
      }),
      { numRuns: 8 },
    );
  });

  it("leaves the node as it was once its Pods are gone", async () => {
    for (const network of ["bridge", "flannel", "calico", "cilium"] as const) {
      const shown = async (inputs: Parameters<typeof run>[1]) => {
        const { session } = await run({ network, nodes: 1 }, inputs);
        const { root } = session.cluster.hosts[0]!.network;
        return {
          links: [...root.links.keys()].filter((name) => /^(veth|cali\w{11}|lxc)/.test(name)),
          routes: root.routes.filter(({ device = "" }) => /^(cali|lxc)/.test(device)),
          rules: root.iptables.save("nat").filter((line) => /CNI/.test(line)),
        };
      };
      const pods = apply(pod("a", "node-1"), pod("b", "node-1"));
      const gone = { atMs: 15_000, do: "kubectl", line: "delete pod a b --now" } as const;
      expect(await shown([pods, gone]), network).toEqual(await shown([]));
    }
  });
});
