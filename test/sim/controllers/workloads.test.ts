import { describe, expect, it } from "vitest";
import { Deployment } from "../../../sim/src/api/kinds/deployment.ts";
import { Event } from "../../../sim/src/api/kinds/event.ts";
import { HorizontalPodAutoscaler } from "../../../sim/src/api/kinds/horizontalpodautoscaler.ts";
import { Lease } from "../../../sim/src/api/kinds/lease.ts";
import { Namespace } from "../../../sim/src/api/kinds/namespace.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { ReplicaSet } from "../../../sim/src/api/kinds/replicaset.ts";
import { ResourceQuota } from "../../../sim/src/api/kinds/resourcequota.ts";
import { ServiceAccount } from "../../../sim/src/api/kinds/serviceaccount.ts";
import { NO_METRICS, type Sample } from "../../../sim/src/controllers/hpa/metrics.ts";
import { namespace, pod, runPods, testCluster } from "./cluster.ts";

function deployment(name: string, replicas: number, image = "x"): Deployment {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "default" },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image }] } },
    },
  };
}

describe("controllers together", () => {
  it("make a ReplicaSet and its Pods from a Deployment", async () => {
    const cluster = testCluster();
    cluster.start();
    await cluster.make(Deployment, deployment("web", 3));
    await cluster.run(1_000);
    expect(await cluster.list(Pod)).toHaveLength(3);
    await runPods(cluster);
    await cluster.run(1_000);
    const { status } = await cluster.read(Deployment, "web");
    expect(status).toMatchObject({ readyReplicas: 3, availableReplicas: 3, observedGeneration: 1 });
    const reasons = (await cluster.list(Event)).map(({ reason }) => reason);
    expect(reasons.toSorted()).toEqual([
      "ScalingReplicaSet",
      ...Array.from({ length: 3 }, () => "SuccessfulCreate"),
    ]);
  });

  it("write nothing once all is settled", async () => {
    const cluster = testCluster();
    cluster.start({ controllers: ["*", "-node-lifecycle-controller"] });
    await cluster.make(Deployment, deployment("web", 3));
    await cluster.run(1_000);
    await runPods(cluster);
    await cluster.run(5_000);
    const { revision } = cluster.server;
    await cluster.run(100_000);
    expect(cluster.server.revision).toBe(revision);
  });

  it("adopt what an earlier manager left, after a restart", async () => {
    const cluster = testCluster();
    const first = cluster.start();
    await cluster.make(Deployment, deployment("web", 2));
    await cluster.run(1_000);
    first.stop();
    const [victim] = await cluster.list(Pod);
    const options = { gracePeriodSeconds: 0 };
    await cluster.act(() =>
      cluster.client.delete(Pod, "default", victim?.metadata.name ?? "", options),
    );
    await cluster.run(5_000);
    expect(await cluster.list(Pod)).toHaveLength(1);
    cluster.start({}, "second");
    await cluster.run(1_000);
    expect(await cluster.list(Pod)).toHaveLength(2);
    expect(await cluster.list(ReplicaSet)).toHaveLength(1);
  });

  it("leave work to the one that holds the Lease, and take over", async () => {
    const cluster = testCluster();
    const one = cluster.start({ leaderElection: { identity: "cp-1" } }, "one");
    await cluster.run(100);
    cluster.start({ leaderElection: { identity: "cp-2" } }, "two");
    await cluster.run(10_000);
    const holder = async () =>
      (await cluster.read(Lease, "kube-controller-manager", "kube-system")).spec.holderIdentity;
    expect(await holder()).toBe("cp-1");
    one.stop();
    await cluster.make(Deployment, deployment("web", 1));
    await cluster.run(5_000);
    expect(await cluster.list(Pod)).toHaveLength(0);
    await cluster.run(20_000);
    expect(await holder()).toBe("cp-2");
    expect(await cluster.list(Pod)).toHaveLength(1);
  });

  it("delete dependents in the background, first, or not at all", async () => {
    for (const propagationPolicy of ["Background", "Foreground", "Orphan"] as const) {
      const cluster = testCluster();
      cluster.start();
      await cluster.make(Deployment, deployment("web", 2));
      await cluster.run(1_000);
      await cluster.act(() =>
        cluster.client.delete(Deployment, "default", "web", { propagationPolicy }),
      );
      await cluster.run(2_000);
      const left = propagationPolicy === "Orphan" ? 1 : 0;
      expect(await cluster.list(Deployment)).toHaveLength(0);
      expect(await cluster.list(ReplicaSet)).toHaveLength(left);
      expect(await cluster.list(Pod)).toHaveLength(left * 2);
    }
  });

  it("empty a namespace, Pods first, and let it go", async () => {
    const cluster = testCluster();
    cluster.start();
    await cluster.make(Namespace, namespace("tmp"));
    await cluster.run(1_000);
    expect(await cluster.list(ServiceAccount, "tmp")).toHaveLength(1);
    await cluster.make(Pod, { ...pod("a"), metadata: { name: "a", namespace: "tmp" } });
    await cluster.act(() => cluster.client.delete(Namespace, "", "tmp"));
    await cluster.run(4_000);
    expect((await cluster.read(Namespace, "tmp")).status?.phase).toBe("Terminating");
    await cluster.run(10_000);
    expect((await cluster.list(Namespace)).map(({ metadata }) => metadata.name)).not.toContain(
      "tmp",
    );
  });

  it("count what a quota limits, and take off what is gone", async () => {
    const cluster = testCluster();
    cluster.start();
    await cluster.run(1_000);
    await cluster.make(Pod, pod("a"));
    await cluster.make(ResourceQuota, {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "q", namespace: "default" },
      spec: { hard: { pods: "5", "count/deployments.apps": "2", services: "3" } },
    });
    await cluster.make(Deployment, deployment("web", 2));
    await cluster.run(2_000);
    const used = async () => (await cluster.read(ResourceQuota, "q")).status?.used;
    expect(await used()).toEqual({ pods: "3", "count/deployments.apps": "1", services: "0" });
    await cluster.act(() => cluster.client.delete(Deployment, "default", "web"));
    await cluster.run(2_000);
    expect(await used()).toEqual({ pods: "1", "count/deployments.apps": "0", services: "0" });
  });

  it("scale a Deployment by what its Pods use, and back after 5 minutes", async () => {
    const cluster = testCluster();
    let milli = 900;
    const podResource = () => {
      const sample: Sample = { milli, atMs: cluster.kernel.now(), windowMs: 15_000 };
      return new Map(known.map((name) => [name, sample]));
    };
    const known: string[] = [];
    const off = ["*", "-node-lifecycle-controller"];
    cluster.start({ metrics: { ...NO_METRICS, podResource }, controllers: off });
    const web = deployment("web", 2);
    const container = { name: "c", image: "x", resources: { requests: { cpu: "500m" } } };
    const { template } = web.spec;
    const spec = { containers: [container] };
    await cluster.make(Deployment, {
      ...web,
      spec: { ...web.spec, template: { ...template, spec } },
    });
    await cluster.run(1_000);
    const runAll = async () => {
      await runPods(cluster);
      known.length = 0;
      for (const { metadata } of await cluster.list(Pod)) known.push(metadata.name);
    };
    await runAll();
    await cluster.run(400_000); // CPU of a starting Pod says nothing.
    await cluster.make(HorizontalPodAutoscaler, {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "web", namespace: "default" },
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
        minReplicas: 1,
        maxReplicas: 10,
        metrics: [
          {
            type: "Resource",
            resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 90 } },
          },
        ],
      },
    });
    await cluster.run(5_000);
    const replicas = async () => (await cluster.read(Deployment, "web")).spec.replicas;
    expect(await replicas()).toBe(4);
    const reasons = (await cluster.list(Event)).map(({ message }) => message);
    const why = "cpu resource utilization (percentage of request) above target";
    expect(reasons).toContain(`New size: 4; reason: ${why}`);
    await runAll();
    milli = 50;
    await cluster.run(200_000);
    expect(await replicas()).toBeGreaterThanOrEqual(4);
    await cluster.run(500_000);
    expect(await replicas()).toBe(1);
  });
});
