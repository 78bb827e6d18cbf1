/** Calico in a running cluster: blocks, routes, tunnels, policies. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { sha1Hex } from "../../../sim/src/network/sha1.ts";
import { routeLines } from "../../../sim/src/network/show.ts";
import { apply, ask, pod, run, service } from "./world.ts";

const PODS = apply(pod("a", "node-1"), pod("b", "node-2"), pod("c", "node-2"));

describe("calico", () => {
  it("hashes as the standard says", () => {
    for (const text of ["", "default.web", "x".repeat(130)]) {
      expect(sha1Hex(text)).toBe(createHash("sha1").update(text).digest("hex"));
    }
  });

  it.each(["ipip", "vxlan", "none"] as const)("carries packets by %s", async (encapsulation) => {
    const inputs = [PODS, ask("pod a", "pod b:80"), ask("node node-1", "pod b:80", 31_000)];
    const scenario = { network: "calico", encapsulation } as const;
    const { session, lines } = await run(scenario, inputs);
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatch(/^pod default\/b answers/);
    const routes = routeLines(session.cluster.hosts[0]!.network.root);
    const device = { ipip: "tunl0", vxlan: "vxlan.calico", none: "eth0" }[encapsulation];
    expect(routes.some((line) => line.includes("/26 via") && line.includes(device))).toBe(true);
    expect(routes.some((line) => /^blackhole .*\/26 proto bird/.test(line))).toBe(true);
    expect(routes.some((line) => /^10\.244\.\d+\.\d+ dev cali\w{11} scope link/.test(line))).toBe(
      true,
    );
  });
});

const DENY = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: only-a }
spec:
  podSelector: { matchLabels: { app: b } }
  ingress:
  - from: [{ podSelector: { matchLabels: { app: a } } }]
    ports: [{ port: 80 }]
---
`;

describe("a NetworkPolicy", () => {
  const inputs = [
    apply(pod("a", "node-1"), pod("b", "node-2"), pod("c", "node-2"), service("b"), DENY),
    ask("pod a", "pod b:80"),
    ask("pod c", "pod b:80", 30_100),
    ask("pod b", "pod c:80", 30_200),
  ];
  const answered = (lines: readonly string[]) =>
    lines.map((line) => / answers/.test(line)).toSorted();

  it.each(["calico", "cilium"] as const)("is enforced by %s", async (network) => {
    const { lines } = await run({ network, proxy: "iptables" }, inputs);
    expect(answered(lines)).toEqual([false, true, true]);
    expect(lines).toContain("curl: (28) Connection timed out after 3000 milliseconds");
  });

  it("is ignored by flannel", async () => {
    const { lines } = await run({ network: "flannel" }, inputs);
    expect(answered(lines)).toEqual([true, true, true]);
  });

  it("means by an ipBlock also Pods with calico, but with cilium only others", async () => {
    const block = DENY.replace(/from: .*/, "from: [{ ipBlock: { cidr: 0.0.0.0/0 } }]");
    const inside = [
      apply(pod("a", "node-1"), pod("b", "node-2"), block),
      ask("pod a", "pod b:80"),
      ask("node node-1", "pod b:80", 30_100),
      ask("node node-2", "pod b:80", 30_200),
      ask("outside", "node node-2:30080", 30_300),
    ];
    const door = service("b", "  type: NodePort\n").replace("80 }]", "80, nodePort: 30080 }]");
    for (const [network, wanted] of [
      ["calico", [true, true, true, true]],
      ["cilium", [false, false, true, true]],
    ] as const) {
      const { lines } = await run({ network, proxy: "iptables" }, [apply(door), ...inside]);
      expect(answered(lines), network).toEqual([...wanted].toSorted());
    }
  });
});
