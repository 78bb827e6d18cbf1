/** The controllers that work on all kinds: they work on those of extensions too. */
import { describe, expect, it } from "vitest";
import { ConfigMap } from "../../../sim/src/api/kinds/configmap.ts";
import { CustomResourceDefinition } from "../../../sim/src/api/kinds/customresourcedefinition.ts";
import { Namespace } from "../../../sim/src/api/kinds/namespace.ts";
import { ResourceQuota } from "../../../sim/src/api/kinds/resourcequota.ts";
import type { ResourceRef } from "../../../sim/src/api/resource.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import { status, type World, world } from "../misconceptions/world.ts";

const schema = {
  openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
};
const DEFINITION = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: ["v1alpha1", "v1", "v1beta1"].map((name) => ({
      ...{ name, served: true, storage: name === "v1beta1", schema },
    })),
  },
} as unknown as CustomResourceDefinition;

const WIDGETS: ResourceRef = {
  ...{ group: "example.com", version: "v1", kind: "Widget" },
  ...{ resource: "widgets", namespaced: true },
};

const widget = (name: string, more: object = {}, namespace = "default"): KubeObject => ({
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name, namespace, ...more },
});

/** A cluster that knows widgets, after its controllers have looked. */
async function started(): Promise<World> {
  const w = world({ nodes: 0 });
  await w.until(5);
  await w.act((client) => client.create(CustomResourceDefinition, DEFINITION));
  await w.until(40);
  return w;
}

const namesOf = async (w: World, ref: ResourceRef, namespace = "default") => {
  const { items } = await w.act((client) => client.list(ref, namespace));
  return items.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt");
};

describe("custom kinds", () => {
  it("own and are owned: the garbage collector follows both, in any version", async () => {
    const w = await started();
    const owner = await w.act((client) => client.create(WIDGETS, widget("owner")));
    const { uid = "" } = owner.metadata;
    const own = (version: string) => ({
      ownerReferences: [
        { apiVersion: `example.com/${version}`, kind: "Widget", name: "owner", uid },
      ],
    });
    const map = (name: string, version: string): ConfigMap => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace: "default", ...own(version) },
    });
    await w.act((client) => client.create(ConfigMap, map("a", "v1")));
    await w.act((client) => client.create(ConfigMap, map("b", "v1alpha1")));
    await w.act((client) => client.create(WIDGETS, widget("child", own("v1beta1"))));
    await w.more(5);
    expect(await namesOf(w, ConfigMap)).toEqual(["a", "b"]);
    await w.act((client) => client.delete(WIDGETS, "default", "owner"));
    await w.more(5);
    expect(await namesOf(w, ConfigMap)).toEqual([]);
    expect(await namesOf(w, WIDGETS)).toEqual([]);
  });

  it("go with their namespace", async () => {
    const w = await started();
    const space: Namespace = {
      ...{ apiVersion: "v1", kind: "Namespace", metadata: { name: "n" }, spec: {} },
    };
    await w.act((client) => client.create(Namespace, space));
    await w.act((client) => client.create(WIDGETS, widget("a", {}, "n")));
    await w.act((client) => client.delete(Namespace, "", "n"));
    await w.more(20);
    expect(w.object("namespaces", "n", "")).toBeUndefined();
    expect(await namesOf(w, WIDGETS, "n")).toEqual([]);
  });

  it("count against a quota, and no more when they are gone", async () => {
    const w = await started();
    const hard = { "count/widgets.example.com": "2" };
    const quota: ResourceQuota = {
      ...{ apiVersion: "v1", kind: "ResourceQuota" },
      ...{ metadata: { name: "q", namespace: "default" }, spec: { hard } },
    };
    await w.act((client) => client.create(WIDGETS, widget("a")));
    await w.act((client) => client.create(ResourceQuota, quota));
    await w.more(2);
    const used = () => status(w.object("resourcequotas", "q")).used;
    expect(used()).toEqual({ "count/widgets.example.com": "1" });
    await w.act((client) => client.create(WIDGETS, widget("b")));
    await expect(w.act((client) => client.create(WIDGETS, widget("c")))).rejects.toThrow(
      "exceeded quota: q, requested: count/widgets.example.com=1, used: count/widgets.example.com=2, limited: count/widgets.example.com=2",
    );
    await w.act((client) => client.delete(WIDGETS, "default", "a"));
    await w.more(2);
    expect(used()).toEqual({ "count/widgets.example.com": "1" });
  });

  it("are forgotten when their definition goes, and known when it is back", async () => {
    const w = await started();
    await w.act((client) => client.create(WIDGETS, widget("a")));
    const { name } = DEFINITION.metadata;
    await w.act((client) => client.delete(CustomResourceDefinition, "", name));
    await w.more(40);
    const at = w.kernel.now();
    await w.more(60);
    const asked = w.rows("request", at).filter(({ subject }) => subject.includes("widgets"));
    expect(asked).toEqual([]);
    await w.act((client) => client.create(CustomResourceDefinition, DEFINITION));
    await w.more(40);
    const watched = w.rows("request", at).filter(({ subject }) => /WATCH widgets/.test(subject));
    expect(watched).toHaveLength(1);
  });
});
