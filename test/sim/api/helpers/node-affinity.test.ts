import { describe, expect, it } from "vitest";
import {
  nodePreference,
  requiredNodeAffinity,
} from "../../../../sim/src/api/helpers/node-affinity.ts";
import type { Node, NodeSelectorTerm } from "../../../../sim/src/api/kinds/node.ts";
import type { Pod } from "../../../../sim/src/api/kinds/pod.ts";

const node: Node = {
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "n1", labels: { zone: "a", cores: "16", disk: "ssd" } },
  spec: {},
};

function podWith(terms: NodeSelectorTerm[] | undefined, nodeSelector?: Record<string, string>) {
  const required = terms && {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms },
  };
  const pod: Pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p" },
    spec: { containers: [], nodeSelector, affinity: { nodeAffinity: required } },
  };
  return pod;
}

const one = (key: string, operator: string, ...values: string[]) => ({
  matchExpressions: [{ key, operator, values: values.length > 0 ? values : undefined }],
});

const matches = (...terms: NodeSelectorTerm[]) => requiredNodeAffinity(podWith(terms))?.(node);

describe("node affinity", () => {
  it("is absent for a Pod that asks for nothing", () => {
    expect(requiredNodeAffinity(podWith(undefined))).toBeUndefined();
  });

  it("knows all operators", () => {
    expect(matches(one("zone", "In", "a", "b"))).toBe(true);
    expect(matches(one("zone", "NotIn", "a"))).toBe(false);
    expect(matches(one("gpu", "NotIn", "a"))).toBe(true);
    expect(matches(one("disk", "Exists"))).toBe(true);
    expect(matches(one("gpu", "DoesNotExist"))).toBe(true);
    expect(matches(one("cores", "Gt", "8"))).toBe(true);
    expect(matches(one("cores", "Lt", "16"))).toBe(false);
    expect(matches(one("zone", "Gt", "1"))).toBe(false);
  });

  it("needs one of the terms, and of that all conditions", () => {
    expect(matches(one("zone", "In", "b"), one("disk", "Exists"))).toBe(true);
    const both = [
      { key: "zone", operator: "In", values: ["a"] },
      { key: "gpu", operator: "Exists" },
    ];
    expect(matches({ matchExpressions: both })).toBe(false);
  });

  it("matches nothing by an empty or an unreadable term", () => {
    expect(matches({})).toBe(false);
    expect(matches(one("zone", "Near", "a"))).toBe(false);
    expect(matches(one("zone", "In"))).toBe(false);
    expect(matches(one("cores", "Gt", "many"))).toBe(false);
  });

  it("asks for a Node by its name through a field", () => {
    const field = (operator: string) => ({
      matchFields: [{ key: "metadata.name", operator, values: ["n1"] }],
    });
    expect(matches(field("In"))).toBe(true);
    expect(matches(field("NotIn"))).toBe(false);
  });

  it("joins nodeSelector and affinity", () => {
    const terms = [one("disk", "Exists")];
    expect(requiredNodeAffinity(podWith(terms, { zone: "a" }))?.(node)).toBe(true);
    expect(requiredNodeAffinity(podWith(terms, { zone: "b" }))?.(node)).toBe(false);
  });

  it("sums the weights of preferred terms", () => {
    const preference = nodePreference([
      { weight: 80, preference: one("zone", "In", "a") },
      { weight: 15, preference: one("disk", "Exists") },
      { weight: 5, preference: one("gpu", "Exists") },
      { weight: 50, preference: {} },
    ]);
    expect(preference(node)).toBe(95);
  });
});
