/** What containers, and a Pod as a whole, may ask for. */
import { describe, expect, it } from "vitest";
import { complaint, defaulted, pod, sent, template, workload } from "./kinds-support.ts";

type Amounts = Readonly<Record<string, string>>;
type Resources = { requests?: Amounts; limits?: Amounts; claims?: object[] };

const containerOf = (resources: Resources, name = "c") => ({ name, image: "x", resources });
const one = (resources: Resources) => complaint(pod({ containers: [containerOf(resources)] }));
const c = "spec.containers[0].resources";
const more = "must be less than or equal to";

describe("a container asks for", () => {
  it.each<[string, Resources, string]>([
    ["what is there", { limits: { cpu: "1", memory: "1Gi", "example.com/gpu": "1" } }, ""],
    ["pages beside memory", { limits: { memory: "1Gi", "hugepages-2Mi": "4Mi" } }, ""],
    [
      "pages beside what computes",
      { limits: { "hugepages-2Mi": "4Mi" } },
      `${c}: Forbidden: HugePages require cpu or memory`,
    ],
    [
      "whole pages",
      { limits: { cpu: "1", "hugepages-2Mi": "3Mi" } },
      `[${c}.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi, ` +
        `${c}.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi]`,
    ],
    [
      "pages of a size",
      { limits: { cpu: "1", "hugepages-big": "3Mi" } },
      `[${c}.limits[hugepages-big]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-big, ` +
        `${c}.requests[hugepages-big]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-big]`,
    ],
    [
      "as many pages as it may use",
      { limits: { cpu: "1", "hugepages-2Mi": "4Mi" }, requests: { "hugepages-2Mi": "2Mi" } },
      `${c}.requests: Invalid value: "2Mi": must be equal to hugepages-2Mi limit of 4Mi`,
    ],
    [
      "pages with a limit",
      { requests: { cpu: "1", "hugepages-2Mi": "2Mi" } },
      `${c}.limits: Required value: Limit must be set for non overcommitable resources`,
    ],
    [
      "whole devices",
      { limits: { "example.com/gpu": "1500m" } },
      `[${c}.limits[example.com/gpu]: Invalid value: "1500m": must be an integer, ` +
        `${c}.requests[example.com/gpu]: Invalid value: "1500m": must be an integer]`,
    ],
    [
      "as many devices as it may use",
      { limits: { "example.com/gpu": "2" }, requests: { "example.com/gpu": "1" } },
      `${c}.requests: Invalid value: "1": must be equal to example.com/gpu limit of 2`,
    ],
    [
      "devices with a limit",
      { requests: { "example.com/gpu": "1" } },
      `${c}.limits: Required value: Limit must be set for non overcommitable resources`,
    ],
    ["a part of what is native", { requests: { "scheduling.kubernetes.io/foo": "500m" } }, ""],
    [
      "no device of a quota's name",
      { limits: { "requests.example.com/gpu": "1" }, requests: {} },
      `[${c}.limits[requests.example.com/gpu]: Invalid value: "requests.example.com/gpu": doesn't follow extended resource name standard, ` +
        `${c}.requests[requests.example.com/gpu]: Invalid value: "requests.example.com/gpu": doesn't follow extended resource name standard]`,
    ],
    [
      "no storage",
      { requests: { storage: "1Gi" } },
      `${c}.requests[storage]: Invalid value: "storage": must be a standard resource for containers`,
    ],
    [
      "no Pods",
      { requests: { pods: "1" } },
      `${c}.requests[pods]: Invalid value: "pods": must be a standard resource for containers`,
    ],
    [
      "nothing below zero",
      { requests: { cpu: "-1", "ephemeral-storage": "-1Gi" } },
      `[${c}.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0, ` +
        `${c}.requests[ephemeral-storage]: Invalid value: "-1Gi": must be greater than or equal to 0]`,
    ],
    [
      "no more than it may use",
      { requests: { cpu: "2" }, limits: { cpu: "1500m" } },
      `${c}.requests: Invalid value: "2": ${more} cpu limit of 1500m`,
    ],
  ])("%s", (_what, resources, text) => {
    expect(one(resources)).toBe(text);
  });

  it("the same in a template", () => {
    const containers = [containerOf({ requests: { "example.com/gpu": "1" } })];
    const spec = { template: { ...template, spec: { containers } } };
    expect(complaint(workload("Deployment", spec))).toContain(
      "spec.template.spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources",
    );
  });
});

describe("a Pod as a whole asks for", () => {
  const whole = (resources: Resources, ...containers: Resources[]) =>
    complaint(pod({ resources, containers: containers.map((r, i) => containerOf(r, `c${i}`)) }));

  it.each<[string, Resources, Resources[], string]>([
    ["as much as its containers", { requests: { cpu: "2" } }, [{ requests: { cpu: "2" } }], ""],
    ["what it names alone", { requests: { cpu: "1" } }, [{ requests: { memory: "1Gi" } }], ""],
    [
      "no less than its containers together",
      { requests: { cpu: "1" } },
      [{ requests: { cpu: "600m" } }, { requests: { cpu: "600m" } }],
      'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 1200m',
    ],
    [
      "no less than one of them may use",
      { limits: { cpu: "1" } },
      [{ limits: { cpu: "2" }, requests: { cpu: "1" } }],
      'spec.resources.containers[0][cpu].limits: Invalid value: "2": must be less than or equal to pod limits of 1',
    ],
    [
      "nothing that it cannot",
      { requests: { "ephemeral-storage": "1Gi" } },
      [{}],
      'spec.resources.requests[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"',
    ],
  ])("%s", (_what, resources, containers, text) => {
    expect(whole(resources, ...containers)).toBe(text);
  });

  const kept = (resources: Resources, own: Resources) => {
    const containers = [containerOf(own)];
    const { spec } = defaulted(pod({ resources, containers })) as unknown as {
      spec: { resources: Resources };
    };
    return spec.resources;
  };

  it("what is worked out where it has a limit, and not else", () => {
    const own = { requests: { cpu: "1", memory: "1Gi" } };
    expect(kept({ requests: { cpu: "2" } }, own)).toEqual({ requests: { cpu: "2" } });
    expect(kept({ limits: { cpu: "2" } }, own)).toEqual({
      limits: { cpu: "2" },
      requests: { cpu: "1", memory: "1Gi" },
    });
  });

  it("the pages that its containers may use", () => {
    const pages = { "hugepages-2Mi": "4Mi" };
    expect(kept({ limits: { cpu: "2" } }, { limits: pages })).toEqual({
      limits: { cpu: "2", ...pages },
      requests: { cpu: "2", ...pages },
    });
  });
});

describe("an overhead", () => {
  it("is of resources that containers have", () => {
    const bad = { foo: "1" };
    expect(complaint(pod({ overhead: bad }))).toBe(
      '[spec.overhead.limits[foo]: Invalid value: "foo": must be a standard resource type or fully qualified, ' +
        'spec.overhead.limits[foo]: Invalid value: "foo": must be a standard resource for containers]',
    );
    const body = { handler: "h", overhead: { podFixed: { cpu: "-1" } } };
    expect(complaint(sent("node.k8s.io/v1", "RuntimeClass", body))).toBe(
      'overhead.podFixed.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
    );
  });
});
