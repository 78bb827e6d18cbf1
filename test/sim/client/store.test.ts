import { describe, expect, it } from "vitest";
import type { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { Store } from "../../../sim/src/client/store.ts";

function pod(name: string, nodeName: string, namespace = "default"): Pod {
  const metadata = { name, namespace };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { nodeName, containers: [] } };
}

const names = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.name);

describe("Store", () => {
  it("files an object anew when its value changes", () => {
    const store = new Store<Pod>();
    store.addIndex("node", ({ spec }) => spec.nodeName ?? "");
    store.set(pod("a", ""));
    store.set(pod("b", "n1"));
    store.set(pod("a", "n1"));
    expect(names(store.byIndex("node", ""))).toEqual([]);
    expect(names(store.byIndex("node", "n1"))).toEqual(["b", "a"]);
  });

  it("gives the newest object under a value that stays", () => {
    const store = new Store<Pod>();
    store.addIndex("node", ({ spec }) => [spec.nodeName ?? ""]);
    store.set(pod("a", "n1"));
    const newest = pod("a", "n1");
    store.set(newest);
    expect(store.byIndex("node", "n1")).toEqual([newest]);
    expect(store.byIndex("node", "n1")[0]).toBe(newest);
  });

  it("files an object under several values", () => {
    const store = new Store<Pod>();
    store.addIndex("letters", ({ metadata }) => [...metadata.name]);
    store.set(pod("ab", "n"));
    store.set(pod("bc", "n"));
    expect(names(store.byIndex("letters", "b"))).toEqual(["ab", "bc"]);
    store.delete("default/ab");
    expect(names(store.byIndex("letters", "b"))).toEqual(["bc"]);
    expect(store.countByIndex("letters", "a")).toBe(0);
  });

  it("indexes what was there before the index", () => {
    const store = new Store<Pod>();
    store.set(pod("a", "n1", "x"));
    store.set(pod("a", "n1", "y"));
    expect(names(store.list("x"))).toEqual(["a"]);
    expect(store.list()).toHaveLength(2);
  });
});
