/** Rules that a packet meets, printed with what came of it. */
import type { Scenario } from "@shikumi/sim";
import { expect, it } from "vitest";
import { apply, ask, pod, run, service } from "./world.ts";

const inputs = [
  apply(pod("web", "node-2"), pod("client", "node-1"), service("web", "  clusterIP: 10.96.7.7\n")),
  { ...ask("pod client", "10.96.7.7:8080"), rules: true },
];

async function linesOf(proxy: Scenario["proxy"]): Promise<string[]> {
  const { lines } = await run({ network: "flannel", proxy }, inputs);
  return lines.join("\n").split("\n");
}

it("iptables: chain by chain, on each machine, without the comments", async () => {
  const lines = await linesOf("iptables");
  expect(lines.slice(0, 3)).toEqual([
    "pod default/web answers; it saw 10.244.0.2",
    "node node-1",
    "  -A PREROUTING -j KUBE-SERVICES",
  ]);
  const service = lines.find((line) => line.startsWith("  -A KUBE-SERVICES -m tcp"))!;
  expect(service).toMatch(
    /^ {2}-A KUBE-SERVICES -m tcp -p tcp -d 10.96.7.7 --dport 8080 -j KUBE-SVC-/,
  );
  const chain = service.split(" ").at(-1)!;
  expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^ {2}-A ${chain} -j KUBE-SEP-`)));
  expect(lines.filter((line) => line.startsWith("node "))).toEqual(["node node-1", "node node-2"]);
});

it("nftables: each rule with its chain", async () => {
  expect(await linesOf("nftables")).toContain(
    "  add rule ip kube-proxy services ip daddr . meta l4proto . th dport vmap @service-ips",
  );
});

it("ipvs: the virtual server and the real one that it chose", async () => {
  expect(await linesOf("ipvs")).toContain("  TCP 10.96.7.7:8080 rr -> 10.244.1.2:80");
});

it("says nothing of rules unless it is asked", async () => {
  const plain = inputs.map((input) => ("rules" in input ? { ...input, rules: false } : input));
  const { lines } = await run({ network: "flannel", proxy: "iptables" }, plain);
  expect(lines).toEqual(["pod default/web answers; it saw 10.244.0.2"]);
});

it("no connection takes a port that is still in use: each meets the rules by itself", async () => {
  const [yaml, first] = inputs;
  const asks = Array.from({ length: 600 }, (_, i) => ({ ...first!, atMs: 30_000 + i * 5 }));
  const { lines } = await run({ network: "flannel", proxy: "iptables" }, [yaml!, ...asks]);
  const chosen = lines.join("\n").match(/--to-destination/g) ?? [];
  expect(chosen).toHaveLength(600);
});
