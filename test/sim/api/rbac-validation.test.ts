import { describe, expect, it } from "vitest";
import { changeComplaint, complaint, defaulted, kindOf, sent } from "./kinds-support.ts";

type Fields = { readonly [field: string]: unknown };

const group = "rbac.authorization.k8s.io";
const v1 = `${group}/v1`;

describe("roles", () => {
  const rule = { verbs: ["get"], apiGroups: [""], resources: ["pods"] };
  const cases: [kind: string, rule: Fields, told: string][] = [
    ["Role", { ...rule, resourceNames: ["a"] }, ""],
    [
      "Role",
      {},
      "[rules[0].verbs: Required value: verbs must contain at least one value, " +
        "rules[0].apiGroups: Required value: resource rules must supply at least one api group, " +
        "rules[0].resources: Required value: resource rules must supply at least one resource]",
    ],
    [
      "Role",
      { verbs: ["get"], nonResourceURLs: ["/x"] },
      'rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs',
    ],
    [
      "ClusterRole",
      { verbs: ["get"], nonResourceURLs: ["/x"], resourceNames: ["a"] },
      'rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs',
    ],
  ];
  it.each(cases)("are told what is wrong: %s %j", (kind, one, told) => {
    expect(complaint(sent(v1, kind, { rules: [one] }))).toBe(told);
  });

  it("that gather others say which", () => {
    const role = (...clusterRoleSelectors: Fields[]) =>
      complaint(sent(v1, "ClusterRole", { aggregationRule: { clusterRoleSelectors } }));
    expect(role()).toBe(
      "aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil",
    );
    expect(role({ matchExpressions: [{ key: "a", operator: "Is" }] })).toBe(
      'aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
    );
  });

  it("may be made by PUT, as bindings may", () => {
    for (const kind of ["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"])
      expect(kindOf(v1, kind).strategy.allowCreateOnUpdate).toBe(true);
  });
});

describe("bindings", () => {
  const roleRef = { kind: "ClusterRole", name: "r" };
  const to = (kind: string, ...subjects: Fields[]) => sent(v1, kind, { roleRef, subjects });
  const cases: [object: ReturnType<typeof sent>, told: string][] = [
    [to("RoleBinding", { kind: "User", name: "a" }), ""],
    [
      sent(v1, "RoleBinding", { roleRef: { kind: "Pod", name: "a/b", apiGroup: "x" } }),
      `[roleRef.apiGroup: Unsupported value: "x": supported values: "${group}", ` +
        'roleRef.kind: Unsupported value: "Pod": supported values: "Role", "ClusterRole", ' +
        "roleRef.name: Invalid value: \"a/b\": may not contain '/']",
    ],
    [
      to("RoleBinding", { kind: "User", name: "" }),
      '[subjects[0].name: Required value, subjects[0].name: Invalid value: "": user name cannot be empty]',
    ],
    [
      to("RoleBinding", { kind: "Group", name: "g", apiGroup: "x" }),
      `subjects[0].apiGroup: Unsupported value: "x": supported values: "${group}"`,
    ],
    [
      to("ClusterRoleBinding", { kind: "ServiceAccount", name: "a b", apiGroup: "x" }),
      "[subjects[0].name: Invalid value: \"a b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'), " +
        'subjects[0].apiGroup: Unsupported value: "x": supported values: "", ' +
        "subjects[0].namespace: Required value]",
    ],
    [
      to("RoleBinding", { kind: "Robot", name: "r" }),
      'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
    ],
  ];
  it.each(cases)("are told what is wrong: %j", (object, told) => {
    expect(complaint(object)).toBe(told);
  });

  it("give users and groups RBAC's own API group, also for an empty one", () => {
    const subjects = [
      { kind: "User", name: "a", apiGroup: "" },
      { kind: "Group", name: "a" },
      { kind: "ServiceAccount", name: "a", apiGroup: "" },
    ];
    expect(defaulted(to("RoleBinding", ...subjects))).toHaveProperty("subjects", [
      { kind: "User", name: "a", apiGroup: group },
      { kind: "Group", name: "a", apiGroup: group },
      { kind: "ServiceAccount", name: "a" },
    ]);
  });

  it("keep their role", () => {
    const other = sent(v1, "RoleBinding", { roleRef: { ...roleRef, name: "s" } });
    expect(changeComplaint(other, to("RoleBinding"))).toBe(
      `roleRef: Invalid value: {"APIGroup":"${group}","Kind":"ClusterRole","Name":"s"}: cannot change roleRef`,
    );
  });
});
