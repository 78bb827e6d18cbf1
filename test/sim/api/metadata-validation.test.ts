import { describe, expect, it } from "vitest";
import { fieldErrorText } from "../../../sim/src/api/field-error.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import { changeComplaint, complaint, kindOf, sent } from "./kinds-support.ts";

type Fields = { readonly [field: string]: unknown };

const neither = "name is neither a standard finalizer name nor is it fully qualified";
const withMeta = (object: KubeObject, meta: Fields) => ({
  ...object,
  metadata: { ...object.metadata, ...meta },
});

describe("finalizers", () => {
  const finalizers = ["kubernetes", "orphan", "example.com/f", "mine"];

  it("are Kubernetes' own, or have a domain", () => {
    const map = sent("v1", "ConfigMap", {});
    const told = `metadata.finalizers[3]: Invalid value: "mine": ${neither}`;
    expect(complaint(withMeta(map, { finalizers }))).toBe(told);
    expect(changeComplaint(withMeta(map, { finalizers }), map)).toBe(told);
  });

  it("are free in kinds that other servers bring", () => {
    const spec = {
      group: "e.x",
      scope: "Cluster",
      names: { plural: "cats", kind: "Cat" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object" } },
        },
      ],
    };
    const crd = sent("apiextensions.k8s.io/v1", "CustomResourceDefinition", { spec }, "cats.e.x");
    expect(complaint(withMeta(crd, { finalizers }))).toBe("");
  });
});

describe("an update", () => {
  /** Fields of the causes, in order: aggregate texts say each but once. */
  const causes = (apiVersion: string, name: string, fields: Fields, meta: Fields = {}) => {
    const kind = kindOf(apiVersion, name);
    const old = withMeta(sent(apiVersion, name, fields), { resourceVersion: "1" });
    return kind.validateUpdate(withMeta(old, meta), old).map(fieldErrorText);
  };
  const labels = { "a b": "" };
  const bad = /^metadata.labels: Invalid value: "a b"/;

  it("is told as often as its kind's rules look", () => {
    const rules = [{ apiGroups: [""], resources: ["pods"], verbs: [] }];
    const role = causes("rbac.authorization.k8s.io/v1", "Role", { rules }, { labels });
    const verbs = "rules[0].verbs: Required value: verbs must contain at least one value";
    // The server, then the whole Role, then what changed in its metadata.
    expect(role).toEqual([
      expect.stringMatching(bad),
      expect.stringMatching(bad),
      verbs,
      expect.stringMatching(bad),
    ]);
    expect(causes("v1", "ConfigMap", {}, { labels })).toHaveLength(3);
    expect(causes("policy/v1", "PodDisruptionBudget", {}, { labels })).toHaveLength(1);
  });

  it("of an immutable Secret says first what changed, then what is wrong", () => {
    const secret = (data: Fields) =>
      sent("v1", "Secret", { type: "kubernetes.io/tls", immutable: true, data });
    expect(changeComplaint(secret({}), secret({ "tls.crt": "", "tls.key": "" }))).toBe(
      "[data: Forbidden: field is immutable when `immutable` is set, " +
        "data[tls.crt]: Required value, data[tls.key]: Required value]",
    );
  });
});

describe("PodDisruptionBudgets", () => {
  const budget = (spec: Fields, name = "x") =>
    sent("policy/v1", "PodDisruptionBudget", { spec }, name);
  const percent =
    "a valid percent string must be a numeric string followed by an ending '%' " +
    "(e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
  const cases: [spec: Fields, told: string][] = [
    [{}, ""],
    [
      { minAvailable: 1, maxUnavailable: "30%" },
      'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":"30%","UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
    ],
    [
      { minAvailable: -1 },
      "spec.minAvailable: Invalid value: -1: must be greater than or equal to 0",
    ],
    [{ minAvailable: "half" }, `spec.minAvailable: Invalid value: "half": ${percent}`],
    [
      { maxUnavailable: "101%" },
      'spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
    ],
    [
      { selector: { matchLabels: { a: "b c" } }, unhealthyPodEvictionPolicy: "Never" },
      "[spec.selector.matchLabels: Invalid value: \"b c\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?'), " +
        'spec.unhealthyPodEvictionPolicy: Unsupported value: "Never": supported values: "AlwaysAllow", "IfHealthyBudget"]',
    ],
  ];
  it.each(cases)("are told what is wrong: %j", (spec, told) => {
    expect(complaint(budget(spec))).toBe(told);
  });

  it("may be called as a path's segment, of which they are told last", () => {
    expect(complaint(budget({}, "My_Budget"))).toBe("");
    expect(complaint(budget({}, "a%b"))).toBe(
      "metadata.name: Invalid value: \"a%b\": may not contain '%'",
    );
    expect(complaint(budget({ minAvailable: -1 }, "a%b"))).not.toContain("metadata");
  });

  it("count nothing below zero in their status", () => {
    const kind = kindOf("policy/v1", "PodDisruptionBudget");
    const old = withMeta(budget({}), { resourceVersion: "1" });
    const next = { ...old, status: { disruptionsAllowed: 0, currentHealthy: -1 } };
    expect(kind.validateStatusUpdate(next, old).map(fieldErrorText)).toEqual([
      "status.currentHealthy: Invalid value: -1: must be greater than or equal to 0",
    ]);
  });

  it("are changed from their newest version alone", () => {
    const { strategy } = kindOf("policy/v1", "PodDisruptionBudget");
    expect(strategy.allowUnconditionalUpdate).toBe(false);
  });
});

describe("an update of a status", () => {
  it("keeps of the old metadata what its kind says", () => {
    const old = { labels: { a: "old" }, annotations: { a: "old" }, ownerReferences: [] };
    const next = { labels: { a: "new" }, annotations: { a: "new" } };
    const changed = (apiVersion: string, name: string) => {
      const object = sent(apiVersion, name, {});
      const { strategy } = kindOf(apiVersion, name);
      const { labels, annotations, ownerReferences } = strategy.prepareForStatusUpdate(
        withMeta(object, next),
        withMeta(object, old),
      ).metadata;
      return [labels?.a, annotations?.a, ownerReferences !== undefined];
    };
    expect(changed("v1", "PersistentVolume")).toEqual(["new", "new", false]);
    expect(changed("v1", "Pod")).toEqual(["new", "new", true]);
    expect(changed("apps/v1", "Deployment")).toEqual(["old", "new", false]);
    expect(changed("storage.k8s.io/v1", "VolumeAttachment")).toEqual(["old", "old", true]);
  });
});
