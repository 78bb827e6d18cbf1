/** What flow schemas and priority levels may say. */
import { describe, expect, it } from "vitest";
import { mandatoryLevel, mandatorySchema } from "../../../sim/src/api/kinds/flow-mandatory.ts";
import { flowSchemas, priorityLevels } from "../../../sim/src/apiserver/flow/defaults.ts";
import { changeComplaint, complaint, defaulted, kindOf, sent } from "./kinds-support.ts";

const version = "flowcontrol.apiserver.k8s.io/v1";
const subjects = [{ kind: "Group", group: { name: "g" } }];
const resourceRule = { verbs: ["get"], apiGroups: [""], resources: ["pods"], namespaces: ["*"] };
const rules = [{ subjects, resourceRules: [resourceRule] }];
const priorityLevelConfiguration = { name: "l" };

const schema = (spec: object, name = "s") =>
  sent(version, "FlowSchema", { spec: { priorityLevelConfiguration, rules, ...spec } }, name);
const level = (spec: object, name = "l") =>
  sent(version, "PriorityLevelConfiguration", { spec }, name);
const limited = (more: object) =>
  level({ type: "Limited", limited: { limitResponse: { type: "Reject" }, ...more } });
const queuing = (more: object) =>
  limited({ limitResponse: { type: "Queue", queuing: { queues: 64, handSize: 6, ...more } } });

describe("a FlowSchema", () => {
  it("that the server makes is good, and so is a level", () => {
    for (const { metadata, spec } of flowSchemas())
      expect(complaint(schema(spec as object, (metadata as { name: string }).name))).toBe("");
    for (const { metadata, spec } of priorityLevels())
      expect(complaint(level(spec as object, (metadata as { name: string }).name))).toBe("");
  });

  it("has a middle precedence by itself", () => {
    expect(defaulted(schema({}))).toMatchObject({ spec: { matchingPrecedence: 1000 } });
    expect(defaulted(schema({ matchingPrecedence: 0 }))).toMatchObject({
      spec: { matchingPrecedence: 1000 },
    });
  });

  const rule = "spec.rules[0]";
  const withRule = (more: object) => ({ rules: [{ ...rules[0], ...more }] });
  const subject = (one: object) => withRule({ subjects: [one] });
  const resource = (more: object) => withRule({ resourceRules: [{ ...resourceRule, ...more }] });
  const path = (...nonResourceURLs: string[]) =>
    withRule({ nonResourceRules: [{ verbs: ["*"], nonResourceURLs }] });

  it.each<[object, string]>([
    [
      { matchingPrecedence: -1 },
      "spec.matchingPrecedence: Invalid value: -1: must be a positive value",
    ],
    [
      { matchingPrecedence: 10001 },
      "spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000",
    ],
    [
      { matchingPrecedence: 1 },
      "spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1",
    ],
    [
      { distinguisherMethod: { type: "ByVerb" } },
      'spec.distinguisherMethod.type: Unsupported value: {"Type":"ByVerb"}: supported values: "ByNamespace", "ByUser"',
    ],
    [
      { priorityLevelConfiguration: { name: "" } },
      "spec.priorityLevelConfiguration.name: Required value: must reference a priority level",
    ],
    [
      { rules: [{ subjects: [] }] },
      `[${rule}.subjects: Required value: subjects must contain at least one value, ` +
        `${rule}: Required value: at least one of resourceRules and nonResourceRules has to be non-empty]`,
    ],
    [
      subject({ kind: "Robot" }),
      `${rule}.subjects[0].kind: Unsupported value: "Robot": supported values: "Group", "ServiceAccount", "User"`,
    ],
    [
      subject({ kind: "User", group: { name: "g" } }),
      `[${rule}.subjects[0].user: Required value: user is required when subject kind is 'User', ` +
        `${rule}.subjects[0].group: Forbidden: group is forbidden when subject kind is not 'Group']`,
    ],
    [
      subject({ kind: "Group", group: { name: "" } }),
      `${rule}.subjects[0].group.name: Required value`,
    ],
    [
      subject({ kind: "ServiceAccount", serviceAccount: { name: "*", namespace: "" } }),
      `${rule}.subjects[0].serviceAccount.namespace: Required value: must specify namespace for service account`,
    ],
    [
      resource({ verbs: ["look"] }),
      `${rule}.resourceRules[0].verbs: Unsupported value: ["look"]: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"`,
    ],
    [
      resource({ verbs: ["*", "get"] }),
      `${rule}.resourceRules[0].verbs: Invalid value: ["*","get"]: if '*' is present, must not specify other verbs`,
    ],
    [
      resource({ verbs: [], apiGroups: [], resources: [], namespaces: [] }),
      `[${rule}.resourceRules[0].verbs: Required value: verbs must contain at least one value, ` +
        `${rule}.resourceRules[0].apiGroups: Required value: resource rules must supply at least one api group, ` +
        `${rule}.resourceRules[0].resources: Required value: resource rules must supply at least one resource, ` +
        `${rule}.resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace]`,
    ],
    [
      resource({ namespaces: ["A"] }),
      `${rule}.resourceRules[0].namespaces[0]: Invalid value: "A": each member of this list must be '*' or a DNS-1123 label; ` +
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ],
    [path("/healthz/*"), ""],
    [
      path("healthz"),
      `${rule}.nonResourceRules[0].nonResourceURLs[0]: Invalid value: "healthz": must start with slash`,
    ],
    [
      path("/health*"),
      `${rule}.nonResourceRules[0].nonResourceURLs[0]: Invalid value: "/health*": wildcard can only do suffix matching`,
    ],
    [
      path("*", "/a"),
      `${rule}.nonResourceRules[0].nonResourceURLs: Invalid value: ["*","/a"]: if '*' is present, must not specify other non-resource URLs`,
    ],
  ])("%j", (spec, text) => {
    expect(complaint(schema(spec))).toBe(text);
  });

  it("without which the server would lock itself out is fixed", () => {
    const spec = mandatorySchema("catch-all") as object;
    const old = schema(spec, "catch-all");
    expect(changeComplaint(old, old)).toBe("");
    const next = schema({ ...spec, matchingPrecedence: 9999 }, "catch-all");
    expect(changeComplaint(next, old)).toMatch(
      /^spec: Invalid value: \{"PriorityLevelConfiguration":\{"Name":"catch-all"\},"MatchingPrecedence":9999,.*\}: spec of 'catch-all' must equal the fixed value$/,
    );
  });

  it("has each condition once", () => {
    const kind = kindOf(version, "FlowSchema");
    const made = schema({});
    const old = { ...made, metadata: { ...made.metadata, resourceVersion: "1" } };
    const conditions = [{ type: "A" }, { type: "A" }, {}];
    const next = { ...old, status: { conditions } } as never;
    expect(
      kind.validateStatusUpdate(next, old).map(({ field, body }) => `${field}: ${body}`),
    ).toEqual([
      'status.conditions[1].type: Duplicate value: "A"',
      "status.conditions[2].type: Required value: must not be empty",
    ]);
  });
});

describe("a PriorityLevelConfiguration", () => {
  it("is filled in", () => {
    const { spec } = defaulted(limited({ limitResponse: { type: "Queue", queuing: {} } })) as never;
    expect(spec).toEqual({
      type: "Limited",
      limited: {
        nominalConcurrencyShares: 30,
        limitResponse: {
          type: "Queue",
          queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 },
        },
        lendablePercent: 0,
      },
    });
  });

  const queue = "spec.limited.limitResponse.queuing";
  it.each<[ReturnType<typeof level>, string]>([
    [
      level({ type: "Some" }),
      'spec.type: Unsupported value: "Some": supported values: "Exempt", "Limited"',
    ],
    [
      level({ type: "Exempt" }),
      "[spec.type: Invalid value: \"Exempt\": type must be 'Exempt' if and only if name is 'exempt', " +
        "spec.exempt: Required value: must not be empty when type is Exempt]",
    ],
    [
      level({ type: "Limited", exempt: {} }),
      "[spec.exempt: Forbidden: must be nil if the type is Limited, " +
        "spec.limited: Required value: must not be empty when type is Limited]",
    ],
    [limited({ nominalConcurrencyShares: 0 }), ""],
    [
      limited({ nominalConcurrencyShares: -1, lendablePercent: 101, borrowingLimitPercent: -1 }),
      "[spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer, " +
        "spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive, " +
        "spec.limited.borrowingLimitPercent: Invalid value: -1: if specified, must be a non-negative integer]",
    ],
    [
      limited({ limitResponse: { type: "Wait" } }),
      'spec.limited.limitResponse.type: Unsupported value: "Wait": supported values: "Queue", "Reject"',
    ],
    [
      limited({ limitResponse: { type: "Queue" } }),
      `${queue}: Required value: must not be empty if limited.limitResponse.type is Limited`,
    ],
    [
      limited({ limitResponse: { type: "Reject", queuing: {} } }),
      `${queue}: Forbidden: must be nil if limited.limitResponse.type is not Limited`,
    ],
    [queuing({ queues: 10_000_000, handSize: 2 }), ""],
    [
      queuing({ queues: 10_000_001, handSize: 2 }),
      `${queue}.queues: Invalid value: 10000001: must not be greater than 10000000`,
    ],
    [
      queuing({ queues: 7, handSize: 8 }),
      `${queue}.handSize: Invalid value: 8: should not be greater than queues (7)`,
    ],
    [
      queuing({ queues: 128, handSize: 10 }),
      `${queue}.handSize: Invalid value: 10: required entropy bits of deckSize 128 and handSize 10 should not be greater than 60`,
    ],
    [
      queuing({ queues: -1, handSize: -1, queueLengthLimit: -1 }),
      `[${queue}.queueLengthLimit: Invalid value: -1: must be positive, ` +
        `${queue}.queues: Invalid value: -1: must be positive, ${queue}.handSize: Invalid value: -1: must be positive]`,
    ],
  ])("%j", (object, text) => {
    expect(complaint(object)).toBe(text);
  });

  it("that is exempt lends what its administrator says, and is fixed else", () => {
    const old = level(mandatoryLevel("exempt") as object, "exempt");
    const lending = level(
      { type: "Exempt", exempt: { nominalConcurrencyShares: 7, lendablePercent: 10 } },
      "exempt",
    );
    expect(changeComplaint(lending, old)).toBe("");
    const more = level({
      type: "Exempt",
      exempt: {},
      limited: { limitResponse: { type: "Reject" } },
    });
    expect(changeComplaint({ ...more, metadata: old.metadata }, old)).toBe(
      "[spec.limited: Forbidden: must be nil if the type is not Limited, " +
        'spec: Invalid value: {"Type":"Exempt","Limited":{"NominalConcurrencyShares":30,"LimitResponse":{"Type":"Reject","Queuing":null},"LendablePercent":0,"BorrowingLimitPercent":null},"Exempt":{"NominalConcurrencyShares":0,"LendablePercent":0}}: ' +
        "spec of 'exempt' except the 'spec.exempt' field must equal the fixed value]",
    );
  });
});
