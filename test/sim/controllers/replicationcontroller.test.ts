/** ReplicationControllers: available later than ready, and why Pods are missing. */
import { describe, expect, it } from "vitest";
import { ReplicationController } from "../../../sim/src/api/kinds/replicationcontroller.ts";
import { ResourceQuota } from "../../../sim/src/api/kinds/resourcequota.ts";
import { runPods, testCluster } from "./cluster.ts";

const controller = (replicas: number, minReadySeconds: number): ReplicationController => ({
  apiVersion: "v1",
  kind: "ReplicationController",
  metadata: { name: "rc", namespace: "default" },
  spec: {
    replicas,
    minReadySeconds,
    selector: { app: "rc" },
    template: {
      metadata: { labels: { app: "rc" } },
      spec: { containers: [{ name: "c", image: "x" }] },
    },
  },
});

const OFF = ["*", "-node-lifecycle-controller"];

describe("a ReplicationController", () => {
  it("counts a Pod as available once it was ready for minReadySeconds", async () => {
    const cluster = testCluster();
    cluster.start({ controllers: OFF });
    await cluster.make(ReplicationController, controller(2, 10));
    await cluster.run(2_000);
    await runPods(cluster);
    const status = async () => (await cluster.read(ReplicationController, "rc")).status;
    await cluster.run(8_000);
    expect(await status()).toMatchObject({ replicas: 2, readyReplicas: 2 });
    expect((await status())?.availableReplicas ?? 0).toBe(0);
    await cluster.run(4_000);
    expect(await status()).toMatchObject({ readyReplicas: 2, availableReplicas: 2 });
  });

  it("says why it cannot make its Pods, until it can", async () => {
    const cluster = testCluster();
    cluster.start({ controllers: OFF });
    await cluster.make(ResourceQuota, {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "q", namespace: "default" },
      spec: { hard: { pods: "1" } },
    });
    await cluster.run(2_000);
    await cluster.make(ReplicationController, controller(2, 0));
    await cluster.run(2_000);
    const conditions = async () =>
      (await cluster.read(ReplicationController, "rc")).status?.conditions ?? [];
    const [failure] = await conditions();
    expect(failure).toMatchObject({
      type: "ReplicaFailure",
      status: "True",
      reason: "FailedCreate",
    });
    expect(failure?.message).toContain("exceeded quota: q");
    await cluster.act(() => cluster.client.delete(ResourceQuota, "default", "q"));
    await cluster.run(60_000);
    expect(await conditions()).toEqual([]);
  });
});
