import { describe, expect, it } from "vitest";
import { readIndexes } from "../../../sim/src/api/kinds/job-indexes.ts";
import {
  changeComplaint,
  complaint,
  container,
  sent,
  template,
  workload,
} from "./kinds-support.ts";

describe("workloads are refused for", () => {
  const labelled = (labels: object) => ({ ...template, metadata: { labels } });
  const bad = "a valid label must be an empty string";
  const rows: readonly (readonly [string, string, Record<string, unknown>, string | RegExp])[] = [
    [
      "Deployment",
      "a strategy that is none",
      { strategy: { type: "Foo" } },
      'spec.strategy: Unsupported value: {"Type":"Foo","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
    ],
    [
      "DaemonSet",
      "a strategy that is none",
      { updateStrategy: { type: "Foo" } },
      'spec.updateStrategy: Unsupported value: {"Type":"Foo","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"',
    ],
    [
      "StatefulSet",
      "a strategy that is none",
      { updateStrategy: { type: "Foo" } },
      'spec.updateStrategy: Invalid value: {"Type":"Foo","RollingUpdate":null}: must be \'RollingUpdate\' or \'OnDelete\'',
    ],
    [
      "StatefulSet",
      "a partition without rolling",
      { updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 1 } } },
      'spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy \'RollingUpdate\'',
    ],
    [
      "StatefulSet",
      "ordinals below zero",
      { ordinals: { start: -1 } },
      "spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0",
    ],
    [
      "DaemonSet",
      "no selector",
      { selector: undefined },
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ],
    [
      "DaemonSet",
      "nothing that may be away",
      { updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } },
      "spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0",
    ],
    [
      "ReplicaSet",
      "an empty selector",
      { selector: {} },
      "spec.selector: Invalid value: {}: empty selector is invalid for deployment",
    ],
    [
      "Deployment",
      "a label that is none, at upstream's path",
      { template: labelled({ app: "web", a: "_" }) },
      new RegExp(`^spec.template.labels: Invalid value: "_": ${bad}`),
    ],
    [
      "Deployment",
      "a selector that cannot be read",
      { selector: { matchExpressions: [{ key: "app", operator: "Is" }] } },
      '[spec.selector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator, ' +
        'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Is"}]}: invalid label selector]',
    ],
  ];
  for (const [kind, name, spec, expected] of rows) {
    it(`${kind}: ${name}`, () => {
      const text = complaint(workload(kind, spec));
      if (typeof expected === "string") expect(text).toBe(expected);
      else expect(text).toMatch(expected);
    });
  }

  it("a StatefulSet's name that is no label", () => {
    const set = workload("StatefulSet", {});
    const named = { ...set, metadata: { ...set.metadata, name: "a.b" } };
    expect(complaint(named)).toBe('metadata.name: Invalid value: "a.b": must not contain dots');
  });
});

const never = { spec: { containers: [container], restartPolicy: "Never" } };
const labelled = { ...never, metadata: { labels: { a: "b" } } };
/** One that selects by hand: kinds alone give no uid. */
const chosen = (spec: object) =>
  job({
    manualSelector: true,
    selector: { matchLabels: { a: "b" } },
    template: labelled,
    ...spec,
  });
const job = (spec: object) => sent("batch/v1", "Job", { spec: { template: never, ...spec } });
const rule = (fields: object) => ({
  podFailurePolicy: { rules: [{ action: "Ignore", ...fields }] },
});
const rules = "spec.podFailurePolicy.rules[0]";

describe("a Job is refused for", () => {
  const rows: readonly (readonly [string, object, string])[] = [
    [
      "failed indexes without a limit of each",
      { completionMode: "Indexed", completions: 2, maxFailedIndexes: 3 },
      "[spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified, " +
        "spec.maxFailedIndexes: Invalid value: 3: must be less than or equal to completions]",
    ],
    [
      "another's label",
      {
        template: { ...never, metadata: { labels: { "job-name": "y" } } },
      },
      'spec.template.metadata.labels[job-name]: Invalid value: {"job-name":"y","controller-uid":"","batch.kubernetes.io/controller-uid":"","batch.kubernetes.io/job-name":"x"}: must be \'x\'',
    ],
    [
      "a manager without a domain",
      { managedBy: "me" },
      'spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")',
    ],
    [
      "a replacement that is none",
      { podReplacementPolicy: "Never" },
      'spec.podReplacementPolicy: Unsupported value: "Never": supported values: "Failed", "TerminatingOrFailed"',
    ],
    [
      "a rule about nothing",
      rule({}),
      `${rules}: Invalid value: specifying one of OnExitCodes and OnPodConditions is required`,
    ],
    [
      "a rule that does nothing",
      rule({ action: "", onPodConditions: [{ type: "A" }] }),
      `${rules}.action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]`,
    ],
    [
      "exit codes out of order",
      rule({ onExitCodes: { operator: "In", containerName: "z", values: [2, 0, 2] } }),
      `[${rules}.onExitCodes.containerName: Invalid value: "z": must be one of the container or initContainer names in the pod template, ` +
        `${rules}.onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator, ` +
        `${rules}.onExitCodes.values[2]: Duplicate value: 2, ` +
        `${rules}.onExitCodes.values: Invalid value: [2,0,2]: must be ordered]`,
    ],
    [
      "success without indexes",
      { successPolicy: { rules: [{ succeededCount: 1 }] } },
      'spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: requires indexed completion mode',
    ],
    [
      "more successes than completions",
      {
        completionMode: "Indexed",
        completions: 2,
        successPolicy: { rules: [{ succeededCount: 3, succeededIndexes: "0-1" }] },
      },
      "[spec.successPolicy.rules[0].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of specified completions), " +
        "spec.successPolicy.rules[0].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)]",
    ],
  ];
  for (const [name, spec, expected] of rows) {
    it(name, () => expect(complaint(job(spec))).toBe(expected));
  }

  it("changed completions, but in step with its parallelism", () => {
    const of = (completions: number, parallelism = 1) =>
      chosen({ completionMode: "Indexed", completions, parallelism });
    expect(changeComplaint(of(3, 3), of(2))).toBe("");
    expect(changeComplaint(of(3), of(2))).toBe(
      "spec.completions: Invalid value: 3: can only be modified in tandem with spec.parallelism",
    );
  });

  it("another template, which is shown as upstream holds it", () => {
    const other = { ...labelled, spec: { ...never.spec, hostname: "h" } };
    expect(changeComplaint(chosen({ template: other }), chosen({}))).toMatch(
      /^spec.template: Invalid value: \{"labels":\{"a":"b"\},"Spec":\{"Volumes":null,.*"Hostname":"h",.*\}\}: field is immutable$/,
    );
  });
});

describe("a CronJob is refused for", () => {
  const cronJob = (spec: object, name = "x") =>
    sent(
      "batch/v1",
      "CronJob",
      { spec: { schedule: "* * * * *", jobTemplate: { spec: { template: never } }, ...spec } },
      name,
    );
  const schedule = (text: string, why: string) =>
    [{ schedule: text }, `spec.schedule: Invalid value: "${text}": ${why}`] as const;
  const rows = [
    schedule("61 * * * *", "end of range (61) above maximum (59): 61"),
    schedule("a * * * *", 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'),
    schedule("1-2-3 * * * *", "too many hyphens: 1-2-3"),
    schedule("*/0 * * * *", "step of range should be a positive number: */0"),
    schedule("@often", "unrecognized descriptor: @often"),
    schedule("@every x", 'failed to parse duration @every x: time: invalid duration "x"'),
    schedule("@every 5", 'failed to parse duration @every 5: time: missing unit in duration "5"'),
    schedule(
      "TZ=UTC * * * * *",
      "cannot use TZ or CRON_TZ in schedule, use timeZone field instead",
    ),
    [
      { timeZone: "Moon/Sea" },
      'spec.timeZone: Invalid value: "Moon/Sea": unknown time zone Moon/Sea',
    ],
    [
      { timeZone: "" },
      'spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string',
    ],
    [
      { jobTemplate: { spec: { template: never, selector: {} } } },
      "spec.jobTemplate.spec.selector: Invalid value: {}: `selector` will be auto-generated",
    ],
  ] as const;
  for (const [spec, expected] of rows) {
    it(expected, () => expect(complaint(cronJob(spec))).toBe(expected));
  }

  it("a long name when it is new", () => {
    const long = cronJob({}, "a".repeat(53));
    expect(complaint(long)).toMatch(/must be no more than 52 characters$/);
    expect(changeComplaint(long, long)).toBe("");
  });
});

describe("indexes of a Job", () => {
  const rows: readonly (readonly [string, number | string])[] = [
    ["", 0],
    ["0-2,4", 4],
    ["4", 1],
    ["5", 'too large index: "5"'],
    ["a", 'cannot convert string to integer for index: "a"'],
    ["2,1", "non-increasing order, previous: 2, current: 1"],
    ["2-2", "non-increasing order, previous: 2, current: 2"],
    [
      "1-2-3",
      "the fragment \"1-2-3\" violates the requirement that an index interval can have at most two parts separated by '-'",
    ],
  ];
  for (const [text, expected] of rows) {
    it(`are read: ${text || "none"}`, () => expect(readIndexes(text, 5)).toBe(expected));
  }
});
