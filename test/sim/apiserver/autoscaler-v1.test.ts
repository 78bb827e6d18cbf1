/** Autoscalers in both of their versions: what one cannot say is not lost on the way. */
import { describe, expect, it } from "vitest";
import { builtInKinds } from "../../../sim/src/api/kinds/index.ts";
import type { JsonObject, KubeObject } from "../../../sim/src/api/types.ts";
import { messageOf, newServer } from "./server.ts";

const hpas = (version: "v1" | "v2") =>
  ({
    ...{ group: "autoscaling", version, resource: "horizontalpodautoscalers" },
    namespace: "default",
  }) as const;
const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const body = (version: "v1" | "v2", spec: JsonObject, annotations?: Record<string, string>) => ({
  apiVersion: `autoscaling/${version}`,
  kind: "HorizontalPodAutoscaler",
  metadata: { name: "web", annotations },
  spec: { scaleTargetRef, maxReplicas: 5, ...spec },
});

type Hpa = KubeObject & { spec: JsonObject; status: JsonObject };

/** Written in one version, read in the other. */
function through(from: "v1" | "v2", to: "v1" | "v2", sent: JsonObject) {
  const bench = newServer();
  const made = bench.ask({ verb: "create", ...hpas(from), body: sent });
  const read = bench.ask({ verb: "get", ...hpas(to), name: "web" });
  return { bench, made: made.body as Hpa, read: read.body as Hpa };
}

const cpu = (averageUtilization: number) => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization } },
});
const PREFIX = "autoscaling.alpha.kubernetes.io/";

describe("an autoscaler of autoscaling/v1", () => {
  it("is stored as v2, its percentage as a metric", () => {
    const { made, read } = through("v1", "v2", body("v1", { targetCPUUtilizationPercentage: 60 }));
    expect(made.apiVersion).toBe("autoscaling/v1");
    expect(made.spec).toEqual({
      ...{ scaleTargetRef, maxReplicas: 5, minReplicas: 1 },
      targetCPUUtilizationPercentage: 60,
    });
    expect(made.status).toEqual({ currentReplicas: 0, desiredReplicas: 0 });
    expect(read.apiVersion).toBe("autoscaling/v2");
    expect(read.spec).toEqual({
      scaleTargetRef,
      maxReplicas: 5,
      minReplicas: 1,
      metrics: [cpu(60)],
    });
    expect(read.status).toEqual({ desiredReplicas: 0, currentMetrics: null });
  });

  it("asks for 80 percent of the CPU if it says nothing", () => {
    const { made, read } = through("v1", "v2", body("v1", {}));
    expect(read.spec.metrics).toEqual([cpu(80)]);
    expect(made.spec.targetCPUUtilizationPercentage).toBe(80);
  });

  it("is refused by the rules of v2, in the words of its fields", () => {
    const { made } = through("v1", "v2", body("v1", { targetCPUUtilizationPercentage: 0 }));
    expect(messageOf({ body: made } as never)).toContain(
      "spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0",
    );
  });
});

describe("an autoscaler of autoscaling/v2, read as v1", () => {
  const metrics = [
    cpu(50),
    {
      type: "Pods",
      pods: { metric: { name: "rps" }, target: { type: "AverageValue", averageValue: "10" } },
    },
    {
      type: "ContainerResource",
      containerResource: {
        ...{ name: "memory", container: "c" },
        target: { type: "AverageValue", averageValue: "1Gi" },
      },
    },
    {
      type: "Object",
      object: {
        describedObject: { kind: "Service", name: "web" },
        metric: { name: "hits", selector: { matchLabels: { a: "b" } } },
        target: { type: "Value", value: "2k" },
      },
    },
    {
      type: "External",
      external: { metric: { name: "queue" }, target: { type: "AverageValue", averageValue: "30" } },
    },
  ];
  const behavior = { scaleDown: { stabilizationWindowSeconds: 30 } };
  const { bench, made, read } = through(
    "v2",
    "v1",
    body("v2", { metrics, behavior }, { mine: "kept" }),
  );

  it("carries what v1 has no field for in annotations, in Go's order of fields", () => {
    expect(read.spec).toEqual({
      ...{ scaleTargetRef, maxReplicas: 5, minReplicas: 1 },
      targetCPUUtilizationPercentage: 50,
    });
    const { annotations = {} } = read.metadata;
    expect(annotations.mine).toBe("kept");
    expect(annotations[`${PREFIX}metrics`]).toBe(
      '[{"type":"Pods","pods":{"metricName":"rps","targetAverageValue":"10"}},' +
        '{"type":"ContainerResource","containerResource":{"name":"memory","targetAverageValue":"1Gi","container":"c"}},' +
        '{"type":"Object","object":{"target":{"kind":"Service","name":"web"},"metricName":"hits","targetValue":"2k","selector":{"matchLabels":{"a":"b"}}}},' +
        '{"type":"External","external":{"metricName":"queue","targetAverageValue":"30"}}]',
    );
    expect(annotations[`${PREFIX}behavior`]).toMatch(
      /^\{"ScaleUp":(null|\{.*\}),"ScaleDown":\{"StabilizationWindowSeconds":30,"SelectPolicy":"Max","Policies":\[\{"Type":"Percent","Value":100,"PeriodSeconds":15\}\],"Tolerance":null\}\}$/,
    );
    expect(annotations).not.toHaveProperty(`${PREFIX}current-metrics`);
  });

  it("comes back whole when a client of v1 writes it", () => {
    const sent = { ...read, spec: { ...read.spec, maxReplicas: 7 } };
    const written = bench.ask({ verb: "update", ...hpas("v1"), name: "web", body: sent });
    expect(written.code).toBe(200);
    const back = bench.ask({ verb: "get", ...hpas("v2"), name: "web" }).body as Hpa;
    const own = metrics.slice(0, 1);
    expect(back.spec).toEqual({
      ...{ ...made.spec, maxReplicas: 7 },
      metrics: [...metrics.slice(1), ...own],
    });
    expect(back.metadata.annotations).toEqual({ mine: "kept" });
  });

  it("shows what was measured, and its conditions", () => {
    const status = {
      ...{ desiredReplicas: 2, currentReplicas: 1 },
      currentMetrics: [
        {
          type: "Resource",
          resource: { name: "cpu", current: { averageUtilization: 90, averageValue: "9m" } },
        },
      ],
      conditions: [{ type: "AbleToScale", status: "True", reason: "ReadyForNewScale" }],
    };
    const { body: now } = bench.ask({ verb: "get", ...hpas("v2"), name: "web" });
    const next = { ...(now as Hpa), status };
    bench.ask({ verb: "update", ...hpas("v2"), name: "web", subresource: "status", body: next });
    const seen = bench.ask({ verb: "get", ...hpas("v1"), name: "web" }).body as Hpa;
    expect(seen.status).toMatchObject({
      ...{ currentReplicas: 1, desiredReplicas: 2 },
      currentCPUUtilizationPercentage: 90,
    });
    const { annotations = {} } = seen.metadata;
    expect(annotations[`${PREFIX}current-metrics`]).toBe(
      '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":90,"currentAverageValue":"9m"}}]',
    );
    expect(annotations[`${PREFIX}conditions`]).toContain('{"type":"AbleToScale","status":"True"');
  });
});

it("a version that is not the stored one is collected by nobody a second time", () => {
  const same = builtInKinds.filter(({ kind }) => kind === "HorizontalPodAutoscaler");
  expect(same.map(({ version, storedAs }) => [version, storedAs?.kind.apiVersion])).toEqual([
    ["v2", undefined],
    ["v1", "autoscaling/v2"],
  ]);
});
