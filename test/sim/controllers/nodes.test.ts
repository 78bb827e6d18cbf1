import { describe, expect, it } from "vitest";
import { Event } from "../../../sim/src/api/kinds/event.ts";
import { Node } from "../../../sim/src/api/kinds/node.ts";
import { PersistentVolume } from "../../../sim/src/api/kinds/persistentvolume.ts";
import { PersistentVolumeClaim } from "../../../sim/src/api/kinds/persistentvolumeclaim.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { Service } from "../../../sim/src/api/kinds/service.ts";
import { startCloudControllerManager } from "../../../sim/src/cloud/manager.ts";
import { SimulatedCloud } from "../../../sim/src/cloud/provider.ts";
import { node, pod, testCluster } from "./cluster.ts";

async function addNode(cluster: ReturnType<typeof testCluster>, name: string, zone = "a") {
  const made = node(name, "True", { "topology.kubernetes.io/zone": zone });
  await cluster.make(Node, made);
  const { conditions } = made.status ?? {};
  const body = { status: { conditions } };
  const type = "application/strategic-merge-patch+json";
  const more = { subresource: "status" };
  await cluster.act(() => cluster.client.patch(Node, "", name, type, body, more));
}

/** Posts a Node's status every 10 s, as a kubelet does. */
function beat(cluster: ReturnType<typeof testCluster>, name: string) {
  const { kernel, client } = cluster;
  kernel.spawn(name, async () => {
    for (;;) {
      await kernel.sleep(10_000);
      const lastHeartbeatTime = kernel.timestamp();
      const ready = { type: "Ready", status: "True", lastHeartbeatTime };
      const body = { status: { conditions: [ready] } };
      const type = "application/strategic-merge-patch+json";
      await client.patch(Node, "", name, type, body, { subresource: "status" });
    }
  });
}

describe("Node controllers", () => {
  it("taint a Node that falls silent and delete its Pods 300 s later", async () => {
    const cluster = testCluster();
    cluster.start();
    for (const name of ["n1", "n2", "n3"]) await addNode(cluster, name);
    beat(cluster, "n1");
    beat(cluster, "n2");
    await cluster.make(Pod, pod("on-n3", { nodeName: "n3" }));
    await cluster.run(45_000);
    const ready = async () =>
      (await cluster.read(Node, "n3")).status?.conditions?.find(({ type }) => type === "Ready");
    expect((await ready())?.status).toBe("True");
    await cluster.run(20_000);
    expect(await ready()).toMatchObject({ status: "Unknown", reason: "NodeStatusUnknown" });
    const { taints = [] } = (await cluster.read(Node, "n3")).spec;
    expect(taints.map(({ key, effect }) => `${key}:${effect}`)).toEqual([
      "node.kubernetes.io/unreachable:NoSchedule",
      "node.kubernetes.io/unreachable:NoExecute",
    ]);
    await cluster.run(290_000);
    expect((await cluster.read(Pod, "on-n3")).metadata.deletionTimestamp).toBeUndefined();
    await cluster.run(20_000);
    expect((await cluster.read(Pod, "on-n3")).metadata.deletionTimestamp).toBeDefined();
  });

  it("leave everybody alone when all Nodes fall silent", async () => {
    const cluster = testCluster();
    cluster.start();
    for (const name of ["n1", "n2"]) await addNode(cluster, name);
    await cluster.run(70_000);
    for (const name of ["n1", "n2"]) {
      const { taints = [] } = (await cluster.read(Node, name)).spec;
      expect(taints.filter(({ effect }) => effect === "NoExecute")).toEqual([]);
    }
  });

  it("give each Node a range of addresses and take back a deleted one's", async () => {
    const cluster = testCluster();
    cluster.start({ clusterCidr: "10.244.0.0/16" });
    for (const name of ["n1", "n2"]) await addNode(cluster, name);
    await cluster.run(1_000);
    const cidrs = (await cluster.list(Node)).map(({ spec }) => spec.podCIDR);
    expect(cidrs.toSorted()).toEqual(["10.244.0.0/24", "10.244.1.0/24"]);
  });

  it("remove Pods of a Node that is gone, after 40 s", async () => {
    const cluster = testCluster();
    cluster.start();
    await addNode(cluster, "n1");
    await cluster.make(Pod, pod("lost", { nodeName: "n1" }));
    await cluster.run(1_000);
    await cluster.act(() => cluster.client.delete(Node, "", "n1"));
    await cluster.run(30_000);
    expect(await cluster.list(Pod)).toHaveLength(1);
    await cluster.run(50_000);
    expect(await cluster.list(Pod)).toHaveLength(0);
  });
});

describe("volumes", () => {
  it("are bound to the smallest that fits, and released with the claim", async () => {
    const cluster = testCluster();
    cluster.start();
    const volume = (name: string, storage: string): PersistentVolume => ({
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name },
      spec: {
        capacity: { storage },
        accessModes: ["ReadWriteOnce"],
        persistentVolumeReclaimPolicy: "Retain",
        hostPath: { path: "/data" },
      },
    });
    await cluster.make(PersistentVolume, volume("large", "10Gi"));
    await cluster.make(PersistentVolume, volume("small", "1Gi"));
    await cluster.run(1_000);
    await cluster.make(PersistentVolumeClaim, {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "data", namespace: "default" },
      spec: {
        accessModes: ["ReadWriteOnce"],
        storageClassName: "",
        resources: { requests: { storage: "500Mi" } },
      },
    });
    await cluster.run(1_000);
    const claim = await cluster.read(PersistentVolumeClaim, "data");
    expect(claim.status?.phase).toBe("Bound");
    expect(claim.spec.volumeName).toBe("small");
    expect(claim.metadata.finalizers).toContain("kubernetes.io/pvc-protection");
    await cluster.act(() => cluster.client.delete(PersistentVolumeClaim, "default", "data"));
    await cluster.run(1_000);
    expect((await cluster.read(PersistentVolume, "small")).status?.phase).toBe("Released");
    expect((await cluster.read(PersistentVolume, "large")).status?.phase).toBe("Available");
  });
});

describe("cloud controllers", () => {
  it("give a Service a load balancer and take it away with the Service", async () => {
    const cluster = testCluster();
    const cloud = new SimulatedCloud(cluster.kernel);
    startCloudControllerManager(cluster.contexts("cloud-controller-manager"), cloud);
    await addNode(cluster, "n1");
    await cluster.make(Service, {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web", namespace: "default" },
      spec: { type: "LoadBalancer", selector: { app: "web" }, ports: [{ port: 80 }] },
    });
    await cluster.run(10_000);
    const { status } = await cluster.read(Service, "web");
    expect(status?.loadBalancer?.ingress).toEqual([{ ip: "198.51.100.10", ipMode: "VIP" }]);
    expect(cloud.loadBalancers.get("default/web")?.nodes).toEqual(["n1"]);
    await cluster.act(() => cluster.client.delete(Service, "default", "web"));
    await cluster.run(10_000);
    expect(cloud.loadBalancers.size).toBe(0);
    expect(await cluster.list(Service)).toHaveLength(0);
    const told = [...cluster.kernel.trace].filter(({ actor }) => actor === "cloud");
    expect(told.map(({ subject }) => subject)).toEqual([
      "EnsureLoadBalancer default/web: 198.51.100.10 to n1",
      "DeleteLoadBalancer default/web",
    ]);
  });

  it("tell the load balancer of Nodes that may get traffic, ready or not, and only of changes", async () => {
    const cluster = testCluster();
    const cloud = new SimulatedCloud(cluster.kernel, "Proxy");
    startCloudControllerManager(cluster.contexts("cloud-controller-manager"), cloud);
    for (const name of ["n1", "n2"]) {
      cloud.instances.set(name, {
        ...{ providerId: `sim://a/${name}`, instanceType: "m", zone: "a", region: "r" },
        ...{ addresses: [], isShutdown: false },
      });
      await addNode(cluster, name);
    }
    await cluster.make(Service, {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web", namespace: "default" },
      spec: {
        ...{ type: "LoadBalancer", selector: { app: "web" }, ports: [{ port: 80 }] },
        ...{ externalTrafficPolicy: "Local", loadBalancerSourceRanges: ["192.0.2.0/24"] },
      },
    });
    await cluster.run(10_000);
    const { spec, status } = await cluster.read(Service, "web");
    expect(status?.loadBalancer?.ingress).toEqual([{ ip: "198.51.100.10", ipMode: "Proxy" }]);
    expect(cloud.loadBalancers.get("default/web")).toMatchObject({
      ...{ nodes: ["n1", "n2"], sourceRanges: ["192.0.2.0/24"] },
      healthCheck: { port: spec.healthCheckNodePort, path: "/healthz" },
    });
    const patch = (body: object, subresource?: string) =>
      cluster.act(() =>
        cluster.client.patch(Node, "", "n2", "application/merge-patch+json", body, { subresource }),
      );
    const nodesAfter = async (body: object, subresource?: string) => {
      await patch(body, subresource);
      await cluster.run(10_000);
      return cloud.loadBalancers.get("default/web")?.nodes;
    };
    const conditions = [{ type: "Ready", status: "False" }];
    expect(await nodesAfter({ status: { conditions } }, "status")).toEqual(["n1", "n2"]);
    const label = "node.kubernetes.io/exclude-from-external-load-balancers";
    expect(await nodesAfter({ metadata: { labels: { [label]: "" } } })).toEqual(["n1"]);
    expect(await nodesAfter({ metadata: { labels: { [label]: null } } })).toEqual(["n1", "n2"]);
    const reasons = (await cluster.list(Event)).map(({ reason, count }) => `${reason} ${count}`);
    expect(reasons.filter((reason) => reason.includes("LoadBalancer")).toSorted()).toEqual([
      ...["EnsuredLoadBalancer 1", "EnsuringLoadBalancer 1", "UpdatedLoadBalancer 2"],
    ]);
  });

  it("say that a load balancer has no Node to send to", async () => {
    const cluster = testCluster();
    const cloud = new SimulatedCloud(cluster.kernel);
    startCloudControllerManager(cluster.contexts("cloud-controller-manager"), cloud);
    await cluster.make(Service, {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web", namespace: "default" },
      spec: { type: "LoadBalancer", selector: { app: "web" }, ports: [{ port: 80 }] },
    });
    await cluster.run(10_000);
    const events = await cluster.list(Event);
    expect(events.find(({ reason }) => reason === "UnAvailableLoadBalancer")).toMatchObject({
      ...{ type: "Warning", message: "There are no available nodes for LoadBalancer" },
    });
  });
});
