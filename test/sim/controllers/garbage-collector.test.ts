/** The garbage collector, and references that name no owner of the place. */
import { describe, expect, it } from "vitest";
import { ConfigMap } from "../../../sim/src/api/kinds/configmap.ts";
import { Event } from "../../../sim/src/api/kinds/event.ts";
import { Namespace } from "../../../sim/src/api/kinds/namespace.ts";
import { PersistentVolume } from "../../../sim/src/api/kinds/persistentvolume.ts";
import type { OwnerReference } from "../../../sim/src/api/types.ts";
import { namespace, testCluster } from "./cluster.ts";

function configMap(name: string, where: string, ownerReferences?: OwnerReference[]): ConfigMap {
  const metadata = { name, namespace: where, ownerReferences };
  return { apiVersion: "v1", kind: "ConfigMap", metadata };
}

async function started() {
  const cluster = testCluster();
  cluster.start({ controllers: ["garbage-collector-controller"] });
  await cluster.make(Namespace, namespace("other"));
  const owner = await cluster.make(ConfigMap, configMap("owner", "default"));
  await cluster.run(1_000);
  const uid = owner.metadata.uid ?? "";
  const reference = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid };
  const names = async (where: string) =>
    (await cluster.list(ConfigMap, where)).map(({ metadata }) => metadata.name);
  return { ...cluster, reference, names };
}

describe("a reference to an owner", () => {
  it("in another namespace is told of, and owns nothing", async () => {
    const { make, reference, names, list, run } = await started();
    await make(ConfigMap, configMap("stray", "other", [reference]));
    await run(2_000);
    expect(await names("other")).toEqual([]);
    const [told] = await list(Event, "other");
    expect(told).toMatchObject({ reason: "OwnerRefInvalidNamespace", type: "Warning" });
    expect(told?.message).toBe(
      `ownerRef [v1/ConfigMap, namespace: other, name: owner, uid: ${reference.uid}] does not exist in namespace "other"`,
    );
  });

  it("that is wrong does not hurt those that are right", async () => {
    const { act, client, make, reference, names, run } = await started();
    await make(ConfigMap, configMap("right", "default", [reference]));
    await make(ConfigMap, configMap("stray", "other", [reference]));
    await make(ConfigMap, configMap("misnamed", "default", [{ ...reference, name: "x" }]));
    await run(2_000);
    expect(await names("default")).toEqual(["owner", "right"]);
    // Looked at again, beside an owner that never was.
    const gone = { ...reference, name: "gone", uid: "0" };
    const metadata = { ownerReferences: [reference, gone] };
    const type = "application/merge-patch+json";
    await act(() => client.patch(ConfigMap, "default", "right", type, { metadata }));
    await run(2_000);
    expect(await names("default")).toEqual(["owner", "right"]);
  });

  it("that is in a namespace leaves alone what is in none", async () => {
    const { make, reference, list, run } = await started();
    const capacity = { storage: "1Gi" };
    await make(PersistentVolume, {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: "pv", ownerReferences: [reference] },
      spec: { capacity, accessModes: ["ReadWriteOnce"], hostPath: { path: "/d" } },
    });
    await run(2_000);
    expect(await list(PersistentVolume)).toHaveLength(1);
  });
});
