/** Volumes in scheduling: plugins over given claims, volumes and classes. */
import { describe, expect, it } from "vitest";
import type { PersistentVolume } from "../../../sim/src/api/kinds/persistentvolume.ts";
import type { PersistentVolumeClaim } from "../../../sim/src/api/kinds/persistentvolumeclaim.ts";
import type { StorageClass } from "../../../sim/src/api/kinds/storageclass.ts";
import { defaultProfile } from "../../../sim/src/scheduler/profile.ts";
import { worldOf } from "../../vectors-harness/scheduler-world.ts";
import { nodeOf, podOf } from "./objects.ts";

const ZONE = "topology.kubernetes.io/zone";

function claimOf(spec: Partial<PersistentVolumeClaim["spec"]>, bound = false) {
  const annotations = bound ? { "pv.kubernetes.io/bind-completed": "yes" } : undefined;
  const claim: PersistentVolumeClaim = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data", namespace: "default", annotations },
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
      ...spec,
    },
  };
  return claim;
}

function volumeOf(name: string, zone: string, storage = "1Gi"): PersistentVolume {
  const expression = { key: ZONE, operator: "In", values: [zone] };
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage },
      storageClassName: "local",
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [expression] }] },
      },
    },
    status: { phase: "Available" },
  };
}

const localClass: StorageClass = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: "local" },
  provisioner: "kubernetes.io/no-provisioner",
  volumeBindingMode: "WaitForFirstConsumer",
};

const pod = podOf("db", {
  spec: { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] },
});

interface Given {
  claim?: PersistentVolumeClaim;
  volumes?: PersistentVolume[];
  storageClass?: StorageClass;
  limit?: number;
}

/** What becomes of the Pod on Node "a" (zone a) and Node "b" (zone b). */
function verdicts({ claim, volumes = [], storageClass, limit }: Given): Record<string, string> {
  const nodes = ["a", "b"].map((zone) => nodeOf(zone, { labels: { [ZONE]: zone } }));
  const drivers = [{ name: "disk.csi", nodeID: "x", allocatable: { count: limit } }];
  const world = worldOf(defaultProfile, nodes, [], {
    claim: () => claim,
    volume: (name) => volumes.find(({ metadata }) => metadata.name === name),
    volumes: () => volumes,
    storageClass: () => storageClass,
    csiNode: (name) =>
      limit === undefined
        ? undefined
        : { apiVersion: "v1", kind: "CSINode", metadata: { name }, spec: { drivers } },
  });
  const cycle = world.cycleFor(pod);
  const refusal = world.runtime.preFilter(cycle);
  if (refusal) return { all: refusal.reasons.join() };
  const all = cycle.snapshot.nodes.map((node) => [
    node.name,
    world.runtime.filter(cycle, node)?.reasons.join() ?? "fits",
  ]);
  return Object.fromEntries(all);
}

const NO_AFFINITY = "node(s) didn't match PersistentVolume's node affinity";
const NONE_FREE = "node(s) didn't find available persistent volumes to bind";

describe("volumes in scheduling", () => {
  it("refuses a Pod whose claim does not exist", () => {
    expect(verdicts({})).toEqual({ all: 'persistentvolumeclaim "data" not found' });
  });

  it("waits for the volume controller if the class binds at once", () => {
    const reason = "pod has unbound immediate PersistentVolumeClaims";
    expect(verdicts({ claim: claimOf({}) })).toEqual({ all: reason });
  });

  it("sends a Pod where its bound volume is", () => {
    const claim = claimOf({ volumeName: "v" }, true);
    expect(verdicts({ claim, volumes: [volumeOf("v", "b")] })).toEqual({
      a: NO_AFFINITY,
      b: "fits",
    });
  });

  it("reads the class where it was named before there was a field for it", () => {
    const old = "volume.beta.kubernetes.io/storage-class";
    const annotated = (spec: Partial<PersistentVolumeClaim["spec"]>, name = "local") => {
      const claim = claimOf(spec);
      return { ...claim, metadata: { ...claim.metadata, annotations: { [old]: name } } };
    };
    const volumes = [volumeOf("v", "b")];
    const given = { volumes, storageClass: localClass };
    const inB = { a: NONE_FREE, b: "fits" };
    expect(verdicts({ ...given, claim: annotated({}) })).toEqual(inB);
    // It comes before the field, of volumes too.
    expect(verdicts({ ...given, claim: annotated({ storageClassName: "fast" }) })).toEqual(inB);
    const [volume] = volumes as [PersistentVolume];
    const metadata = { ...volume.metadata, annotations: { [old]: "other" } };
    expect(
      verdicts({ ...given, volumes: [{ ...volume, metadata }], claim: annotated({}) }),
    ).toEqual({ a: NONE_FREE, b: NONE_FREE });
    const storageClass = { ...localClass, metadata: { name: "fast" }, provisioner: "disk.csi" };
    const limited = { claim: annotated({}, "fast"), storageClass, limit: 0 };
    expect(Object.values(verdicts(limited))).toEqual([
      "node(s) exceed max volume count",
      "node(s) exceed max volume count",
    ]);
  });

  it("finds a free volume for a claim that waits for its first consumer", () => {
    const claim = claimOf({ storageClassName: "local" });
    const volumes = [volumeOf("small", "a", "500Mi"), volumeOf("enough", "b", "2Gi")];
    expect(verdicts({ claim, volumes, storageClass: localClass })).toEqual({
      a: NONE_FREE,
      b: "fits",
    });
  });

  it("has a volume made where the class's topologies allow it", () => {
    const claim = claimOf({ storageClassName: "fast" });
    const allowedTopologies = [{ matchLabelExpressions: [{ key: ZONE, values: ["a"] }] }];
    const storageClass = { ...localClass, provisioner: "disk.csi", allowedTopologies };
    expect(verdicts({ claim, storageClass })).toEqual({ a: "fits", b: NONE_FREE });
  });

  it("keeps to the number of volumes that a driver attaches", () => {
    const claim = claimOf({ volumeName: "v" }, true);
    const { nodeAffinity: _, ...spec } = volumeOf("v", "a").spec;
    const csi = { driver: "disk.csi", volumeHandle: "h" };
    const volumes = [{ ...volumeOf("v", "a"), spec: { ...spec, csi } }];
    const refusal = "node(s) exceed max volume count";
    expect(verdicts({ claim, volumes, limit: 0 })).toEqual({ a: refusal, b: refusal });
    expect(verdicts({ claim, volumes, limit: 1 })).toEqual({ a: "fits", b: "fits" });
  });

  it("keeps to the zone that a volume's labels name", () => {
    const claim = claimOf({ volumeName: "v" }, true);
    const { nodeAffinity: _, ...spec } = volumeOf("v", "a").spec;
    const metadata = { name: "v", labels: { [ZONE]: "a__c" } };
    const volumes = [{ ...volumeOf("v", "a"), metadata, spec }];
    expect(verdicts({ claim, volumes })).toEqual({
      a: "fits",
      b: "node(s) had no available volume zone",
    });
  });
});
