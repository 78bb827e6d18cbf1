/** A machine whose clock is wrong: what it writes is off, how long it waits is not. */
import type { KubeObject } from "@shikumi/sim";
import { createSession, type Scenario } from "@shikumi/sim";
import { describe, expect, it } from "vitest";
import { Kernel, withClock } from "../../../sim/src/kernel/index.ts";

const EPOCH = "2026-01-01T00:00:00Z";
const MINUTE = 60_000;

interface Loose extends KubeObject {
  spec: { renewTime?: string };
  status: { conditions?: { type: string; status: string }[]; availableReplicas?: number };
}

/** The cluster after `untilMs`, and a way to read it. */
async function cluster(scenario: Scenario, untilMs: number, yaml?: string) {
  const inputs = yaml ? [{ atMs: 2_000, do: "apply" as const, yaml }] : [];
  const session = createSession({
    seed: 1,
    epoch: EPOCH,
    scenario: { quietMs: 0, ...scenario, untilMs },
    inputs,
  });
  await session.run();
  const { server } = session.cluster;
  return (resource: string, namespace: string, name: string) =>
    server.storageOf(resource).get(namespace, name) as Loose | undefined;
}

const web = (minReadySeconds: number) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  minReadySeconds: ${minReadySeconds}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: c, image: "nginx:1.27" }] }
`;

describe("a wrong clock", () => {
  it("shifts moments, and no waits", async () => {
    const kernel = new Kernel({ epoch: EPOCH });
    const ahead = withClock(kernel, MINUTE);
    let woke = 0;
    ahead.after(1_000, () => {
      woke = ahead.now();
    });
    ahead.after(5_000, () => {});
    await ahead.run();
    expect(woke).toBe(1_000);
    expect(kernel.now()).toBe(5_000);
    expect(ahead.timestamp()).toBe("2026-01-01T00:01:05Z");
    expect(kernel.timestamp()).toBe("2026-01-01T00:00:05Z");
    expect(ahead.msOf("2026-01-01T00:01:05Z")).toBe(5_000);
    ahead.causeId = 7;
    expect(kernel.causeId).toBe(7);
  });

  it("of a node leaves it Ready: who waits for its Lease goes by its own clock", async () => {
    const read = await cluster({ nodes: 2, clocks: { "node-1": -30 * MINUTE } }, 3 * MINUTE);
    const renewed = read("leases", "kube-node-lease", "node-1")?.spec.renewTime ?? "";
    expect(renewed < EPOCH).toBe(true);
    const conditions = read("nodes", "", "node-1")?.status.conditions ?? [];
    expect(conditions.find(({ type }) => type === "Ready")?.status).toBe("True");
  });

  it("of the control plane is what objects are created by", async () => {
    const read = await cluster({ nodes: 1, clocks: { "cp-1": 5 * MINUTE } }, MINUTE, web(0));
    const made = read("deployments", "default", "web")?.metadata.creationTimestamp;
    expect(made).toBe("2026-01-01T00:05:02Z");
  });

  it("of a node that is behind makes its Pods available too soon", async () => {
    const soon = await cluster({ nodes: 1, clocks: { "node-1": -MINUTE } }, 15_000, web(30));
    expect(soon("deployments", "default", "web")?.status.availableReplicas).toBe(1);
    const right = await cluster({ nodes: 1 }, 15_000, web(30));
    expect(right("deployments", "default", "web")?.status.availableReplicas ?? 0).toBe(0);
  });
});
