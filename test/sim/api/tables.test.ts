import { describe, expect, it } from "vitest";
import { newKinds } from "../../../sim/src/api/kinds/index.ts";
import type { JsonObject, KubeObject } from "../../../sim/src/api/types.ts";

const kinds = newKinds();

function cells(object: object) {
  const { apiVersion, kind } = object as KubeObject;
  const row = kinds.kindOf(apiVersion, kind)?.row;
  return row?.({ metadata: { name: "x" }, ...object } as KubeObject & JsonObject, 0).cells;
}

describe("the cells of a table", () => {
  it("count the restarts of sidecars up to the first container that is not done", () => {
    const sidecar = (name: string, restartCount: number, started: boolean) => ({
      ...{ name, restartCount, started, ready: started },
      state: started ? { running: {} } : { waiting: { reason: "CrashLoopBackOff" } },
    });
    const pod = {
      ...{ apiVersion: "v1", kind: "Pod" },
      spec: {
        initContainers: ["a", "b", "c"].map((name) => ({ name, restartPolicy: "Always" })),
        containers: [{ name: "main" }],
      },
      status: {
        phase: "Running",
        conditions: [{ type: "Initialized", status: "True" }],
        initContainerStatuses: [
          sidecar("a", 1, true),
          sidecar("b", 2, false),
          sidecar("c", 4, true),
        ],
        containerStatuses: [{ name: "main", restartCount: 8, ready: true, state: { running: {} } }],
      },
    };
    expect(cells(pod)?.slice(1, 4)).toEqual(["2/4", "Init:CrashLoopBackOff", "11"]);
  });

  it("leave the endpoints empty if none is ready, and say so only if there is no subset", () => {
    const endpoints = { apiVersion: "v1", kind: "Endpoints" };
    const notReadyAddresses = [{ ip: "10.0.0.1" }];
    expect(cells(endpoints)?.[1]).toBe("<none>");
    expect(cells({ ...endpoints, subsets: [{ notReadyAddresses }] })?.[1]).toBe("");
  });

  it("show Go's nil for an amount that a metric does not have", () => {
    const metric = (source: object) => ({ type: "Pods", pods: source });
    const autoscaler = (current: object[]) => ({
      ...{ apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler" },
      spec: { metrics: [metric({ target: { averageValue: "5" } })] },
      status: { currentMetrics: current },
    });
    expect(cells(autoscaler([]))?.[2]).toBe("<unknown>/5");
    expect(cells(autoscaler([metric({ current: {} })]))?.[2]).toBe("<nil>/5");
  });

  it("tell a quota's requests and limits before its age", () => {
    const hard = { cpu: "2", "limits.cpu": "4", pods: "10" };
    const quota = { apiVersion: "v1", kind: "ResourceQuota", status: { hard, used: { cpu: "1" } } };
    expect(kinds.kindOf("v1", "ResourceQuota")?.columns.map(({ name }) => name)).toEqual([
      ...["Name", "Request", "Limit", "Age"],
    ]);
    expect(cells(quota)).toEqual(["x", "cpu: 1/2, pods: 0/10", "limits.cpu: 0/4", "<unknown>"]);
  });

  it("sum up how far a claim on devices is", () => {
    const claim = { apiVersion: "resource.k8s.io/v1", kind: "ResourceClaim" };
    const state = (status: object, metadata: object = {}) =>
      cells({ ...claim, status, metadata: { name: "x", ...metadata } })?.[1];
    const gone = { deletionTimestamp: "2026-01-01T00:00:00Z" };
    expect(state({})).toBe("pending");
    expect(state({ allocation: {}, reservedFor: [{}] })).toBe("allocated,reserved");
    expect(state({}, gone)).toBe("deleted");
  });
});
