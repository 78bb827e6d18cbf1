/** What the disruption controller says of budgets. */
import { describe, expect, it } from "vitest";
import { withDisruptionAllowed } from "../../../sim/src/api/helpers/disruption-allowed.ts";
import { Event } from "../../../sim/src/api/kinds/event.ts";
import { Node } from "../../../sim/src/api/kinds/node.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { PodDisruptionBudget } from "../../../sim/src/api/kinds/poddisruptionbudget.ts";
import type { Condition, KubeObject } from "../../../sim/src/api/types.ts";
import { node, pod, runPods, testCluster } from "./cluster.ts";

const WIDGET = {
  group: "example.com",
  version: "v1",
  kind: "Widget",
  resource: "widgets",
  namespaced: true,
};

const budgetOf = (spec: object, name = "b"): PodDisruptionBudget => ({
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  metadata: { name, namespace: "default" },
  spec: { selector: { matchLabels: { app: "x" } }, ...spec },
});

const owned = (name: string, kind: string, apiVersion: string, owner: KubeObject): Pod => {
  const plain = pod(name, { nodeName: "n1" }, { app: "x" });
  const { name: of, uid = "" } = owner.metadata;
  const ref = { apiVersion, kind, name: of, uid, controller: true };
  return { ...plain, metadata: { ...plain.metadata, ownerReferences: [ref] } };
};

async function budgeted(spec: object) {
  const cluster = testCluster();
  cluster.start();
  await cluster.make(Node, node("n1", "True"));
  await cluster.run(2_000);
  const status = async () => (await cluster.read(PodDisruptionBudget, "b")).status;
  const told = async (reason: string) =>
    (await cluster.list(Event)).filter((event) => event.reason === reason);
  const guard = () => cluster.make(PodDisruptionBudget, budgetOf(spec));
  return { ...cluster, status, told, guard };
}

describe("a budget that asks for the sizes of controllers", () => {
  it("is told why it cannot be counted, again only when something changes", async () => {
    const c = await budgeted({ minAvailable: "50%" });
    const job = { metadata: { name: "j", uid: "u" } } as KubeObject;
    await c.make(Pod, owned("p", "Job", "batch/v1", job));
    await c.guard();
    await c.run(10_000);
    const why = "jobs.batch does not implement the scale subresource";
    const events = await c.told("CalculateExpectedPodCountFailed");
    const message = `Failed to calculate the number of expected pods: ${why}`;
    // It came, its status was written, and the Pod whose Job is not there was deleted.
    expect(events).toMatchObject([{ message, count: 3 }]);
  });

  it.each([
    ["batch/v1", "Job", "j", "jobs.batch does not implement the scale subresource"],
    ["v1", "Node", "n1", "nodes does not implement the scale subresource"],
    ["apps/v1", "ReplicaSet", "gone", 'found no controllers for pod "p"'],
    ["x.io/v2", "Thing", "t", 'no matches for kind "Thing" in version "x.io/v2"'],
  ])("fails for a Pod of %s %s", async (apiVersion, kind, name, message) => {
    const c = await budgeted({ maxUnavailable: 1 });
    const owner = { apiVersion, kind, metadata: { name, uid: "u" } };
    await c.make(Pod, owned("p", kind, apiVersion, owner));
    await c.guard();
    await c.run(200);
    expect((await c.status())?.conditions).toMatchObject([{ reason: "SyncFailed", message }]);
  });

  it("counts a custom kind by its scale", async () => {
    const c = await budgeted({ maxUnavailable: 1 });
    const crd = { group: "apiextensions.k8s.io", version: "v1" };
    const ref = { ...crd, kind: "CustomResourceDefinition", namespaced: false };
    await c.make({ ...ref, resource: "customresourcedefinitions" }, {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "widgets.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { kind: "Widget", plural: "widgets" },
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
            },
            subresources: {
              scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
            },
          },
        ],
      },
    } as KubeObject);
    await c.run(2_000);
    const widget = await c.make(WIDGET, {
      apiVersion: "example.com/v1",
      kind: "Widget",
      metadata: { name: "w", namespace: "default" },
      spec: { replicas: 4 },
    } as KubeObject);
    for (const name of ["a", "b"])
      await c.make(Pod, owned(name, "Widget", "example.com/v1", widget));
    await runPods(c);
    await c.guard();
    await c.run(2_000);
    expect(await c.status()).toMatchObject({
      expectedPods: 4,
      desiredHealthy: 3,
      currentHealthy: 2,
    });
  });

  it("tells of Pods that nobody manages, the selector as Go prints it", async () => {
    const c = await budgeted({ maxUnavailable: 1 });
    await c.make(Pod, pod("p", { nodeName: "n1" }, { app: "x" }));
    await c.guard();
    await c.run(2_000);
    const [event] = await c.told("UnmanagedPods");
    expect(event?.message).toContain(
      "(selector: &LabelSelector{MatchLabels:map[string]string{app: x,},MatchExpressions:[]LabelSelectorRequirement{},}) were found to be unmanaged.",
    );
  });
});

describe("the condition of a budget", () => {
  const old: Condition = {
    ...{ type: "DisruptionAllowed", status: "False", reason: "SyncFailed", message: "why" },
    lastTransitionTime: "t1",
  };
  it.each([
    ["turns", 1, undefined, { status: "True", reason: "SufficientPods", lastTransitionTime: "t2" }],
    ["stays", 0, undefined, { reason: "InsufficientPods", message: "", lastTransitionTime: "t1" }],
    [
      "says why else",
      0,
      "else",
      { reason: "SyncFailed", message: "else", lastTransitionTime: "t1" },
    ],
  ])("%s", (_, disruptionsAllowed, failure, wanted) => {
    const conditions = [old, { type: "Other", status: "True" } as Condition];
    const status = { disruptionsAllowed, conditions, observedGeneration: 3 };
    const now = withDisruptionAllowed(status, "t2", failure);
    // In its place, and no other is touched.
    expect(now.conditions).toMatchObject([{ ...wanted, observedGeneration: 3 }, conditions[1]]);
  });
});

describe("Pods that were to go", () => {
  it("are told of when they are still there, by the namespace", async () => {
    const c = await budgeted({ minAvailable: 1 });
    await c.make(Pod, pod("p", { nodeName: "n1" }, { app: "x" }));
    await runPods(c);
    await c.guard();
    await c.run(2_000);
    await c.act(async () => {
      const budget = await c.client.get(PodDisruptionBudget, "default", "b");
      const status = { ...budget.status, disruptedPods: { p: c.kernel.timestamp() } };
      await c.client.updateStatus(PodDisruptionBudget, { ...budget, status });
    });
    await c.run(125_000);
    const [event] = await c.told("NotDeleted");
    expect(event?.message).toBe(
      "Pod was expected by PDB default/default to be deleted but it wasn't",
    );
  });

  it.each([
    ["EvictionByEvictionAPI", "False"],
    ["TerminationByKubelet", "True"],
  ])("announced with reason %s are %s after two minutes", async (reason, is) => {
    const c = await budgeted({ minAvailable: 1 });
    await c.make(Pod, pod("p", { nodeName: "n1" }));
    await runPods(c);
    await c.act(async () => {
      const found = await c.client.get(Pod, "default", "p");
      const lastTransitionTime = c.kernel.timestamp();
      const target = { type: "DisruptionTarget", status: "True", reason, lastTransitionTime };
      const conditions = [...(found.status?.conditions ?? []), target];
      await c.client.updateStatus(Pod, {
        ...found,
        status: { ...found.status, conditions },
      } as Pod);
    });
    await c.run(125_000);
    const now = (await c.read(Pod, "p")).status?.conditions;
    expect(now?.find(({ type }) => type === "DisruptionTarget")?.status).toBe(is);
  });
});
