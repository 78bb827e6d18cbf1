/** Autoscalers of custom kinds: whatever has a scale can be scaled. */
import { describe, expect, it } from "vitest";
import { CustomResourceDefinition } from "../../../sim/src/api/kinds/customresourcedefinition.ts";
import { Event } from "../../../sim/src/api/kinds/event.ts";
import { HorizontalPodAutoscaler } from "../../../sim/src/api/kinds/horizontalpodautoscaler.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import type { ResourceRef } from "../../../sim/src/api/resource.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import { NO_METRICS } from "../../../sim/src/controllers/hpa/metrics.ts";
import { world } from "../misconceptions/world.ts";
import { pod, runPods, testCluster } from "./cluster.ts";

const schema = {
  openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
};
const SCALE = {
  specReplicasPath: ".spec.size",
  statusReplicasPath: ".status.size",
  labelSelectorPath: ".status.selector",
};

/** Farms: their size is `spec.size`, in v1alpha1 nothing scales them. */
function definition(scale: object): CustomResourceDefinition {
  const version = (name: string, subresources: object) => ({
    ...{ name, served: true, storage: name === "v1", schema, subresources },
  });
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "farms.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "farms", kind: "Farm" },
      versions: [version("v2", {}), version("v1", { status: {}, scale })],
    },
  } as unknown as CustomResourceDefinition;
}

type Farm = KubeObject & { spec: { size: number }; status?: { size: number; selector?: string } };
const FARMS: ResourceRef<Farm> = {
  ...{ group: "example.com", version: "v1", kind: "Farm" },
  ...{ resource: "farms", namespaced: true },
};
const farm = (name: string, size: number): Farm => ({
  apiVersion: "example.com/v1",
  kind: "Farm",
  metadata: { name, namespace: "default" },
  spec: { size },
});

const autoscaler = (name: string, target: object, spec: object = {}): HorizontalPodAutoscaler =>
  ({
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name, namespace: "default" },
    spec: {
      scaleTargetRef: { apiVersion: "example.com/v1", kind: "Farm", ...target },
      ...{ minReplicas: 1, maxReplicas: 20 },
      metrics: [
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "AverageValue", averageValue: "100m" } },
        },
      ],
      ...spec,
    },
  }) as unknown as HorizontalPodAutoscaler;

/** Two farms of two Pods, measured at 200m each. */
async function started(scale: object = SCALE, selector: string | undefined = "farm=a") {
  const cluster = testCluster();
  const names = ["a-1", "a-2"];
  const podResource = () => {
    const sample = { milli: 200, atMs: cluster.kernel.now(), windowMs: 15_000 };
    return new Map(names.map((name) => [name, sample]));
  };
  const controllers = ["*", "-node-lifecycle-controller", "-pod-garbage-collector-controller"];
  cluster.start({ metrics: { ...NO_METRICS, podResource }, controllers });
  await cluster.make(CustomResourceDefinition, definition(scale));
  await cluster.run(40_000);
  for (const name of names) await cluster.make(Pod, pod(name, {}, { farm: "a" }));
  await cluster.make(Pod, pod("other"));
  await runPods(cluster);
  const made = await cluster.make(FARMS, farm("a", 2));
  const status = { size: 2, ...(selector ? { selector } : {}) };
  await cluster.act(() => cluster.client.updateStatus(FARMS, { ...made, status }));
  await cluster.run(400_000); // CPU of a starting Pod says nothing.
  const conditions = async (name: string) => {
    const { status: now } = await cluster.read(HorizontalPodAutoscaler, name);
    return now?.conditions?.map((one) => `${one.type}=${one.status} ${one.reason} ${one.message}`);
  };
  const events = async () =>
    (await cluster.list(Event)).map(({ reason, message }) => `${reason}: ${message}`);
  return { ...cluster, conditions, events };
}

describe("an autoscaler of a custom kind", () => {
  it("measures the Pods that its scale selects, and writes where the definition says", async () => {
    const cluster = await started();
    await cluster.make(HorizontalPodAutoscaler, autoscaler("h", { name: "a" }));
    await cluster.run(40_000);
    expect((await cluster.read(FARMS, "a")).spec).toEqual({ size: 4 });
    const { status } = await cluster.read(HorizontalPodAutoscaler, "h");
    expect(status).toMatchObject({ currentReplicas: 4, desiredReplicas: 4 });
    expect(await cluster.events()).toContain(
      "SuccessfulRescale: New size: 4; reason: cpu resource above target",
    );
  });

  it("finds the scale by group and kind, whatever version it is told", async () => {
    for (const apiVersion of ["example.com/v2", "example.com/v9"]) {
      const cluster = await started();
      await cluster.make(HorizontalPodAutoscaler, autoscaler("h", { name: "a", apiVersion }));
      await cluster.run(40_000);
      expect((await cluster.read(FARMS, "a")).spec).toEqual({ size: 4 });
    }
  });

  it("says what it looked for in vain", async () => {
    const cluster = await started();
    await cluster.make(HorizontalPodAutoscaler, autoscaler("h", { name: "a", kind: "Barn" }));
    await cluster.make(HorizontalPodAutoscaler, autoscaler("i", { name: "b" }));
    await cluster.run(5_000);
    const about = "the HPA controller was unable to get the target's current scale";
    expect(await cluster.conditions("h")).toEqual([
      `AbleToScale=False FailedGetScale ${about}: no matches for kind "Barn" in group "example.com"`,
    ]);
    expect(await cluster.conditions("i")).toEqual([
      `AbleToScale=False FailedGetScale ${about}: the server could not find the requested resource`,
    ]);
  });

  it("does nothing without a selector: not all Pods are meant", async () => {
    const { labelSelectorPath: _, ...scale } = SCALE;
    const cluster = await started(scale);
    await cluster.make(HorizontalPodAutoscaler, autoscaler("h", { name: "a" }));
    await cluster.run(5_000);
    expect((await cluster.read(FARMS, "a")).spec).toEqual({ size: 2 });
    expect(await cluster.conditions("h")).toEqual([
      "AbleToScale=True SucceededGetScale the HPA controller was able to get the target's current scale",
      "ScalingActive=False InvalidSelector the HPA target's scale is missing a selector",
    ]);
    expect(await cluster.events()).toEqual(
      expect.arrayContaining([
        "SelectorRequired: selector is required",
        "FailedComputeMetricsReplicas: selector is required",
      ]),
    );
  });

  it("does not fight another one over the same Pods", async () => {
    const cluster = await started();
    await cluster.make(HorizontalPodAutoscaler, autoscaler("h", { name: "a" }, { maxReplicas: 2 }));
    await cluster.run(20_000);
    await cluster.make(HorizontalPodAutoscaler, autoscaler("i", { name: "a" }));
    await cluster.run(40_000);
    const why = "pods by selector farm=a are controlled by multiple HPAs: [default/h default/i]";
    for (const name of ["h", "i"]) {
      const last = (await cluster.conditions(name)) ?? [];
      expect(last).toContain(`ScalingActive=False AmbiguousSelector ${why}`);
    }
    await cluster.act(() => cluster.client.delete(HorizontalPodAutoscaler, "default", "h"));
    await cluster.run(40_000);
    expect((await cluster.read(FARMS, "a")).spec).toEqual({ size: 4 });
  });

  it("may do so by its own rights", async () => {
    const w = world({ nodes: 0 });
    await w.until(5);
    await w.act((client) => client.create(CustomResourceDefinition, definition(SCALE)));
    await w.until(10);
    await w.act((client) => client.create(FARMS, farm("a", 2)));
    const hpa = autoscaler("h", { name: "a" }, { minReplicas: 3 });
    await w.act((client) => client.create(HorizontalPodAutoscaler, hpa));
    await w.more(20);
    const { spec } = await w.act((client) => client.get(FARMS, "default", "a"));
    expect(spec).toEqual({ size: 3 });
  });
});
