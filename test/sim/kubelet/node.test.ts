import { describe, expect, it } from "vitest";
import { Lease } from "../../../sim/src/api/kinds/lease.ts";
import { Node } from "../../../sim/src/api/kinds/node.ts";
import { condition, World } from "./world.ts";

describe("the kubelet's own node", () => {
  it("is registered with what it has, less what is kept back", async () => {
    const world = new World();
    await world.run(5);
    let node: Node | undefined;
    await world.do(async (client) => {
      node = await client.get(Node, "", "node-1");
    });
    expect(node?.status?.capacity).toMatchObject({ cpu: "4", pods: "110" });
    expect(node?.status?.allocatable?.memory).toBe("8092Mi");
    expect(node?.status?.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
      "MemoryPressure=False",
      "DiskPressure=False",
      "PIDPressure=False",
      "Ready=True",
    ]);
    expect(node?.status?.nodeInfo?.kubeletVersion).toBe("v1.36.2");
  });

  it("renews its Lease about every 10 s, and writes its status only when it changed", async () => {
    const world = new World();
    await world.run(100);
    const requests = world.entries("request").filter(({ actor }) => actor === "kubelet/node-1");
    const renewals = requests.filter(({ subject }) => /PUT leases/.test(subject));
    const statuses = requests.filter(({ subject }) =>
      /PATCH nodes\/status|PATCH nodes .*status/.test(subject),
    );
    expect(renewals.length).toBeGreaterThanOrEqual(8);
    expect(renewals.length).toBeLessThanOrEqual(10);
    expect(statuses.length).toBeLessThanOrEqual(2);
    let lease: Lease | undefined;
    await world.do(async (client) => {
      lease = await client.get(Lease, "kube-node-lease", "node-1");
    });
    expect(lease?.spec).toMatchObject({ holderIdentity: "node-1", leaseDurationSeconds: 40 });
  });

  it("finds its containers again after it was restarted", async () => {
    const world = new World();
    await world.run(2);
    await world.create(["web", {}]);
    await world.run(10);
    const before = world.pod()?.status?.containerStatuses?.[0]?.containerID;
    world.cluster.stop("kubelet/node-1");
    await world.run(5);
    world.cluster.startAgain("kubelet/node-1");
    await world.run(10);
    const after = world.pod()?.status?.containerStatuses?.[0];
    expect(after?.containerID).toBe(before);
    expect(after?.restartCount).toBe(0);
    expect(condition(world.pod(), "Ready")).toBe("True");
  });
});
