/** What a namespace says of itself while it is emptied. */
import { describe, expect, it } from "vitest";
import { ConfigMap } from "../../../sim/src/api/kinds/configmap.ts";
import { Namespace } from "../../../sim/src/api/kinds/namespace.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { namespace, pod, type TestCluster, testCluster } from "./cluster.ts";

/** A namespace that is being deleted, with a Pod that its node does not stop. */
async function dying(terminationGracePeriodSeconds: number): Promise<TestCluster> {
  const cluster = testCluster();
  cluster.start({ controllers: ["*", "-node-lifecycle-controller", "-pod-garbage-collector"] });
  await cluster.make(Namespace, namespace("tmp"));
  await cluster.run(1_000);
  const metadata = { name: "a", namespace: "tmp", finalizers: ["example.com/wait"] };
  const body = pod("a", { nodeName: "n1", terminationGracePeriodSeconds });
  await cluster.make(Pod, { ...body, metadata: { ...metadata, finalizers: [] } });
  await cluster.make(ConfigMap, { apiVersion: "v1", kind: "ConfigMap", metadata });
  await cluster.act(() => cluster.client.delete(Namespace, "", "tmp"));
  await cluster.run(6_000);
  return cluster;
}

async function said({ read }: TestCluster): Promise<string[]> {
  const { conditions = [] } = (await read(Namespace, "tmp")).status ?? {};
  return conditions.map(({ status, reason, message }) => `${status} ${reason}: ${message}`);
}

async function podGoes({ act, client }: TestCluster): Promise<void> {
  await act(() => client.delete(Pod, "tmp", "a", { gracePeriodSeconds: 0 }));
}

const FINE = [
  "False ResourcesDiscovered: All resources successfully discovered",
  "False ParsedGroupVersions: All legacy kube types successfully parsed",
  "False ContentDeleted: All content successfully deleted, may be waiting on finalization",
  "False ContentRemoved: All content successfully removed",
  "False ContentHasNoFinalizers: All content-preserving finalizers finished",
];

describe("a namespace that is being deleted", () => {
  it("does not count Pods that have time left, and looks again when its status was written", async () => {
    const cluster = await dying(30);
    expect(await said(cluster)).toEqual(FINE);
    await podGoes(cluster);
    await cluster.run(3_000);
    const { metadata } = await cluster.read(ConfigMap, "a", "tmp");
    expect(metadata.deletionTimestamp).toBeUndefined();
    await cluster.run(4_000);
    expect((await said(cluster)).slice(3)).toEqual([
      "True SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource instances",
      "True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/wait in 1 resource instances",
    ]);
  });

  it("fails on Pods that had all their time, and tries again at once", async () => {
    const cluster = await dying(5);
    const failed = FINE.with(
      2,
      "True ContentDeletionFailed: Failed to delete all resource types, 1 remaining: unexpected items still remain in namespace: tmp for gvr: /v1, Resource=pods",
    );
    expect(await said(cluster)).toEqual(failed);
    await podGoes(cluster);
    await cluster.run(2_000);
    expect((await said(cluster)).slice(0, 3)).toEqual(FINE.slice(0, 3));
    expect((await said(cluster))[3]).toContain("configmaps. has 1");
  });
});
