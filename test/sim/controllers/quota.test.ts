/** What a quota counts, by API server and controller alike. */
import { describe, expect, it } from "vitest";
import { LimitRange } from "../../../sim/src/api/kinds/limitrange.ts";
import { Node } from "../../../sim/src/api/kinds/node.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { ResourceQuota } from "../../../sim/src/api/kinds/resourcequota.ts";
import { Service } from "../../../sim/src/api/kinds/service.ts";
import { podAmounts } from "../../../sim/src/apiserver/admission/limits/amounts.ts";
import { node, pod, testCluster } from "./cluster.ts";

describe("a quota of Pods", () => {
  it("counts a Pod that is going until its grace period has passed twice, by the next recount", async () => {
    const cluster = testCluster();
    cluster.start();
    await cluster.make(Node, node("n1", "True"));
    await cluster.make(ResourceQuota, {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "q", namespace: "default" },
      spec: { hard: { pods: "1", "count/pods": "5" } },
    });
    await cluster.run(2_000);
    await cluster.make(Pod, pod("a", { nodeName: "n1", terminationGracePeriodSeconds: 20 }));
    // Nobody is there who could say that it has ended.
    await cluster.act(() => cluster.client.delete(Pod, "default", "a"));
    const used = async () => (await cluster.read(ResourceQuota, "q")).status?.used;
    await cluster.run(30_000);
    await expect(cluster.make(Pod, pod("b"))).rejects.toThrow(
      'pods "b" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
    );
    expect(await used()).toEqual({ pods: "1", "count/pods": "1" });
    await cluster.run(300_000);
    expect(await used()).toEqual({ pods: "0", "count/pods": "1" });
    await cluster.make(Pod, pod("b"));
    expect(await used()).toEqual({ pods: "1", "count/pods": "2" });
  });
});

/** A namespace with a quota that is counted. */
async function limited(hard: Readonly<Record<string, string>>, more: object = {}) {
  const cluster = testCluster();
  cluster.start();
  await cluster.make(ResourceQuota, {
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: "q", namespace: "default" },
    spec: { hard, ...more },
  });
  await cluster.run(2_000);
  const used = async () => (await cluster.read(ResourceQuota, "q")).status?.used;
  return { ...cluster, used };
}

describe("a quota", () => {
  it("asks containers for nothing that the Pod says as a whole", async () => {
    const { make, used } = await limited({ "requests.cpu": "1", pods: "3" });
    await expect(make(Pod, pod("a"))).rejects.toThrow(
      'pods "a" is forbidden: failed quota: q: must specify requests.cpu for: c',
    );
    await make(Pod, pod("a", { resources: { requests: { cpu: "600m" } } }));
    expect(await used()).toEqual({ "requests.cpu": "600m", pods: "1" });
    await expect(make(Pod, pod("b", { resources: { requests: { cpu: "600m" } } }))).rejects.toThrow(
      "exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=600m, limited: requests.cpu=1",
    );
  });

  it("is counted again when a node gives a container less", async () => {
    const { make, client, act, run, used } = await limited({ "requests.cpu": "2" });
    const resources = { requests: { cpu: "1" } };
    const containers = [{ name: "c", image: "nginx", resources }];
    const made = await make(Pod, pod("a", { containers }));
    const given = async (cpu: string) => {
      const { metadata } = await client.get(Pod, "default", "a");
      const has = { allocatedResources: { cpu }, resources: { requests: { cpu } } };
      const own = { name: "c", image: "nginx", imageID: "", ready: true, restartCount: 0 };
      const containerStatuses = [{ ...own, ...has }];
      await client.updateStatus(Pod, { ...made, metadata, status: { containerStatuses } } as Pod);
    };
    await act(() => given("1500m"));
    await act(() => given("1"));
    await run(2_000);
    expect(await used()).toEqual({ "requests.cpu": "1" });
    await act(() => given("1500m"));
    await run(2_000);
    expect(await used()).toEqual({ "requests.cpu": "1500m" });
  });

  it("is counted again when a Service gives its ports back", async () => {
    const cluster = await limited({ "services.nodeports": "2", services: "9" });
    const made = await cluster.make(Service, {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "s", namespace: "default" },
      spec: {
        type: "NodePort",
        ports: [
          { name: "a", port: 80 },
          { name: "b", port: 81 },
        ],
      },
    } as Service);
    expect(await cluster.used()).toEqual({ "services.nodeports": "2", services: "1" });
    const spec = { ...made.spec, type: "ClusterIP" };
    await cluster.act(() => cluster.client.update(Service, { ...made, spec }));
    await cluster.run(2_000);
    expect(await cluster.used()).toEqual({ "services.nodeports": "0", services: "1" });
  });

  it("counts in its status the Pods that look at other namespaces", async () => {
    const scopes = ["CrossNamespacePodAffinity"];
    const cluster = await limited({ pods: "1" }, { scopes });
    const term = { topologyKey: "zone", namespaces: ["kube-system"], labelSelector: {} };
    const rules = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
    await cluster.make(Pod, pod("far", { affinity: { podAntiAffinity: rules } }));
    await cluster.make(Pod, pod("near"));
    await cluster.run(301_000); // Counted anew by now.
    expect(await cluster.used()).toEqual({ pods: "1" });
  });
});

describe("a LimitRange", () => {
  const range = (name: string, item: object) =>
    ({
      apiVersion: "v1",
      kind: "LimitRange",
      metadata: { name, namespace: "default" },
      spec: { limits: [item] },
    }) as unknown as LimitRange;

  it("is told of alone if it is the first to refuse", async () => {
    const { make, start, run } = testCluster();
    start();
    await run(2_000);
    await make(LimitRange, range("a", { type: "Pod", min: { cpu: "1" } }));
    await make(LimitRange, range("b", { type: "Pod", min: { memory: "1Gi" } }));
    await expect(make(Pod, pod("p"))).rejects.toThrow(
      /forbidden: minimum cpu usage per Pod is 1\. {2}No request is specified$/,
    );
  });

  it("measures a Pod by what it says as a whole, and without its runtime's overhead", async () => {
    const { make, start, run } = testCluster();
    start();
    await run(2_000);
    await make(LimitRange, range("a", { type: "Pod", max: { cpu: "1" } }));
    const resources = { requests: { cpu: "100m" }, limits: { cpu: "2" } };
    await expect(make(Pod, pod("p", { resources }))).rejects.toThrow(
      "maximum cpu usage per Pod is 1, but limit is 2",
    );
    const amounts = podAmounts({
      containers: [{ name: "c", resources: { requests: { cpu: "1" } } }],
      overhead: { cpu: "1" },
    });
    expect(amounts.requests).toEqual({ cpu: "1" });
  });
});
