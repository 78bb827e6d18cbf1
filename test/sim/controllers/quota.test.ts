/** What a quota counts, by API server and controller alike. */
import { describe, expect, it } from "vitest";
import { Node } from "../../../sim/src/api/kinds/node.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { ResourceQuota } from "../../../sim/src/api/kinds/resourcequota.ts";
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
