/** Claims and volumes: which belong together, and what is said if none do. */
import { describe, expect, it } from "vitest";
import { Event } from "../../../sim/src/api/kinds/event.ts";
import { PersistentVolume } from "../../../sim/src/api/kinds/persistentvolume.ts";
import { PersistentVolumeClaim } from "../../../sim/src/api/kinds/persistentvolumeclaim.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { ServiceAccount } from "../../../sim/src/api/kinds/serviceaccount.ts";
import { StorageClass } from "../../../sim/src/api/kinds/storageclass.ts";
import { pod, testCluster } from "./cluster.ts";

type VolumeSpec = Partial<PersistentVolume["spec"]>;
type ClaimSpec = Partial<PersistentVolumeClaim["spec"]>;

function volume(name: string, storage: string, spec: VolumeSpec = {}): PersistentVolume {
  const given = { capacity: { storage }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/d" } };
  const metadata = { name };
  return { apiVersion: "v1", kind: "PersistentVolume", metadata, spec: { ...given, ...spec } };
}

function claim(name: string, storage: string, spec: ClaimSpec = {}): PersistentVolumeClaim {
  const resources = { requests: { storage } };
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name, namespace: "default" },
    spec: { accessModes: ["ReadWriteOnce"], storageClassName: "", resources, ...spec },
  };
}

async function settled(volumes: PersistentVolume[], claims: PersistentVolumeClaim[]) {
  const cluster = testCluster();
  cluster.start({ controllers: ["persistentvolume-binder-controller"] });
  for (const one of volumes) await cluster.make(PersistentVolume, one);
  await cluster.run(500);
  for (const one of claims) await cluster.make(PersistentVolumeClaim, one);
  await cluster.run(500);
  const state = async (name: string) => {
    const { spec, status } = await cluster.read(PersistentVolumeClaim, name);
    return `${status?.phase} ${spec.volumeName ?? ""}`.trim();
  };
  const told = async () => (await cluster.list(Event)).map((e) => `${e.reason}: ${e.message}`);
  return { ...cluster, state, told };
}

const BOTH = ["ReadWriteOnce", "ReadOnlyMany"];
const FOR_C = { namespace: "default", name: "c" };

describe("a claim", () => {
  it("gets a volume with few access modes before a smaller one", async () => {
    const volumes = [volume("small", "1Gi", { accessModes: BOTH }), volume("large", "5Gi")];
    const { state, read } = await settled(volumes, [claim("c", "1Gi")]);
    expect(await state("c")).toBe("Bound large");
    const { annotations } = (await read(PersistentVolume, "large")).metadata;
    expect(annotations).toEqual({ "pv.kubernetes.io/bound-by-controller": "yes" });
  });

  it("gets the volume that names it, if that is large enough", async () => {
    const claimRef = FOR_C;
    const volumes = [volume("a", "1Gi"), volume("mine", "9Gi", { claimRef })];
    const { state, read } = await settled(volumes, [claim("c", "1Gi")]);
    expect(await state("c")).toBe("Bound mine");
    expect((await read(PersistentVolume, "mine")).metadata.annotations).toBeUndefined();
    const small = await settled([volume("mine", "1Gi", { claimRef })], [claim("c", "2Gi")]);
    expect(await small.state("c")).toBe("Pending");
  });

  const asked: [string, VolumeSpec | undefined, ClaimSpec, string, string[]][] = [
    ["waits for a volume that is not there", undefined, {}, "Pending v", []],
    ["takes one that is there", {}, {}, "Bound v", []],
    [
      "refuses one that is too small",
      { capacity: { storage: "1Mi" } },
      {},
      "Pending v",
      ['VolumeMismatch: Cannot bind to requested volume "v": requested PV is too small'],
    ],
    [
      "refuses one of another class",
      { storageClassName: "fast" },
      {},
      "Pending v",
      ['VolumeMismatch: Cannot bind to requested volume "v": storageClassName does not match'],
    ],
    [
      "refuses one for other access",
      {},
      { accessModes: ["ReadWriteMany"] },
      "Pending v",
      ['VolumeMismatch: Cannot bind to requested volume "v": incompatible accessMode'],
    ],
    [
      "refuses one of another mode",
      {},
      { volumeMode: "Block" },
      "Pending v",
      ['VolumeMismatch: Cannot bind to requested volume "v": incompatible volumeMode'],
    ],
    [
      "leaves one to another claim",
      { claimRef: { namespace: "default", name: "other" } },
      {},
      "Pending v",
      ['FailedBinding: volume "v" already bound to a different claim.'],
    ],
  ];
  for (const [name, volumeSpec, claimSpec, state, told] of asked) {
    it(`that asks for a volume ${name}`, async () => {
      const volumes = volumeSpec ? [volume("v", "1Gi", volumeSpec)] : [];
      const one = claim("c", "1Gi", { volumeName: "v", ...claimSpec });
      const cluster = await settled(volumes, [one]);
      expect(await cluster.state("c")).toBe(state);
      expect(await cluster.told()).toEqual(told);
    });
  }

  it("is lost with its volume, and says so", async () => {
    const { act, client, run, state, told } = await settled(
      [volume("v", "1Gi")],
      [claim("c", "1Gi")],
    );
    await act(async () => {
      const found = await client.get(PersistentVolume, "", "v");
      const metadata = { ...found.metadata, finalizers: [] };
      await client.update(PersistentVolume, { ...found, metadata });
      await client.delete(PersistentVolume, "", "v");
    });
    await run(500);
    expect(await state("c")).toBe("Lost v");
    expect(await told()).toEqual([
      "ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!",
    ]);
  });

  it("says that its class is not there", async () => {
    const { told } = await settled([], [claim("c", "1Gi", { storageClassName: "fast" })]);
    expect(await told()).toEqual([
      'ProvisioningFailed: storageclass.storage.k8s.io "fast" not found',
    ]);
  });

  it("names the Pod that it waits for", async () => {
    const { make, client, act, run, told } = await settled([], []);
    const metadata = { name: "late" };
    const provisioner = "example.com/p";
    const volumeBindingMode = "WaitForFirstConsumer";
    await make(StorageClass, {
      ...{ apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata, provisioner },
      volumeBindingMode,
    });
    await make(PersistentVolumeClaim, claim("c", "1Gi", { storageClassName: "late" }));
    await run(500);
    const persistentVolumeClaim = { claimName: "c" };
    const spec = { volumes: [{ name: "d", persistentVolumeClaim }], serviceAccountName: "" };
    await act(() =>
      client.create(ServiceAccount, {
        ...{ apiVersion: "v1", kind: "ServiceAccount" },
        metadata: { name: "default", namespace: "default" },
      }),
    );
    await make(Pod, pod("p", spec));
    await act(() =>
      client.patch(PersistentVolumeClaim, "default", "c", "application/merge-patch+json", {
        metadata: { labels: { a: "b" } },
      }),
    );
    await run(500);
    expect(await told()).toEqual([
      "WaitForFirstConsumer: waiting for first consumer to be created before binding",
      "WaitForPodScheduled: waiting for pod p to be scheduled",
    ]);
  });

  it("that has another volume by now sets free the one that was chosen for it", async () => {
    const { act, client, read, run, state } = await settled(
      [volume("a", "1Gi"), volume("b", "1Gi")],
      [claim("c", "1Gi")],
    );
    expect(await state("c")).toBe("Bound a");
    const { uid } = (await read(PersistentVolumeClaim, "c")).metadata;
    await act(async () => {
      const b = await client.get(PersistentVolume, "", "b");
      const annotations = { "pv.kubernetes.io/bound-by-controller": "yes" };
      const claimRef = { kind: "PersistentVolumeClaim", ...FOR_C, uid };
      const metadata = { ...b.metadata, annotations };
      await client.update(PersistentVolume, { ...b, metadata, spec: { ...b.spec, claimRef } });
    });
    await run(500);
    const { spec, status } = await read(PersistentVolume, "b");
    expect(spec.claimRef).toBeUndefined();
    expect(status?.phase).toBe("Available");
  });
});
