/** Laws of all networks: addresses are not shared, Services are reached. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { apply, ask, pod, run, service } from "./world.ts";

const place = fc.record({
  network: fc.constantFrom("flannel", "calico", "cilium"),
  encapsulation: fc.constantFrom("vxlan", "none"),
  proxy: fc.constantFrom("iptables", "nftables"),
  nodes: fc.integer({ min: 1, max: 3 }),
  pods: fc.integer({ min: 2, max: 6 }),
  seed: fc.nat(1000),
} as const);

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
