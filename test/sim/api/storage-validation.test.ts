import { describe, expect, it } from "vitest";
import { changeComplaint, complaint, kindOf, sent } from "./kinds-support.ts";

type Fields = { readonly [field: string]: unknown };

const v1 = "storage.k8s.io/v1";
const qualified = (name: string) =>
  `"${name}": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`;
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must " +
  "start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

describe("StorageClasses", () => {
  const made = (fields: Fields) => sent(v1, "StorageClass", { provisioner: "e.x/p", ...fields });
  const term = (...matchLabelExpressions: Fields[]) => ({ matchLabelExpressions });
  const cases: [fields: Fields, told: string][] = [
    [{ provisioner: "A B" }, `provisioner: Invalid value: ${qualified("a b")}`],
    [{ parameters: { "": "x" } }, 'parameters: Invalid value: "": field can not be empty.'],
    [
      { parameters: { a: "x".repeat(262_144) } },
      "parameters: Too long: may not be more than 262144 bytes",
    ],
    [
      { reclaimPolicy: "Recycle", volumeBindingMode: "Later" },
      '[reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain", ' +
        'volumeBindingMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"]',
    ],
    [
      {
        allowedTopologies: [
          term({ key: "zone", values: ["a", "a"] }, { key: "zone", values: [] }),
          term({ key: "rack", values: ["a", "b"] }),
          term({ key: "rack", values: ["b", "a"] }),
        ],
      },
      '[allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: "a", ' +
        "allowedTopologies[0].matchLabelExpressions[1].values: Required value, " +
        'allowedTopologies[0].matchLabelExpressions[1].key: Duplicate value: "zone", ' +
        'allowedTopologies[2].matchLabelExpressions: Duplicate value: ""]',
    ],
  ];
  it.each(cases)("are told what is wrong: %j", (fields, told) => {
    expect(complaint(made(fields))).toBe(told);
  });

  it("keep what their volumes were made with", () => {
    const next = { parameters: { a: "b" }, reclaimPolicy: "Retain", mountOptions: ["ro"] };
    const mode = { volumeBindingMode: "WaitForFirstConsumer" };
    expect(changeComplaint(made({ ...next, ...mode }), made({}))).toBe(
      "[parameters: Forbidden: updates to parameters are forbidden., " +
        "reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden., " +
        'volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable]',
    );
  });
});

describe("VolumeAttributesClasses", () => {
  it("name a driver and something that it understands, for good", () => {
    const made = (fields: Fields) => sent(v1, "VolumeAttributesClass", fields);
    expect(complaint(made({}))).toBe(
      "[driverName: Required value, parameters: Required value: must contain at least one key/value pair]",
    );
    const good = { driverName: "d", parameters: { a: "b" } };
    expect(changeComplaint(made({ ...good, driverName: "e" }), made(good))).toBe(
      "driverName: Forbidden: updates to driverName are forbidden.",
    );
  });
});

describe("CSIDrivers", () => {
  const made = (spec: Fields) => sent(v1, "CSIDriver", { spec });
  const cases: [spec: Fields, told: string][] = [
    [
      { fsGroupPolicy: "All", volumeLifecycleModes: ["Long"] },
      '[spec.fsGroupPolicy: Unsupported value: "All": supported values: "File", "None", "ReadWriteOnceWithFSType", ' +
        'spec.volumeLifecycleModes: Unsupported value: "Long": supported values: "Persistent", "Ephemeral"]',
    ],
    [
      {
        tokenRequests: [
          { audience: "a", expirationSeconds: 599 },
          { audience: "a", expirationSeconds: 1 },
          { audience: "b", expirationSeconds: 2 ** 32 + 1 },
        ],
      },
      "[spec.tokenRequests[0].expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes, " +
        'spec.tokenRequests[1].audience: Duplicate value: "a", ' +
        "spec.tokenRequests[2].expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds]",
    ],
    [
      { nodeAllocatableUpdatePeriodSeconds: 9 },
      "spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to 10 seconds",
    ],
  ];
  it.each(cases)("are told what is wrong: %j", (spec, told) => {
    expect(complaint(made(spec))).toBe(told);
  });

  it("keep how they attach and what volumes they have", () => {
    const next = made({ attachRequired: false, volumeLifecycleModes: ["Ephemeral"] });
    expect(changeComplaint(next, made({}))).toBe(
      "[spec.attachedRequired: Invalid value: false: field is immutable, " +
        'spec.volumeLifecycleModes: Invalid value: ["Ephemeral"]: field is immutable]',
    );
    expect(changeComplaint(made({ podInfoOnMount: true }), made({}))).toBe("");
  });
});

describe("CSINodes", () => {
  const made = (...drivers: Fields[]) => sent(v1, "CSINode", { spec: { drivers } });
  const driver = { name: "d", nodeID: "n" };

  it("are told what is wrong", () => {
    const told = complaint(
      made(driver, { name: "d", nodeID: "" }, { ...driver, name: "e", topologyKeys: ["a", "a"] }),
    );
    expect(told).toBe(
      '[spec.drivers[1].nodeID: Required value, spec.drivers[1].name: Duplicate value: "d", ' +
        'spec.drivers[2]: Duplicate value: "a"]',
    );
    expect(complaint(made({ ...driver, nodeID: "x".repeat(257) }))).toContain(
      "must be 256 characters or less",
    );
  });

  it("change of a driver only what it can take", () => {
    const some = { allocatable: { count: 3 } };
    expect(changeComplaint(made({ ...driver, ...some }), made(driver))).toBe("");
    expect(changeComplaint(made({ ...driver, nodeID: "m" }), made(driver))).toBe(
      'spec.drivers: Invalid value: {"Name":"d","NodeID":"m","TopologyKeys":null,"Allocatable":null}: field is immutable',
    );
  });
});

describe("VolumeAttachments", () => {
  const made = (spec: Fields) => sent(v1, "VolumeAttachment", { spec });
  const good = { attacher: "e.x", nodeName: "n", source: { persistentVolumeName: "v" } };

  it("are told what is wrong", () => {
    expect(complaint(made(good))).toBe("");
    expect(complaint(made({ ...good, nodeName: "", source: { persistentVolumeName: "" } }))).toBe(
      "[spec.source.persistentVolumeName: Required value: must specify non empty persistentVolumeName, " +
        `spec.nodeName: Invalid value: "": ${subdomain}, ` +
        `spec.source.persistentVolumeName: Invalid value: "": ${subdomain}]`,
    );
    const both = { persistentVolumeName: "v", inlineVolumeSpec: {} };
    expect(complaint(made({ ...good, source: both }))).toBe(
      "spec.source: Forbidden: must specify exactly one of inlineVolumeSpec and persistentVolumeName",
    );
  });
});

it("kinds of storage that one component writes are changed from their newest version alone", () => {
  for (const kind of ["CSIDriver", "CSINode", "CSIStorageCapacity", "VolumeAttachment"])
    expect(kindOf(v1, kind).strategy.allowUnconditionalUpdate).toBe(false);
});

it("a CSIStorageCapacity names a class and holds no less than nothing", () => {
  const made = (fields: Fields) => sent(v1, "CSIStorageCapacity", fields);
  expect(complaint(made({ storageClassName: "", capacity: "-1" }))).toBe(
    `[storageClassName: Invalid value: "": ${subdomain}, ` +
      'capacity: Invalid value: "-1": must be greater than or equal to 0]',
  );
});
