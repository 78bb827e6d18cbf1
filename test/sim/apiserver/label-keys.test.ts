/** `matchLabelKeys`: the API server writes a Pod's own labels into its selectors. */
import { beforeEach, describe, expect, it } from "vitest";
import { account, type Bench, messageOf, newServer, pod } from "./server.ts";

const HARD = "requiredDuringSchedulingIgnoredDuringExecution";
const SOFT = "preferredDuringSchedulingIgnoredDuringExecution";
const selector = { matchLabels: { app: "web" } };
const term = (more: object = {}) => ({
  topologyKey: "kubernetes.io/hostname",
  labelSelector: selector,
  matchLabelKeys: ["pod-template-hash", "absent"],
  ...more,
});
const spread = (more: object = {}) => ({
  ...{ maxSkew: 1, whenUnsatisfiable: "DoNotSchedule" },
  ...term(more),
});
const labels = { app: "web", "pod-template-hash": "abc", tenant: "t1" };
const own = { key: "pod-template-hash", operator: "In", values: ["abc"] };

describe("matchLabelKeys", () => {
  let bench: Bench;
  beforeEach(() => {
    bench = newServer();
    account(bench);
  });
  const create = (spec: object) => bench.ask({ verb: "create", body: pod("p", { labels }, spec) });

  it("join the selectors of affinity and of topology spread; the scheduler sees them there", () => {
    const other = { key: "tenant", operator: "NotIn", values: ["t1"] };
    const affinity = {
      podAffinity: { [HARD]: [term()] },
      podAntiAffinity: {
        [SOFT]: [{ weight: 1, podAffinityTerm: term({ mismatchLabelKeys: ["tenant"] }) }],
      },
    };
    const { code, body } = create({ affinity, topologySpreadConstraints: [spread()] });
    expect(code).toBe(201);
    const joined = { ...selector, matchExpressions: [own] };
    expect(body).toMatchObject({
      spec: {
        affinity: {
          podAffinity: {
            [HARD]: [{ labelSelector: joined, matchLabelKeys: term().matchLabelKeys }],
          },
          podAntiAffinity: {
            [SOFT]: [
              {
                podAffinityTerm: {
                  labelSelector: { ...selector, matchExpressions: [own, other] },
                  mismatchLabelKeys: ["tenant"],
                },
              },
            ],
          },
        },
        topologySpreadConstraints: [{ labelSelector: joined }],
      },
    });
  });

  it("stay as they are in a template: only a Pod has values", () => {
    const template = {
      metadata: { labels },
      spec: { ...pod("x").spec, topologySpreadConstraints: [spread()] },
    };
    const { code, body } = bench.ask({
      ...{ verb: "create", group: "apps", resource: "deployments" },
      body: {
        ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" } },
        spec: { selector: { matchLabels: { app: "web" } }, template },
      },
    });
    expect(code).toBe(201);
    expect(body).toMatchObject({
      spec: { template: { spec: { topologySpreadConstraints: [{ labelSelector: selector }] } } },
    });
    expect(JSON.stringify(body)).not.toContain("matchExpressions");
  });

  it.each<[string, object, string]>([
    [
      "a key that is selected by already",
      { topologySpreadConstraints: [spread({ matchLabelKeys: ["tenant", "app"] })] },
      'spec.topologySpreadConstraints[0][1]: Invalid value: "app": exists in both matchLabelKeys and labelSelector',
    ],
    [
      "keys without a selector",
      { affinity: { podAffinity: { [HARD]: [term({ labelSelector: undefined })] } } },
      `spec.affinity.podAffinity.${HARD}[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set`,
    ],
    [
      "a key that is to match and not to match",
      { affinity: { podAffinity: { [HARD]: [term({ mismatchLabelKeys: ["absent"] })] } } },
      `spec.affinity.podAffinity.${HARD}[0].matchLabelKeys[1]: Invalid value: "absent": exists in both matchLabelKeys and mismatchLabelKeys`,
    ],
    [
      "what is no label",
      { topologySpreadConstraints: [spread({ matchLabelKeys: ["/x"] })] },
      'spec.topologySpreadConstraints[0].matchLabelKeys[0]: Invalid value: "/x": prefix part must be non-empty',
    ],
  ])("refuse %s", (_, spec, message) => {
    expect(messageOf(create(spec))).toContain(message);
  });
});
