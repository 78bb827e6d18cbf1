/** What an autoscaler says of its metrics: names, failures, amounts. */
import { describe, expect, it } from "vitest";
import { Deployment } from "../../../sim/src/api/kinds/deployment.ts";
import { Event } from "../../../sim/src/api/kinds/event.ts";
import { HorizontalPodAutoscaler } from "../../../sim/src/api/kinds/horizontalpodautoscaler.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import type { MetricSpec } from "../../../sim/src/api/kinds/types/policy.ts";
import type { Scale } from "../../../sim/src/api/kinds/types/service.ts";
import type { Context } from "../../../sim/src/controllers/hpa/context.ts";
import { type MetricsSource, NO_METRICS } from "../../../sim/src/controllers/hpa/metrics.ts";
import { requestsOf } from "../../../sim/src/controllers/hpa/requests.ts";
import { rescale } from "../../../sim/src/controllers/hpa/scale.ts";
import { StatusDraft } from "../../../sim/src/controllers/hpa/status.ts";
import { selectorText } from "../../../sim/src/controllers/shared/selector-text.ts";
import { pod, runPods, testCluster } from "./cluster.ts";

const utilization = (name: string, averageUtilization = 50): MetricSpec => ({
  type: "Resource",
  resource: { name, target: { type: "Utilization", averageUtilization } },
});
const average = (name: string, averageValue: string): MetricSpec => ({
  type: "Resource",
  resource: { name, target: { type: "AverageValue", averageValue } },
});

interface Given {
  /** By resource, what each Pod is measured at, in thousandths. */
  readonly measured?: { readonly [resource: string]: number };
  readonly source?: Partial<MetricsSource>;
  readonly requests?: { readonly [resource: string]: string };
  readonly metrics: readonly MetricSpec[];
  readonly spec?: object;
}

/** A Deployment of two running Pods with an autoscaler, after `seconds`. */
async function autoscaled({ measured, source, requests, metrics, spec }: Given, seconds = 10) {
  const cluster = testCluster();
  const names: string[] = [];
  const podResource = (_: string, resource: string) => {
    const milli = measured?.[resource];
    const sample = { milli: milli ?? 0, atMs: cluster.kernel.now(), windowMs: 15_000 };
    return new Map(milli === undefined ? [] : names.map((name) => [name, sample]));
  };
  const all = { ...NO_METRICS, ...(measured ? { podResource } : {}), ...source };
  cluster.start({ metrics: all, controllers: ["*", "-node-lifecycle-controller"] });
  await cluster.make(Deployment, {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "default" },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "c", image: "x", resources: { requests } }] },
      },
    },
  });
  await cluster.run(2_000);
  await runPods(cluster);
  for (const { metadata } of await cluster.list(Pod)) names.push(metadata.name);
  await cluster.run(400_000); // CPU of a starting Pod says nothing.
  await cluster.make(HorizontalPodAutoscaler, {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "web", namespace: "default" },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      ...{ minReplicas: 1, maxReplicas: 10, metrics, ...spec },
    },
  });
  await cluster.run(seconds * 1000);
  const { status } = await cluster.read(HorizontalPodAutoscaler, "web");
  const active = status?.conditions?.find(({ type }) => type === "ScalingActive");
  const events = (await cluster.list(Event))
    .filter(({ involvedObject }) => involvedObject.kind === "HorizontalPodAutoscaler")
    .map(({ reason, message }) => `${reason}: ${message}`);
  const size = (await cluster.read(Deployment, "web")).spec.replicas;
  return { status, active, events, size, cluster };
}

const UNABLE = "the HPA was unable to compute the replica count: ";

describe("a metric that cannot be had", () => {
  const noServer =
    "failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)";
  const rows: [what: string, given: Given, message: string, within: string][] = [
    [
      "no metrics server",
      { metrics: [utilization("cpu")] },
      noServer,
      `failed to get cpu resource metric value: ${noServer}`,
    ],
    [
      "nothing measured yet",
      { metrics: [average("memory", "1Gi")], measured: {} },
      "failed to get memory usage: unable to get metrics for resource memory: no metrics returned from resource metrics API",
      "failed to get memory resource metric value: failed to get memory usage: unable to get metrics for resource memory: no metrics returned from resource metrics API",
    ],
    [
      "a container without a request",
      { metrics: [utilization("cpu")], measured: { cpu: 100 } },
      "failed to get cpu utilization: missing request for cpu in container c of Pod POD",
      "failed to get cpu resource metric value: failed to get cpu utilization: missing request for cpu in container c of Pod POD",
    ],
    [
      "a container that no Pod has",
      {
        measured: { cpu: 100 },
        metrics: [
          {
            type: "ContainerResource",
            containerResource: {
              ...{ name: "cpu", container: "d" },
              target: { type: "Utilization", averageUtilization: 50 },
            },
          },
        ],
      },
      "failed to get cpu utilization: container d not found in Pod POD",
      "failed to get d container metric value: failed to get cpu utilization: container d not found in Pod POD",
    ],
    [
      "no custom metrics",
      {
        metrics: [
          {
            type: "Pods",
            pods: { metric: { name: "rps" }, target: { type: "AverageValue", averageValue: "1" } },
          },
        ],
      },
      "unable to get metric rps: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered",
      "failed to get pods metric value: unable to get metric rps: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered",
    ],
    [
      "no external metrics",
      {
        metrics: [
          {
            type: "External",
            external: { metric: { name: "q" }, target: { type: "Value", value: "1" } },
          },
        ],
      },
      "unable to get external metric default/q/nil: unable to fetch metrics from external metrics API: the server could not find the requested resource (get q.external.metrics.k8s.io)",
      "failed to get q external metric value: failed to get external metric q: unable to get external metric default/q/nil: unable to fetch metrics from external metrics API: the server could not find the requested resource (get q.external.metrics.k8s.io)",
    ],
  ];
  it.each(rows)("is told in full: %s", async (_, given, message, within) => {
    const { active, events, status } = await autoscaled(given);
    const masked = (text = "") => text.replace(/web-\w+-\w+/g, "POD");
    const { type } = given.metrics[0]!;
    expect(active).toMatchObject({ status: "False", reason: `FailedGet${type}Metric` });
    expect(masked(active?.message)).toBe(`${UNABLE}${message}`);
    expect(events.map(masked)).toEqual([
      `FailedGet${type}Metric: ${message}`,
      `FailedComputeMetricsReplicas: invalid metrics (1 invalid out of 1), first error is: ${within}`,
    ]);
    expect(status).toMatchObject({ currentReplicas: 2, desiredReplicas: 0 });
    expect(status?.currentMetrics).toEqual([{ type: "" }]);
  });

  it("keeps its place among the others, and never lets the size shrink", async () => {
    const metrics = [utilization("memory"), utilization("cpu")];
    const requests = { cpu: "100m" };
    const low = await autoscaled({ metrics, requests, measured: { cpu: 10, memory: 1 } });
    expect(low.size).toBe(2);
    expect(low.active).toMatchObject({ status: "False", reason: "FailedGetResourceMetric" });
    expect(low.events.at(-1)).toMatch(
      /^FailedComputeMetricsReplicas: invalid metrics \(1 invalid out of 2\)/,
    );
    const high = await autoscaled({ metrics, requests, measured: { cpu: 200, memory: 1 } });
    expect(high.size).toBe(4); // Eight wanted, four at once.
    expect(high.active).toMatchObject({ status: "True", reason: "ValidMetricFound" });
    expect(high.status?.currentMetrics).toEqual([
      { type: "" },
      {
        type: "Resource",
        resource: { name: "cpu", current: { averageUtilization: 200, averageValue: "200m" } },
      },
    ]);
  });
});

describe("what an autoscaler reports", () => {
  it("has amounts in the form of metrics-server: memory in powers of two", async () => {
    const measured = { memory: 100 * 2 ** 20 * 1000, cpu: 2_000_000 };
    const metrics = [average("memory", "100Mi"), average("cpu", "2k")];
    const { status } = await autoscaled({ measured, metrics });
    const values = status?.currentMetrics?.map(({ resource }) => resource?.current.averageValue);
    expect(values).toEqual(["100Mi", "2k"]);
  });

  it("names an external metric with its selector", async () => {
    const selector = { matchLabels: { q: "a" } };
    const target = { type: "AverageValue", averageValue: "10" };
    const external = { metric: { name: "jobs", selector }, target };
    const { active, events, size } = await autoscaled({
      source: { externalMetric: () => [30_000] },
      metrics: [{ type: "External", external }],
    });
    const name =
      "external metric jobs(&LabelSelector{MatchLabels:map[string]string{q: a,},MatchExpressions:[]LabelSelectorRequirement{},})";
    expect(active?.message).toBe(
      `the HPA was able to successfully calculate a replica count from ${name}`,
    );
    expect(events).toEqual([`SuccessfulRescale: New size: 3; reason: ${name} above target`]);
    expect(size).toBe(3);
  });

  it("prints selectors as Go does", () => {
    expect(selectorText(undefined)).toBe("nil");
    const matchExpressions = [{ key: "k", operator: "In", values: ["a", "b"] }];
    expect(selectorText({ matchLabels: { b: "2", a: "1" }, matchExpressions })).toBe(
      "&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,Values:[a b],},},}",
    );
  });

  it("drops old measurements when it does not measure", async () => {
    const { cluster } = await autoscaled({
      metrics: [average("cpu", "1")],
      measured: { cpu: 900 },
    });
    const web = await cluster.read(Deployment, "web");
    await cluster.act(() =>
      cluster.client.update(Deployment, { ...web, spec: { ...web.spec, replicas: 0 } }),
    );
    await cluster.run(20_000);
    const { status } = await cluster.read(HorizontalPodAutoscaler, "web");
    expect(status).toMatchObject({ desiredReplicas: 0 });
    expect(status?.currentReplicas ?? 0).toBe(0);
    expect(status?.currentMetrics ?? []).toEqual([]);
    const active = status?.conditions?.find(({ type }) => type === "ScalingActive");
    expect(active?.reason).toBe("ScalingDisabled");
  });

  it("gives no reason where only an earlier recommendation makes it grow", async () => {
    let milli = 1_000;
    const pods: string[] = [];
    const podResource = () => {
      const sample = { milli, atMs: Number.MAX_SAFE_INTEGER, windowMs: 0 };
      return new Map(pods.map((name) => [name, sample]));
    };
    const metrics = [average("cpu", "100m")];
    const { cluster } = await autoscaled({ metrics, source: { podResource } });
    pods.push(...(await cluster.list(Pod)).map(({ metadata }) => metadata.name));
    await cluster.run(10_000); // 10 wanted, 4 at once.
    milli = 100; // As it should be.
    await cluster.run(15_000);
    const events = (await cluster.list(Event)).map(({ message }) => message);
    expect(events.filter((message) => message?.startsWith("New size"))).toContain(
      "New size: 8; reason: ",
    );
  });

  it("writes the size on the newest version of a target that changed meanwhile", async () => {
    const { cluster } = await autoscaled({ metrics: [average("cpu", "1")], measured: {} });
    const { client, kernel } = cluster;
    const read = () => client.getSub(Deployment, "default", "web", "scale") as Promise<Scale>;
    const stale = await cluster.act(read);
    const web = await cluster.read(Deployment, "web");
    const labels = { touched: "yes" };
    const touched = { ...web, metadata: { ...web.metadata, labels } };
    await cluster.act(() => client.update(Deployment, touched));
    const told: string[] = [];
    const event = (_: unknown, __: string, reason: string) => told.push(reason);
    const hpa = await cluster.read(HorizontalPodAutoscaler, "web");
    const ctx = { client, kernel, events: { event }, memories: new Map() } as unknown as Context;
    const draft = new StatusDraft(hpa, kernel);
    await cluster.act(() =>
      rescale(hpa, Deployment, stale, { replicas: 5, reason: "" }, draft, ctx),
    );
    expect((await cluster.read(Deployment, "web")).spec.replicas).toBe(5);
    expect(told).toEqual(["SuccessfulRescale"]);
  });

  it("recommends at first the size that it found, though it measured nothing then", async () => {
    let known = false;
    const source: Partial<MetricsSource> = {
      podMetric: () => (known ? new Map(samples) : new Map()),
    };
    const samples: [string, { milli: number; atMs: number; windowMs: number }][] = [];
    const metric = { name: "rps" };
    const target = { type: "AverageValue", averageValue: "10" };
    const metrics: MetricSpec[] = [{ type: "Pods", pods: { metric, target } }];
    const { cluster } = await autoscaled({ source, metrics });
    for (const { metadata } of await cluster.list(Pod)) {
      samples.push([metadata.name, { milli: 1, atMs: 0, windowMs: 0 }]);
    }
    await cluster.run(200_000);
    known = true;
    const size = async () => (await cluster.read(Deployment, "web")).spec.replicas;
    await cluster.run(80_000);
    expect(await size()).toBe(2);
    await cluster.run(30_000); // More than 5 minutes after the first look.
    expect(await size()).toBe(1);
  });
});

describe("the requests behind a utilization", () => {
  const resources = (cpu: string) => ({ requests: { cpu } });
  it("are those of the Pod as a whole if it has any, but for one container", () => {
    const containers = [{ name: "c", image: "x", resources: resources("100m") }];
    const whole = pod("p", { containers, resources: resources("300m") });
    expect(requestsOf([whole], "cpu").get("p")).toBe(300);
    expect(requestsOf([whole], "cpu", "c").get("p")).toBe(100);
    const empty = pod("p", { resources: { requests: { memory: "1Mi" } } });
    expect(() => requestsOf([empty], "cpu")).toThrow("missing pod-level request for cpu in Pod p");
    expect(requestsOf([empty], "memory").get("p")).toBe(2 ** 20 * 1000);
  });
});
