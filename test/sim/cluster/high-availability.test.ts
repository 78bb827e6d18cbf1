/** A control plane of several machines: what it bears, and what it does not. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { str } from "../../../sim/src/api/kinds/access.ts";
import { ConfigMap } from "../../../sim/src/api/kinds/configmap.ts";
import { deployment, isReady, spec, type World, world } from "../misconceptions/world.ts";

const holderOf = (w: World, name: string) =>
  str(spec(w.object("leases", name, "kube-system")).holderIdentity);
const make = (w: World, name: string) =>
  w.act((client) =>
    client.create(ConfigMap, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace: "default" },
    }),
  );

describe("a highly available control plane", () => {
  it("has another scheduler and controller manager take over when the leaders stop", async () => {
    const w = world({ nodes: 2, controlPlanes: 3, etcd: "external" });
    await w.until(20);
    const scheduler = holderOf(w, "kube-scheduler");
    const manager = holderOf(w, "kube-controller-manager");
    w.cluster.stop(`kube-scheduler/${scheduler}`);
    w.cluster.stop(`kube-controller-manager/${manager}`);
    await w.apply(deployment());
    await w.more(5);
    expect(w.pods("web").filter(isReady)).toEqual([]);
    await w.more(40);
    expect(w.pods("web").filter(isReady)).toHaveLength(2);
    expect(holderOf(w, "kube-scheduler")).not.toBe(scheduler);
    expect(holderOf(w, "kube-controller-manager")).not.toBe(manager);
  });

  it("goes on without one API server behind the load balancer", async () => {
    const w = world({ nodes: 2, controlPlanes: 3 });
    await w.until(20);
    w.cluster.stop("kube-apiserver/cp-2");
    await w.apply(deployment());
    await w.more(30);
    expect(w.pods("web").filter(isReady)).toHaveLength(2);
  });

  it("writes nothing without a quorum while the Pods run on, and recovers with it", async () => {
    const w = world({ nodes: 2, controlPlanes: 3, etcd: "external" });
    await w.until(20);
    await w.apply(deployment());
    await w.more(20);
    const at = w.kernel.now();
    for (const member of ["etcd/m1", "etcd/m2"]) w.cluster.stop(member);
    await w.more(2);
    await expect(make(w, "a")).rejects.toThrow();
    await w.more(20);
    expect(w.rows("cri", at).filter(({ subject }) => subject === "StopContainer")).toEqual([]);
    for (const member of ["etcd/m1", "etcd/m2"]) w.cluster.startAgain(member);
    await w.more(10);
    expect((await make(w, "b")).metadata.name).toBe("b");
  });

  it.each([
    ["stacked", "node/cp-1", "node/cp-2"],
    ["external", "node/cp-1", "node/cp-2"],
  ] as const)(
    "loses two machines of three: %s etcd decides what is left",
    async (etcd, ...lost) => {
      const w = world({ nodes: 1, controlPlanes: 3, etcd });
      await w.until(20);
      for (const machine of lost) w.cluster.stop(machine);
      await w.more(10);
      if (etcd === "external") expect((await make(w, "a")).metadata.name).toBe("a");
      else await expect(make(w, "a")).rejects.toThrow("etcdserver: request timed out");
    },
  );

  it("writes exactly while a majority of the members is up", async () => {
    const members = fc.constantFrom(3, 5);
    const down = fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 4 });
    const law = fc.asyncProperty(members, down, async (etcdMembers, chosen) => {
      const w = world({
        nodes: 1,
        controlPlanes: 1,
        etcdMembers,
        etcd: "external",
        without: ["kube-scheduler"],
      });
      await w.until(10);
      // The API server's own member stays: it is reached by no other way.
      const lost = chosen.filter((i) => i > 1 && i <= etcdMembers);
      for (const i of lost) w.cluster.stop(`etcd/m${i}`);
      await w.more(5);
      const written = await make(w, "a").then(
        () => true,
        () => false,
      );
      expect(written).toBe(etcdMembers - lost.length > etcdMembers / 2);
    });
    await fc.assert(law, { numRuns: 8, seed: 7 });
  });
});
