import { describe, expect, it } from "vitest";
import { fieldErrorText } from "../../../sim/src/api/field-error.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import { changeComplaint, complaint, kindOf, sent, template } from "./kinds-support.ts";

type Fields = { readonly [field: string]: unknown };

const named = (object: KubeObject, name: string) => ({
  ...object,
  metadata: { ...object.metadata, name },
});

describe("PriorityClasses", () => {
  const made = (fields: Fields, name = "x") =>
    named(sent("scheduling.k8s.io/v1", "PriorityClass", fields), name);
  const reserved =
    "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error:";
  const cases: [object: KubeObject, told: string][] = [
    [made({ value: 2_000_000_000 }, "system-cluster-critical"), ""],
    [
      made({ value: 1 }, "system-mine"),
      `${reserved} system-mine is not a known system priority class`,
    ],
    [
      made({ value: 1 }, "system-node-critical"),
      `${reserved} value of system-node-critical PriorityClass must be 2000001000`,
    ],
    [
      made({ value: 2_000_001_000, globalDefault: true }, "system-node-critical"),
      `${reserved} globalDefault of system-node-critical PriorityClass must be false`,
    ],
    [
      made({ value: 1, preemptionPolicy: "Always" }),
      'preemptionPolicy: Unsupported value: "Always": supported values: "PreemptLowerPriority", "Never"',
    ],
  ];
  it.each(cases)("are told what is wrong: %j", (object, told) => {
    expect(complaint(object)).toBe(told);
  });

  it("keep their value, of which they are told alone", () => {
    const told = changeComplaint(made({ value: 2_000_000_000 }), made({ value: 1 }));
    expect(told).toBe("value: Forbidden: may not be changed in an update.");
  });
});

describe("RuntimeClasses", () => {
  const made = (fields: Fields) =>
    sent("node.k8s.io/v1", "RuntimeClass", { handler: "h", ...fields });

  it("are told what is wrong", () => {
    expect(complaint(made({ overhead: { podFixed: { cpu: "-1" } } }))).toBe(
      'overhead.podFixed.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
    );
    const toleration = { key: "a", operator: "Exists" };
    expect(complaint(made({ scheduling: { tolerations: [toleration, toleration] } }))).toBe(
      'scheduling.tolerations[1]: Duplicate value: {"Key":"a","Operator":"Exists","Value":"","Effect":"","TolerationSeconds":null}',
    );
    expect(complaint(made({ scheduling: { nodeSelector: { "a b": "" } } }))).toContain(
      'scheduling.nodeSelector: Invalid value: "a b"',
    );
  });

  it("keep their handler", () => {
    expect(changeComplaint(made({ handler: "i" }), made({}))).toBe(
      'handler: Invalid value: "i": field is immutable',
    );
  });
});

describe("Endpoints", () => {
  it("are told what is wrong", () => {
    const subsets = [
      {},
      {
        addresses: [
          { ip: "x", hostname: "a.b" },
          { ip: "127.0.0.1", nodeName: "n" },
        ],
        ports: [{ port: 0 }, { name: "b", port: 1, protocol: "ICMP" }],
      },
    ];
    expect(complaint(sent("v1", "Endpoints", { subsets }))).toBe(
      "[subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`, " +
        'subsets[1].addresses[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff), ' +
        'subsets[1].addresses[0].hostname: Invalid value: "a.b": must not contain dots, ' +
        'subsets[1].addresses[0].ip: Invalid value: "x": must be a valid IP address, ' +
        'subsets[1].addresses[1].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128), ' +
        "subsets[1].ports[0].name: Required value, " +
        "subsets[1].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive, " +
        'subsets[1].ports[1].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"]',
    );
  });
});

describe("Events", () => {
  const about = (namespace: string) => ({ involvedObject: { kind: "Pod", name: "p", namespace } });
  const eventTime = "2026-01-01T00:00:00.000000Z";
  const whole = {
    eventTime,
    ...{ regarding: { namespace: "default" }, reason: "R", action: "A", type: "Normal" },
    ...{ reportingController: "e.x/c", reportingInstance: "c-1" },
  };
  const event = (fields: Fields) => sent("events.k8s.io/v1", "Event", fields);

  it("of the core group live where their object lives", () => {
    expect(complaint(sent("v1", "Event", about("default")))).toBe("");
    expect(complaint(sent("v1", "Event", about("")))).toBe("");
    expect(complaint(sent("v1", "Event", about("other")))).toBe(
      'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
    );
  });

  it("with a time of their own say who reports what", () => {
    expect(complaint(sent("v1", "Event", { ...about("other"), eventTime }))).toBe(
      "[reportingComponent: Required value, " +
        'reportingComponent: Invalid value: "": name part must be non-empty, ' +
        "reportingComponent: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), " +
        "reportingInstance: Required value, action: Required value, reason: Required value]",
    );
  });

  it("of events.k8s.io are whole", () => {
    expect(complaint(event(whole))).toBe("");
    const { eventTime: _, ...timeless } = whole;
    expect(complaint(event({ ...timeless, type: "Odd", deprecatedCount: 1 }))).toBe(
      '[eventTime: Required value, type: Invalid value: "": has invalid value: Odd, ' +
        'count: Invalid value: "": needs to be unset]',
    );
    expect(complaint(event({ ...whole, note: "x".repeat(1025), series: { count: 1 } }))).toBe(
      '[message: Invalid value: "": can have at most 1024 characters, ' +
        'series.count: Invalid value: "": should be at least 2, series.lastObservedTime: Required value]',
    );
  });

  it("of events.k8s.io change in their series alone", () => {
    const series = { count: 2, lastObservedTime: eventTime };
    expect(changeComplaint(event({ ...whole, series }), event(whole))).toBe("");
    expect(changeComplaint(event({ ...whole, note: "n" }), event(whole))).toBe(
      'message: Invalid value: "n": field is immutable',
    );
  });
});

describe("ControllerRevisions", () => {
  it("have data", () => {
    expect(complaint(sent("apps/v1", "ControllerRevision", { revision: -1 }))).toBe(
      "[data: Required value: data is mandatory, revision: Invalid value: -1: must be greater than or equal to 0]",
    );
  });
});

describe("ReplicationControllers", () => {
  it("have no more Pods available than ready, nor ready than there are", () => {
    const kind = kindOf("v1", "ReplicationController");
    const spec = { selector: { app: "web" }, template };
    const made = sent("v1", "ReplicationController", { spec });
    const old = { ...made, metadata: { ...made.metadata, resourceVersion: "1" } };
    const status = { replicas: 1, readyReplicas: 2, availableReplicas: 3 };
    const told = kind.validateStatusUpdate({ ...old, status } as KubeObject, old);
    expect(told.map(fieldErrorText)).toEqual([
      "status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas",
      "status.availableReplicas: Invalid value: 3: cannot be greater than status.replicas",
      "status.availableReplicas: Invalid value: 3: cannot be greater than readyReplicas",
    ]);
  });
});

describe("Leases", () => {
  const lease = (spec: Fields) => sent("coordination.k8s.io/v1", "Lease", { spec });
  const cases: [spec: Fields, told: string][] = [
    // Who lets go of a Lease writes nobody in.
    [{ holderIdentity: "" }, ""],
    [
      { preferredHolder: "a" },
      "spec.preferredHolder: Forbidden: may only be specified if `strategy` is defined",
    ],
    [
      { strategy: "Newest", preferredHolder: "a" },
      'spec.strategy.strategy: Unsupported value: "Newest": supported values: "OldestEmulationVersion"',
    ],
    [{ strategy: "e.x/Newest", preferredHolder: "a" }, ""],
    [
      { strategy: "/x" },
      'spec.strategy.strategy: Invalid value: "/x": prefix part must be non-empty',
    ],
  ];
  it.each(cases)("are told what is wrong: %j", (spec, told) => {
    expect(complaint(lease(spec))).toBe(told);
  });
});
