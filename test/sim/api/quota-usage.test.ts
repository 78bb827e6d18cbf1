/** What objects use of a quota, and which Pods its scopes mean. */
import { describe, expect, it } from "vitest";
import { podQuantities } from "../../../sim/src/api/helpers/pod-quantities.ts";
import { inScopes } from "../../../sim/src/api/helpers/quota-scopes.ts";
import { isTracked, usageOf } from "../../../sim/src/api/helpers/quota-usage.ts";
import type { Pod, PodSpec } from "../../../sim/src/api/kinds/pod.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";

const container = (name: string, requests: object, limits: object = {}) =>
  ({ name, image: "x", resources: { requests, limits } }) as PodSpec["containers"][0];
const podOf = (spec: object): Pod =>
  ({ apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec }) as Pod;
const used = (resource: string, object: object) =>
  usageOf({ group: "", resource }, object as Pod, new Kernel());

describe("the amounts of a Pod", () => {
  const rows: [what: string, spec: object, requests: object, limits: object][] = [
    [
      "the greediest init container, with the sidecars before it",
      {
        containers: [container("a", { cpu: "1" }), container("b", { cpu: "500m" })],
        initContainers: [
          { ...container("s", { cpu: "200m" }), restartPolicy: "Always" },
          container("i", { cpu: "2" }),
        ],
      },
      { cpu: "2200m" },
      {},
    ],
    [
      "those of the Pod as a whole, but for what cannot be said so",
      {
        containers: [container("a", { cpu: "1", "example.com/x": "1" }, { memory: "1Gi" })],
        resources: { requests: { cpu: "3", "example.com/x": "9" }, limits: { memory: "2Gi" } },
      },
      { cpu: "3", "example.com/x": "1" },
      { memory: "2Gi" },
    ],
    [
      "the overhead, which makes no limit",
      {
        containers: [container("a", { cpu: "1" }, { memory: "1Gi" })],
        overhead: { cpu: "250m", memory: "1Gi" },
      },
      { cpu: "1250m", memory: "1Gi" },
      { memory: "2Gi" },
    ],
  ];
  it.each(rows)("are %s", (_, spec, requests, limits) => {
    expect(podQuantities(spec as PodSpec, "requests")).toEqual(requests);
    expect(podQuantities(spec as PodSpec, "limits")).toEqual(limits);
  });
});

describe("usage of a quota", () => {
  it("counts extended resources by their requests, and limits of the three alone", () => {
    const gpu = "example.com/gpu";
    const resources = [
      { cpu: "1", [gpu]: "2", "hugepages-2Mi": "4Mi" },
      { cpu: "2", [gpu]: "2" },
    ];
    const pod = podOf({ containers: [container("a", resources[0]!, resources[1])] });
    expect(used("pods", pod)).toEqual({
      ...{ pods: "1", "count/pods": "1", cpu: "1", "requests.cpu": "1", "limits.cpu": "2" },
      ...{ "requests.example.com/gpu": "2" },
      ...{ "hugepages-2Mi": "4Mi", "requests.hugepages-2Mi": "4Mi" },
    });
  });

  it("counts ports of nodes that are asked for by number where none are given", () => {
    const ports = [{ port: 1, nodePort: 30_001 }, { port: 2 }];
    const service = (spec: object) => {
      const usage = used("services", { metadata: {}, spec: { ports, ...spec } });
      return [usage["services.loadbalancers"], usage["services.nodeports"]];
    };
    expect(service({ type: "ClusterIP" })).toEqual(["0", "0"]);
    expect(service({ type: "NodePort" })).toEqual(["0", "2"]);
    expect(service({ type: "LoadBalancer" })).toEqual(["1", "2"]);
    const none = { allocateLoadBalancerNodePorts: false };
    expect(service({ type: "LoadBalancer", ...none })).toEqual(["1", "1"]);
  });

  it("counts a claim by its class and by the larger of asked and given", () => {
    const claim = {
      metadata: { annotations: { "volume.beta.kubernetes.io/storage-class": "old" } },
      spec: { storageClassName: "new", resources: { requests: { storage: "1Gi" } } },
      status: { allocatedResources: { storage: "2Gi" } },
    };
    expect(used("persistentvolumeclaims", claim)).toEqual({
      ...{ "count/persistentvolumeclaims": "1", persistentvolumeclaims: "1" },
      "requests.storage": "2Gi",
      "old.storageclass.storage.k8s.io/persistentvolumeclaims": "1",
      "old.storageclass.storage.k8s.io/requests.storage": "2Gi",
    });
  });

  it("knows what nothing can use", () => {
    const names = ["pods", "limits.memory", "requests.example.com/gpu", "count/jobs.batch"];
    expect(names.every(isTracked)).toBe(true);
    expect(["limits.example.com/gpu", "example.com/gpu"].some(isTracked)).toBe(false);
  });
});

describe("the scopes of a quota", () => {
  const term = { topologyKey: "zone", labelSelector: {} };
  const affinity = (more: object, weight?: number) => {
    const one = { ...term, ...more };
    const rules = weight
      ? { preferredDuringSchedulingIgnoredDuringExecution: [{ weight, podAffinityTerm: one }] }
      : { requiredDuringSchedulingIgnoredDuringExecution: [one] };
    return { affinity: weight ? { podAntiAffinity: rules } : { podAffinity: rules } };
  };
  const rows: [spec: object, scopeName: string, operator: string, values: string[], is: boolean][] =
    [
      [{}, "CrossNamespacePodAffinity", "Exists", [], false],
      [affinity({}), "CrossNamespacePodAffinity", "Exists", [], false],
      [affinity({ namespaces: ["a"] }), "CrossNamespacePodAffinity", "Exists", [], true],
      [affinity({ namespaceSelector: {} }, 5), "CrossNamespacePodAffinity", "Exists", [], true],
      [{ priorityClassName: "high" }, "PriorityClass", "In", ["high", "low"], true],
      [{ priorityClassName: "high" }, "PriorityClass", "NotIn", ["high"], false],
      [{}, "PriorityClass", "NotIn", ["high"], true],
      [{}, "PriorityClass", "Exists", [], false],
      [{}, "PriorityClass", "DoesNotExist", [], true],
      [{ activeDeadlineSeconds: 0 }, "Terminating", "Exists", [], true],
      [{ activeDeadlineSeconds: 0 }, "NotTerminating", "Exists", [], false],
    ];
  it.each(rows)("%j is in %s %s %j: %s", (spec, scopeName, operator, values, is) => {
    const pod = podOf({ containers: [], ...spec });
    expect(inScopes(pod, [{ scopeName, operator, values }])).toBe(is);
  });
});
