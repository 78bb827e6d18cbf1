import { describe, expect, it } from "vitest";
import { changeComplaint, complaint, kindOf, sent } from "./kinds-support.ts";

type Fields = { readonly [field: string]: unknown };
type Sent = ReturnType<typeof sent>;

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must " +
  "start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

describe("PersistentVolumes", () => {
  const good = {
    capacity: { storage: "1Gi" },
    accessModes: ["ReadWriteOnce"],
    hostPath: { path: "/data" },
  };
  const { hostPath: _, ...bare } = good;
  const volume = (spec: Fields) => sent("v1", "PersistentVolume", { spec });
  const cases: [spec: Fields, told: string][] = [
    [good, ""],
    [
      {},
      "[spec.accessModes: Required value, spec.capacity: Required value, " +
        'spec.capacity: Unsupported value: null: supported values: "storage", ' +
        "spec: Required value: must specify a volume type]",
    ],
    [
      {
        ...good,
        capacity: { storage: "0", cpu: "1" },
        accessModes: ["ReadWriteOncePod", "RWX", "ReadOnlyMany"],
      },
      '[spec.accessModes: Unsupported value: "RWX": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod", ' +
        "spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes, " +
        'spec.capacity: Unsupported value: {"storage":"0","cpu":"1"}: supported values: "storage", ' +
        'spec.capacity[storage]: Invalid value: "0": must be greater than zero]',
    ],
    [
      { ...good, capacity: { storage: "-1500m" } },
      "[spec.capacity[storage]: Invalid value: -2: must be a valid resource quantity, " +
        'spec.capacity[storage]: Invalid value: "-1500m": must be greater than zero]',
    ],
    [
      { ...good, persistentVolumeReclaimPolicy: "Keep", volumeMode: "Raw", storageClassName: "A" },
      '[spec.persistentVolumeReclaimPolicy: Unsupported value: "Keep": supported values: "Delete", "Recycle", "Retain", ' +
        `spec.storageClassName: Invalid value: "A": ${subdomain}, ` +
        'spec.volumeMode: Unsupported value: "Raw": supported values: "Block", "Filesystem"]',
    ],
    [
      { ...good, hostPath: { path: "/a/../b", type: "Disk" }, nfs: { server: "s", path: "/" } },
      "[spec.hostPath.path: Invalid value: \"/a/../b\": must not contain '..', " +
        'spec.hostPath.type: Unsupported value: "Disk": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket", ' +
        "spec.nfs: Forbidden: may not specify more than 1 volume type]",
    ],
    [
      { ...good, hostPath: { path: "/" }, persistentVolumeReclaimPolicy: "Recycle" },
      "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
    ],
    [
      { ...bare, nfs: { server: "", path: "" } },
      "[spec.nfs.server: Required value, spec.nfs.path: Required value, " +
        'spec.nfs.path: Invalid value: "": must be an absolute path]',
    ],
    [
      { ...bare, local: { path: "/d" } },
      "spec.nodeAffinity: Required value: Local volume requires node affinity",
    ],
    [
      { ...bare, local: { path: "/d" }, nodeAffinity: {} },
      "spec.nodeAffinity.required: Required value: must specify required node constraints",
    ],
    [
      { ...bare, local: { path: "/d" }, nodeAffinity: { required: { nodeSelectorTerms: [] } } },
      "spec.nodeAffinity.required.nodeSelectorTerms: Required value: must have at least one node selector term",
    ],
    [
      { ...bare, csi: { driver: "", volumeHandle: "", nodePublishSecretRef: { name: "a" } } },
      `[spec.csi.driver: Required value, spec.csi.driver: Invalid value: "": ${subdomain}, ` +
        "spec.csi.volumeHandle: Required value, spec.csi.nodePublishSecretRef.namespace: Required value]",
    ],
    [
      { ...good, volumeAttributesClassName: "" },
      "[spec.volumeAttributesClassName: Required value: an empty string is disallowed, " +
        "spec.csi: Required value: has to be specified when using volumeAttributesClassName]",
    ],
    [{ ...bare, awsElasticBlockStore: {} }, "spec.awsElasticBlockStore.volumeID: Required value"],
    [{ ...bare, gcePersistentDisk: {} }, "spec.persistentDisk.pdName: Required value"],
  ];
  it.each(cases)("are told what is wrong: %j", (spec, told) => {
    expect(complaint(volume(spec))).toBe(told);
  });

  it("keep their source, mode and place; all else may change", () => {
    const nodes = (name: string) => ({
      required: {
        nodeSelectorTerms: [
          { matchFields: [{ key: "metadata.name", operator: "In", values: [name] }] },
        ],
      },
    });
    const old = volume({ ...good, nodeAffinity: nodes("a") });
    const free = {
      persistentVolumeReclaimPolicy: "Delete",
      storageClassName: "b",
      mountOptions: ["ro"],
    };
    expect(changeComplaint(volume({ ...good, ...free, nodeAffinity: nodes("a") }), old)).toBe("");
    const told = changeComplaint(
      volume({ ...good, hostPath: { path: "/x" }, volumeMode: "Block", nodeAffinity: nodes("b") }),
      old,
    );
    expect(told).toBe(
      "[spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n" +
        '@@ -2,7 +2,7 @@\n  "GCEPersistentDisk": null,\n  "AWSElasticBlockStore": null,\n  "HostPath": {\n' +
        '-  "Path": "/data",\n+  "Path": "/x",\n   "Type": ""\n  },\n  "Glusterfs": null,\n, ' +
        'volumeMode: Invalid value: "Block": field is immutable, ' +
        'nodeAffinity: Invalid value: {"Required":{"NodeSelectorTerms":[{"MatchExpressions":null,"MatchFields":[{"Key":"metadata.name","Operator":"In","Values":["b"]}]}]}}: field is immutable]',
    );
  });

  it("may learn a secret to grow with, and where they are", () => {
    const csi = { driver: "d", volumeHandle: "h" };
    const secret = { name: "a", namespace: "b" };
    const nodeAffinity = { required: { nodeSelectorTerms: [{}] } };
    const next = volume({
      ...bare,
      csi: { ...csi, controllerExpandSecretRef: secret },
      nodeAffinity,
    });
    expect(changeComplaint(next, volume({ ...bare, csi }))).toBe("");
  });

  it("are Pending from their creation on", () => {
    const made = {
      ...volume(good),
      metadata: { name: "x", creationTimestamp: "2026-01-01T00:00:00Z" },
    };
    expect(kindOf("v1", "PersistentVolume").strategy.prepareForCreate(made as Sent)).toHaveProperty(
      "status",
      { phase: "Pending", lastPhaseTransitionTime: "2026-01-01T00:00:00Z" },
    );
  });
});

describe("PersistentVolumeClaims", () => {
  const good = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "2Gi" } } };
  const claim = (spec: Fields, more: Fields = {}) =>
    sent("v1", "PersistentVolumeClaim", { spec, ...more });
  const cases: [spec: Fields, told: string][] = [
    [good, ""],
    [
      {},
      "[spec.accessModes: Required value: at least 1 access mode is required, spec.resources[storage]: Required value]",
    ],
    [
      { ...good, accessModes: ["RWO"], resources: { requests: { storage: "0" } } },
      '[spec.accessModes: Unsupported value: "RWO": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod", ' +
        'spec.resources[storage]: Invalid value: "0": must be greater than zero]',
    ],
    [
      {
        ...good,
        selector: { matchExpressions: [{ key: "a", operator: "In" }] },
        storageClassName: "A_",
      },
      "[spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn', " +
        `spec.storageClassName: Invalid value: "A_": ${subdomain}]`,
    ],
    [
      { ...good, volumeMode: "Raw", dataSourceRef: { kind: "Pod", name: "" } },
      '[spec.volumeMode: Unsupported value: "Raw": supported values: "Block", "Filesystem", ' +
        "spec.dataSource.name: Required value, " +
        "spec.dataSource: Invalid value: \"Pod\": must be 'PersistentVolumeClaim' when referencing the default apiGroup, " +
        "spec.dataSourceRef.name: Required value, " +
        "spec.dataSourceRef: Invalid value: \"Pod\": must be 'PersistentVolumeClaim' when referencing the default apiGroup]",
    ],
    [
      {
        ...good,
        dataSource: { kind: "PersistentVolumeClaim", name: "a" },
        dataSourceRef: { kind: "PersistentVolumeClaim", name: "b" },
      },
      'spec: Invalid value: "spec.dataSource": must match dataSourceRef',
    ],
  ];
  it.each(cases)("are told what is wrong: %j", (spec, told) => {
    expect(complaint(claim(spec))).toBe(told);
  });

  const bound = { status: { phase: "Bound", capacity: { storage: "2Gi" } } };
  const sized = (storage: string) => ({ ...good, resources: { requests: { storage } } });

  it("grow when they are bound, and never shrink below what they have", () => {
    expect(changeComplaint(claim(sized("3Gi"), bound), claim(good, bound))).toBe("");
    expect(changeComplaint(claim(sized("1Gi"), bound), claim(good, bound))).toBe(
      "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity",
    );
    expect(changeComplaint(claim(sized("3Gi"), bound), claim(sized("4Gi"), bound))).toBe("");
  });

  it("change nothing else, and show what changed", () => {
    expect(changeComplaint(claim(sized("3Gi")), claim(good))).toBe(
      "spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n" +
        '@@ -6,7 +6,7 @@\n  "Resources": {\n   "Limits": null,\n   "Requests": {\n' +
        '-   "storage": "2Gi"\n+   "storage": "3Gi"\n   }\n  },\n  "VolumeName": "",\n',
    );
    const told = changeComplaint(
      claim({ ...good, volumeMode: "Block", volumeName: "v" }, bound),
      claim(good, bound),
    );
    expect(told).toContain('volumeMode: Invalid value: "Block": field is immutable]');
    expect(told).toContain('\n  "VolumeName": "v",\n');
  });

  it("get a volume's name and a class late, but once", () => {
    expect(
      changeComplaint(claim({ ...good, volumeName: "v", storageClassName: "s" }), claim(good)),
    ).toBe("");
    const named = claim({ ...good, storageClassName: "s" });
    expect(changeComplaint(claim({ ...good, storageClassName: "t" }), named)).toContain(
      "spec is immutable",
    );
  });

  it("move their class from the annotation into the field", () => {
    const old = "volume.beta.kubernetes.io/storage-class";
    const noted = (spec: Fields, name: string) => {
      const object = claim(spec);
      return { ...object, metadata: { ...object.metadata, annotations: { [old]: name } } };
    };
    expect(changeComplaint(claim({ ...good, storageClassName: "s" }), noted(good, "s"))).toBe("");
    expect(changeComplaint(noted(good, "t"), noted(good, "s"))).toBe(
      `metadata.annotations.${old}: Invalid value: "t": field is immutable`,
    );
  });

  it("keep to have some class of attributes", () => {
    const field = "volumeAttributesClassName";
    const old = claim({ ...good, [field]: "a" });
    expect(changeComplaint(claim({ ...good, [field]: "b" }), old)).toBe("");
    expect(changeComplaint(claim(good), old)).toBe(
      `spec.${field}: Forbidden: update from non-nil value to nil is forbidden`,
    );
    expect(changeComplaint(claim({ ...good, [field]: "" }), old)).toBe(
      `spec.${field}: Forbidden: update from non-nil value to an empty string is forbidden`,
    );
  });

  it("have one source in both fields; the old one takes claims and snapshots alone", () => {
    const { strategy } = kindOf("v1", "PersistentVolumeClaim");
    const made = (spec: Fields) => {
      const { dataSource, dataSourceRef } = (
        strategy.prepareForCreate(claim(spec)) as Sent & { spec: Fields }
      ).spec;
      return [dataSource, dataSourceRef];
    };
    const source = { kind: "PersistentVolumeClaim", name: "a" };
    expect(made({ dataSource: source })).toEqual([source, source]);
    const other = { apiGroup: "e.x", kind: "Backup", name: "a" };
    expect(made({ dataSource: other })).toEqual([undefined, undefined]);
    expect(made({ dataSourceRef: other })).toEqual([other, other]);
    expect(made({ dataSourceRef: { ...source, namespace: "b" } })).toEqual([undefined, undefined]);
  });
});
