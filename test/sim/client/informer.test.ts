import { describe, expect, it } from "vitest";
import { ConfigMap } from "../../../sim/src/api/kinds/configmap.ts";
import { testCluster } from "../controllers/cluster.ts";

function map(name: string, text = "1"): ConfigMap {
  const metadata = { name, namespace: "default" };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { text } };
}

function follow(cluster: ReturnType<typeof testCluster>) {
  const informer = cluster.contexts("reader")().informers.informer(ConfigMap);
  const seen: string[] = [];
  informer.onChange({
    added: ({ metadata }) => seen.push(`+${metadata.name}`),
    updated: ({ metadata, data }) => seen.push(`~${metadata.name} ${data?.text}`),
    deleted: ({ metadata }) => seen.push(`-${metadata.name}`),
  });
  return { informer, seen };
}

describe("Informer", () => {
  it("lists, then follows changes in order", async () => {
    const cluster = testCluster();
    await cluster.make(ConfigMap, map("a"));
    const { informer, seen } = follow(cluster);
    expect(informer.hasSynced).toBe(false);
    await cluster.run(100);
    expect(informer.hasSynced).toBe(true);
    await cluster.make(ConfigMap, map("b"));
    await cluster.act(() => cluster.client.update(ConfigMap, map("b", "2")));
    await cluster.act(() => cluster.client.delete(ConfigMap, "default", "a"));
    await cluster.run(100);
    expect(seen).toEqual(["+a", "+b", "~b 2", "-a"]);
    expect(informer.get("default/b")?.data).toEqual({ text: "2" });
    expect(Object.isFrozen(informer.get("default/b"))).toBe(true);
  });

  it("tells a late listener of what is there already", async () => {
    const cluster = testCluster();
    await cluster.make(ConfigMap, map("a"));
    const { informer } = follow(cluster);
    await cluster.run(100);
    const names: string[] = [];
    const undo = informer.onChange({ added: ({ metadata }) => names.push(metadata.name) });
    expect(names).toEqual(["a"]);
    undo();
    await cluster.make(ConfigMap, map("b"));
    await cluster.run(100);
    expect(names).toEqual(["a"]);
  });

  it("lists anew when the server has forgotten the history, and tells the difference", async () => {
    const cluster = testCluster();
    await cluster.make(ConfigMap, map("a"));
    await cluster.make(ConfigMap, map("b"));
    const { informer, seen } = follow(cluster);
    await cluster.run(100);
    const { faults } = cluster.kernel;
    faults.partition("reader", "kube-apiserver");
    cluster.server.restart();
    await cluster.act(() => cluster.client.delete(ConfigMap, "default", "a"));
    await cluster.act(() => cluster.client.update(ConfigMap, map("b", "2")));
    await cluster.make(ConfigMap, map("c"));
    cluster.server.restart();
    await cluster.run(1_000);
    expect(seen).toEqual(["+a", "+b"]);
    faults.heal("reader", "kube-apiserver");
    await cluster.run(90_000);
    expect(seen).toEqual(["+a", "+b", "-a", "~b 2", "+c"]);
    expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(["b", "c"]);
  });

  it("begins empty after a stop", async () => {
    const cluster = testCluster();
    await cluster.make(ConfigMap, map("a"));
    const { informer, seen } = follow(cluster);
    await cluster.run(100);
    informer.stop();
    expect([informer.size, informer.hasSynced]).toEqual([0, false]);
    await cluster.make(ConfigMap, map("b"));
    await cluster.run(1_000);
    expect(seen).toEqual(["+a"]);
    informer.start();
    await cluster.run(100);
    expect(seen).toEqual(["+a", "+a", "+b"]);
  });
});
