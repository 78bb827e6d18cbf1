import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import { messageOf, newServer } from "./server.ts";

const group = "admissionregistration.k8s.io";
const apiVersion = `${group}/v1`;

/** What is refused of an object of the kind; "" if it is taken. */
function refused(kind: string, body: object, more: object = {}): string {
  const { ask } = newServer();
  const resource = `${kind.toLowerCase()}s`.replace("ys", "ies");
  const object = { apiVersion, kind, metadata: { name: "p.example.com" }, ...body };
  const made = ask({ verb: "create", group, resource, namespace: "", body: object });
  if (Object.keys(more).length === 0) return messageOf(made).replace(/^.* is invalid: /, "");
  expect(messageOf(made)).toBe("");
  const old = made.body as KubeObject;
  const next = { ...old, ...more };
  const name = old.metadata.name;
  const answer = ask({ verb: "update", group, resource, namespace: "", name, body: next });
  return messageOf(answer).replace(/^.* is invalid: /, "");
}

const RULE = {
  operations: ["CREATE"],
  apiGroups: [""],
  apiVersions: ["v1"],
  resources: ["pods"],
};
const HOOK = {
  name: "a.example.com",
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  clientConfig: { url: "https://x.example.com/hook" },
  rules: [RULE],
};

function hook(more: object): string {
  return refused("ValidatingWebhookConfiguration", { webhooks: [{ ...HOOK, ...more }] });
}

describe("webhook configurations", () => {
  it("takes one that is whole", () => {
    expect(hook({})).toBe("");
  });

  const cases: [string, object, string][] = [
    [
      "a name of two parts",
      { name: "a.b" },
      'webhooks[0].name: Invalid value: "a.b": should be a domain with at least three segments separated by dots',
    ],
    [
      "an odd version",
      { admissionReviewVersions: ["v2"] },
      'webhooks[0].admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1',
    ],
    [
      "a version twice",
      { admissionReviewVersions: ["v1", "v1"] },
      'webhooks[0].admissionReviewVersions[1]: Invalid value: "v1": duplicate version',
    ],
    [
      "side effects",
      { sideEffects: "Some" },
      'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
    ],
    [
      "plain HTTP",
      { clientConfig: { url: "http://a/?q#f" } },
      `[webhooks[0].clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path], webhooks[0].clientConfig.url: Invalid value: "f": fragments are not permitted in the URL, webhooks[0].clientConfig.url: Invalid value: "q": query parameters are not permitted in the URL]`,
    ],
    [
      "nobody",
      { clientConfig: {} },
      "webhooks[0].clientConfig: Required value: exactly one of url or service is required",
    ],
    [
      "a bad path",
      { clientConfig: { service: { name: "s", namespace: "n", path: "a//b", port: 0 } } },
      `[webhooks[0].clientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive, webhooks[0].clientConfig.service.path: Invalid value: "a//b": must start with a '/', webhooks[0].clientConfig.service.path: Invalid value: "a//b": segment[0] may not be empty, webhooks[0].clientConfig.service.path: Invalid value: "a//b": segment[1] may not be empty]`,
    ],
    [
      "a star among others",
      { rules: [{ ...RULE, resources: ["*", "pods"], apiGroups: ["*", "apps"] }] },
      `[webhooks[0].rules[0].apiGroups: Invalid value: ["*","apps"]: if '*' is present, must not specify other API groups, webhooks[0].rules[0].resources: Invalid value: ["*","pods"]: if '*' is present, must not specify other resources without subresources]`,
    ],
    [
      "what is covered",
      { rules: [{ ...RULE, resources: ["pods/*", "pods/status"] }] },
      `webhooks[0].rules[0].resources[1]: Invalid value: "pods/status": if 'pods/*' is present, must not specify pods/status`,
    ],
    [
      "an odd scope",
      { rules: [{ ...RULE, scope: "All" }] },
      'webhooks[0].rules[0].scope: Unsupported value: "All": supported values: "*", "Cluster", "Namespaced"',
    ],
    [
      "a condition that is none",
      { matchConditions: [{ name: "c", expression: "foo == 1" }] },
      `webhooks[0].matchConditions[0].expression: Invalid value: "foo == 1": compilation failed: ERROR: <input>:1:1: undeclared reference to 'foo' (in container '')\n | foo == 1\n | ^`,
    ],
    [
      "a condition that is no test",
      { matchConditions: [{ name: "c", expression: "'a'" }] },
      `webhooks[0].matchConditions[0].expression: Invalid value: "'a'": must evaluate to bool`,
    ],
  ];
  for (const [what, more, message] of cases) {
    it(`refuses ${what}`, () => {
      const all = hook(more).replaceAll(String.raw`\n`, "\n");
      expect(all).toBe(message);
    });
  }

  it("lets names repeat no more, in one list", () => {
    const webhooks = [HOOK, HOOK];
    expect(refused("MutatingWebhookConfiguration", { webhooks })).toBe(
      'webhooks[1].name: Duplicate value: "a.example.com"',
    );
  });

  it("checks a change alike", () => {
    const kind = "MutatingWebhookConfiguration";
    const more = { webhooks: [{ ...HOOK, reinvocationPolicy: "Always" }] };
    expect(refused(kind, { webhooks: [HOOK] }, more)).toBe(
      'webhooks[0].reinvocationPolicy: Unsupported value: "Always": supported values: "IfNeeded", "Never"',
    );
  });
});

const SPEC = {
  matchConstraints: { resourceRules: [RULE] },
  validations: [{ expression: "object.metadata.name == 'a'" }],
};

function policy(more: object): string {
  return refused("ValidatingAdmissionPolicy", { spec: { ...SPEC, ...more } });
}

describe("validating policies", () => {
  it("takes one that is whole", () => {
    expect(policy({})).toBe("");
  });

  const cases: [string, object, string][] = [
    ["no rules", { matchConstraints: {} }, "spec.matchConstraints.resourceRules: Required value"],
    [
      "nothing to check",
      { validations: [] },
      "[spec.validations: Required value: validations or auditAnnotations must contain at least one item, spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item]",
    ],
    [
      "a value that is no test",
      { validations: [{ expression: "object.spec" }] },
      'spec.validations[0].expression: Invalid value: "object.spec": must evaluate to bool',
    ],
    [
      "parameters without a kind",
      { validations: [{ expression: "params.x == 1" }] },
      `spec.validations[0].expression: Invalid value: "params.x == 1": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params.x == 1\n | ^`,
    ],
    [
      "an odd reason",
      { validations: [{ expression: "true", reason: "Nope", message: "a\nb" }] },
      `[spec.validations[0].message: Invalid value: "a\nb": message must not contain line breaks, spec.validations[0].reason: Unsupported value: "Nope": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"]`,
    ],
    [
      "a number for a message",
      { validations: [{ expression: "true", messageExpression: "1" }] },
      'spec.validations[0].messageExpression: Invalid value: "1": must evaluate to string',
    ],
    [
      "a kind of parameters",
      { paramKind: { apiVersion: "a/b/c" } },
      '[spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c, spec.paramKind.kind: Required value]',
    ],
    [
      "a reserved variable",
      { variables: [{ name: "loop", expression: "1" }] },
      'spec.variables[0].name: Invalid value: "loop": name is not a valid CEL identifier',
    ],
    [
      "an odd policy",
      { failurePolicy: "Maybe" },
      'spec.failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"',
    ],
    [
      "notes of numbers",
      { auditAnnotations: [{ key: "k", valueExpression: "1" }] },
      'spec.auditAnnotations[0].valueExpression: Invalid value: "1": must evaluate to one of [string null_type]',
    ],
  ];
  for (const [what, more, message] of cases) {
    it(`refuses ${what}`, () => {
      expect(policy(more).replaceAll(String.raw`\n`, "\n")).toBe(message);
    });
  }
});

describe("mutating policies", () => {
  const mutation = { patchType: "JSONPatch", jsonPatch: { expression: "[]" } };
  const spec = {
    reinvocationPolicy: "Never",
    matchConstraints: { resourceRules: [RULE] },
    mutations: [mutation],
  };
  const kind = "MutatingAdmissionPolicy";

  it("needs a patch of the type that it says", () => {
    expect(refused(kind, { spec })).toBe("");
    const mutations = [{ ...mutation, patchType: "ApplyConfiguration" }];
    expect(refused(kind, { spec: { ...spec, mutations } })).toBe(
      '[spec.mutations[0].applyConfiguration: Required value: must be specified when patchType is ApplyConfiguration, spec.mutations[0].jsonPatch: Invalid value: "{jsonPatch}": must not be specified when patchType is ApplyConfiguration]',
    );
  });

  it("changes nothing that goes", () => {
    const resourceRules = [{ ...RULE, operations: ["DELETE"] }];
    const body = { ...spec, reinvocationPolicy: undefined, matchConstraints: { resourceRules } };
    expect(refused(kind, { spec: { ...body, mutations: [] } })).toBe(
      '[spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE", spec.mutations: Required value: mutations must contain at least one item, spec.reinvocationPolicy: Required value]',
    );
  });
});

describe("bindings", () => {
  const kind = "ValidatingAdmissionPolicyBinding";

  it("say what happens, once", () => {
    const spec = { policyName: "P", validationActions: ["Deny", "Warn", "Deny"] };
    expect(refused(kind, { spec: { ...spec, policyName: "p" } })).toBe(
      '[spec.validationActions[2]: Duplicate value: "Deny", spec.validationActions: Invalid value: ["Deny","Warn","Deny"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)]',
    );
    expect(refused(kind, { spec: { policyName: "p" } })).toBe(
      "spec.validationActions: Required value: at least one validation action is required",
    );
  });

  it("name their parameters in one way", () => {
    const paramRef = { name: "a", selector: {} };
    const spec = { policyName: "p", validationActions: ["Deny"], paramRef };
    expect(refused(kind, { spec })).toBe(
      "[spec.paramRef.name: Forbidden: name and selector are mutually exclusive, spec.paramRef.selector: Forbidden: name and selector are mutually exclusive, spec.paramRef.parameterNotFoundAction: Required value]",
    );
  });
});
