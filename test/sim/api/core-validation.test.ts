import { describe, expect, it } from "vitest";
import { fieldErrorText } from "../../../sim/src/api/field-error.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import { warningsOf } from "../../../sim/src/api/warnings/index.ts";
import { changeComplaint, complaint, defaulted, kindOf, sent } from "./kinds-support.ts";

type Fields = { readonly [field: string]: unknown };

/** What an update of `/status` would be told. */
function statusComplaint(object: KubeObject, status: Fields): string[] {
  const old = { ...object, metadata: { ...object.metadata, resourceVersion: "1" } };
  const kind = kindOf(object.apiVersion, object.kind);
  return kind.validateStatusUpdate({ ...old, status } as KubeObject, old).map(fieldErrorText);
}

describe("ResourceQuotas", () => {
  const quota = (spec: Fields) => sent("v1", "ResourceQuota", { spec });
  const selector = (...matchExpressions: Fields[]) =>
    quota({ hard: { cpu: "1" }, scopeSelector: { matchExpressions } });
  const at = "spec.scopeSelector.matchExpressions";
  const cases: [object: KubeObject, told: string][] = [
    [
      quota({ hard: { "count/jobs.batch": "1", "requests.e.x/gpu": "1", "hugepages-2Mi": "1" } }),
      "",
    ],
    [
      quota({ hard: { things: "1", storage: "1Gi", "a b": "1", "count/pods": "1.5" } }),
      '[spec.hard[things]: Invalid value: "things": must be a standard resource type or fully qualified, ' +
        'spec.hard[things]: Invalid value: "things": must be a standard resource for quota, ' +
        'spec.hard[storage]: Invalid value: "storage": must be a standard resource for quota, ' +
        "spec.hard[a b]: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), " +
        'spec.hard[a b]: Invalid value: "a b": must be a standard resource for quota, ' +
        'spec.hard[count/pods]: Invalid value: "1500m": must be an integer]',
    ],
    [
      quota({ hard: { services: "1", cpu: "1" }, scopes: ["BestEffort", "Odd", "NotBestEffort"] }),
      '[spec.scopes: Invalid value: ["BestEffort","Odd","NotBestEffort"]: unsupported scope applied to resource, ' +
        'spec.scopes: Invalid value: ["BestEffort","Odd","NotBestEffort"]: unsupported scope, ' +
        'spec.scopes: Invalid value: ["BestEffort","Odd","NotBestEffort"]: conflicting scopes]',
    ],
    [
      selector({ scopeName: "BestEffort", operator: "In" }),
      `[${at}: Invalid value: {"MatchExpressions":[{"ScopeName":"BestEffort","Operator":"In","Values":null}]}: unsupported scope applied to resource, ` +
        `${at}.operator: Invalid value: "In": must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity, ` +
        `${at}.values: Required value: must be at least one value when \`operator\` is 'In' or 'NotIn' for scope selector]`,
    ],
    [
      selector(
        { scopeName: "PriorityClass", operator: "Exists", values: ["a"] },
        { scopeName: "Odd", operator: "Is" },
      ),
      `[${at}.values: Invalid value: ["a"]: must be no value when \`operator\` is 'Exist' or 'DoesNotExist' for scope selector, ` +
        `${at}.scopeName: Invalid value: "Odd": unsupported scope, ` +
        `${at}.operator: Invalid value: "Is": not a valid selector operator]`,
    ],
    [
      quota({ hard: { pods: "1" }, scopes: ["VolumeAttributesClass"] }),
      'spec.scopes: Invalid value: ["VolumeAttributesClass"]: unsupported scope applied to resource',
    ],
  ];
  it.each(cases)("are told what is wrong: %j", (object, told) => {
    expect(complaint(object)).toBe(told);
  });

  it("keep their scopes, in any order", () => {
    const of = (...scopes: string[]) => quota({ hard: { pods: "1" }, scopes });
    expect(changeComplaint(of("BestEffort", "Terminating"), of("Terminating", "BestEffort"))).toBe(
      "",
    );
    expect(changeComplaint(quota({ hard: { pods: "1" } }), of("BestEffort"))).toBe(
      "spec.scopes: Invalid value: null: field is immutable",
    );
  });

  it("count in their status what they may count", () => {
    expect(statusComplaint(quota({}), { used: { pods: "-1" } })).toEqual([
      'status.used[pods]: Invalid value: "-1": must be greater than or equal to 0',
    ]);
  });

  it("warn of requests that are more than the limits", () => {
    const hard = { cpu: "2", "limits.cpu": "1", "requests.memory": "1Gi", "limits.memory": "2Gi" };
    const object = quota({ hard }) as Parameters<typeof warningsOf>[1];
    expect(warningsOf({ group: "", kind: "ResourceQuota" }, object, undefined)).toEqual([
      "ResourceQuota cpu (2) should be less than limits.cpu (1)",
    ]);
  });
});

describe("LimitRanges", () => {
  const range = (...limits: Fields[]) => sent("v1", "LimitRange", { spec: { limits } });
  const cases: [item: Fields, told: string][] = [
    [
      { type: "Node" },
      'spec.limits[0].type: Invalid value: "Node": must be a standard limit type or fully qualified',
    ],
    [
      { type: "Pod", max: { pods: "1" }, default: { cpu: "1" } },
      '[spec.limits[0].max[pods]: Invalid value: "pods": must be a standard resource for containers, ' +
        "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod']",
    ],
    [
      { type: "PersistentVolumeClaim", max: { cpu: "1" } },
      "spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided",
    ],
    [
      { type: "Container", min: { cpu: "2" }, default: { cpu: "1" } },
      '[spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1, ' +
        'spec.limits[0].default[cpu]: Invalid value: "2": min value 2 is greater than default value 1]',
    ],
    [
      { type: "Container", max: { cpu: "1" }, default: { cpu: "2" }, defaultRequest: { cpu: "1" } },
      'spec.limits[0].default[cpu]: Invalid value: "1": default value 2 is greater than max value 1',
    ],
    [
      { type: "Pod", maxLimitRequestRatio: { cpu: "500m" } },
      'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "500m": ratio 500m is less than 1',
    ],
    [
      { type: "Pod", min: { cpu: "1" }, max: { cpu: "3" }, maxLimitRequestRatio: { cpu: "4" } },
      'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "4": ratio 4 is greater than max/min = 3.000000',
    ],
    [
      { type: "Container", default: { "e.x/gpu": "2" }, defaultRequest: { "e.x/gpu": "1" } },
      'spec.limits[0].defaultRequest[e.x/gpu]: Invalid value: "1": default value 2 must equal to defaultRequest value 1 in e.x/gpu',
    ],
  ];
  it.each(cases)("are told what is wrong: %j", (item, told) => {
    expect(complaint(range(item))).toBe(told);
  });

  it("may be made by PUT", () => {
    expect(kindOf("v1", "LimitRange").strategy.allowCreateOnUpdate).toBe(true);
  });
});

describe("Secrets", () => {
  const secret = (type: string, data: Fields) =>
    sent("v1", "Secret", { type: `kubernetes.io/${type}`, stringData: data });
  const json = 'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>"';
  const cases: [object: KubeObject, told: string][] = [
    [secret("basic-auth", { username: "" }), ""],
    [secret("basic-auth", {}), "[data[username]: Required value, data[password]: Required value]"],
    [secret("ssh-auth", { "ssh-privatekey": "" }), "data[ssh-privatekey]: Required value"],
    [secret("dockerconfigjson", {}), "data[.dockerconfigjson]: Required value"],
    [secret("dockerconfigjson", { ".dockerconfigjson": '{"auths":{}}' }), ""],
    [
      secret("dockerconfigjson", { ".dockerconfigjson": "" }),
      `${json}: unexpected end of JSON input`,
    ],
    [
      secret("dockerconfigjson", { ".dockerconfigjson": "auths" }),
      `${json}: invalid character 'a' looking for beginning of value`,
    ],
    [
      secret("dockerconfigjson", { ".dockerconfigjson": "[]" }),
      `${json}: json: cannot unmarshal array into Go value of type map[string]interface {}`,
    ],
    [
      secret("service-account-token", {}),
      "metadata.annotations[kubernetes.io/service-account.name]: Required value",
    ],
  ];
  it.each(cases)("are told what is wrong: %j", (object, told) => {
    expect(complaint(object)).toBe(told);
  });
});

describe("ConfigMaps", () => {
  it("are no larger than a mebibyte, counted in bytes", () => {
    const told = "[]: Too long: may not be more than 1048576 bytes";
    const of = (letter: string, count: number) =>
      complaint(sent("v1", "ConfigMap", { data: { a: letter.repeat(count) } }));
    expect(of("a", 1_048_576)).toBe("");
    expect(of("a", 1_048_577)).toBe(told);
    expect(of("あ", 349_526)).toBe(told);
  });
});

describe("ServiceAccounts", () => {
  it("keep of their Secrets the names alone", () => {
    const account = sent("v1", "ServiceAccount", {
      secrets: [{ name: "a", kind: "Secret", uid: "1" }],
    });
    const { strategy } = kindOf("v1", "ServiceAccount");
    expect(strategy.prepareForCreate(account)).toHaveProperty("secrets", [{ name: "a" }]);
    expect(strategy.prepareForUpdate(account, account)).toHaveProperty("secrets", [{ name: "a" }]);
  });
});

describe("Namespaces", () => {
  it("have finalizers of Kubernetes' own, or with a domain", () => {
    const space = sent("v1", "Namespace", { spec: { finalizers: ["e.x/f", "mine"] } });
    expect(complaint(space)).toBe(
      'spec.finalizers: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
    );
  });
});

describe("Nodes", () => {
  const node = (spec: Fields, status: Fields = {}) => sent("v1", "Node", { spec, status });
  const taint = { key: "a", effect: "NoSchedule" };
  const cases: [object: KubeObject, told: string][] = [
    [
      node({ taints: [taint, { ...taint, value: "b" }, { ...taint, effect: "" }] }),
      '[metadata.taints[1]: Duplicate value: {"Key":"a","Value":"b","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair, ' +
        "metadata.taints[2].effect: Required value]",
    ],
    [
      node({}, { capacity: { cpu: "-1", pods: "1.5" } }),
      '[status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0, ' +
        'status.capacity.pods: Invalid value: "1500m": must be an integer, ' +
        'status.allocatable.cpu: Invalid value: "-1": must be greater than or equal to 0, ' +
        'status.allocatable.pods: Invalid value: "1500m": must be an integer]',
    ],
    [node({ podCIDRs: ["10.0.0.0/24", "fd00::/64"] }), ""],
    [
      node({ podCIDR: "x" }),
      'spec.podCIDRs[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ],
    [
      node({ podCIDRs: ["10.0.0.0/24", "10.0.0.0/24"] }),
      '[spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.0.0/24"]: may specify no more than one CIDR for each IP family, ' +
        'spec.podCIDRs[1]: Duplicate value: "10.0.0.0/24"]',
    ],
    [
      node({ podCIDRs: ["x", "fd00::/64"] }),
      '[spec.podCIDRs[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64), ' +
        'spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check with dual stack with error:failed to parse cidr value:"x" with error:invalid CIDR address: x, ' +
        'spec.podCIDRs: Invalid value: ["x","fd00::/64"]: may specify no more than one CIDR for each IP family]',
    ],
  ];
  it.each(cases)("are told what is wrong: %j", (object, told) => {
    expect(complaint(object)).toBe(told);
  });

  it("say their network in both fields", () => {
    expect(defaulted(node({ podCIDR: "10.0.0.0/24" }))).toHaveProperty("spec.podCIDRs", [
      "10.0.0.0/24",
    ]);
    expect(defaulted(node({ podCIDRs: ["10.0.0.0/24"] }))).toHaveProperty(
      "spec.podCIDR",
      "10.0.0.0/24",
    );
  });

  it("are given networks and a provider's name once", () => {
    const old = node({ podCIDRs: ["10.0.0.0/24", "fd00::/64"], providerID: "a" });
    expect(changeComplaint(node({ podCIDRs: ["10.0.1.0/24", "fd01::/64"] }), old)).toBe(
      '[spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid, ' +
        'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid]',
    );
    expect(changeComplaint(old, node({}))).toBe("");
  });

  it("have each address once", () => {
    const address = { type: "InternalIP", address: "10.0.0.1" };
    expect(statusComplaint(node({}), { addresses: [address, address] })).toEqual([
      'status.addresses[1]: Duplicate value: {"Type":"InternalIP","Address":"10.0.0.1"}',
    ]);
  });
});

describe("a Node's field in an affinity", () => {
  const pod = (...matchFields: Fields[]) => {
    const required = { nodeSelectorTerms: [{ matchFields }] };
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: required };
    const spec = { containers: [{ name: "c", image: "i" }], affinity: { nodeAffinity } };
    return complaint(sent("v1", "Pod", { spec }));
  };
  const at =
    "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0]";

  it("is its name, asked for by one value", () => {
    expect(pod({ key: "metadata.name", operator: "In", values: ["n"] })).toBe("");
    expect(pod({ key: "metadata.uid", operator: "Exists" })).toBe(
      `[${at}.operator: Invalid value: "Exists": not a valid selector operator, ` +
        `${at}.key: Invalid value: "metadata.uid": not a valid field selector key]`,
    );
    expect(pod({ key: "metadata.name", operator: "In", values: [] })).toBe(
      `${at}.values: Required value: must be only one value when \`operator\` is 'In' or 'NotIn' for node field selector`,
    );
    expect(pod({ key: "metadata.name", operator: "In", values: ["A"] })).toContain(
      `${at}.values[0]: Invalid value: "A": a lowercase RFC 1123 subdomain`,
    );
  });
});

describe("a label in an affinity to Nodes", () => {
  it("has a value that a label can have, if it must match", () => {
    const term = { matchExpressions: [{ key: "a", operator: "In", values: ["b c"] }] };
    const told = (nodeAffinity: Fields) => {
      const spec = { containers: [{ name: "c", image: "i" }], affinity: { nodeAffinity } };
      return complaint(sent("v1", "Pod", { spec }));
    };
    const hard = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } };
    expect(told(hard)).toMatch(
      /nodeSelectorTerms\[0\].matchExpressions\[0\].values\[0\]: Invalid value: "b c": a valid label must be/,
    );
    const preferred = [{ weight: 1, preference: term }];
    expect(told({ preferredDuringSchedulingIgnoredDuringExecution: preferred })).toBe("");
  });
});

describe("field selectors", () => {
  it("find certificate requests by their signer, and slices of devices by Node and driver", () => {
    const of = (apiVersion: string, kind: string) =>
      Object.keys(kindOf(apiVersion, kind).selectable);
    expect(of("certificates.k8s.io/v1", "CertificateSigningRequest")).toEqual(["spec.signerName"]);
    expect(of("resource.k8s.io/v1", "ResourceSlice")).toEqual(["spec.driver", "spec.nodeName"]);
  });
});
