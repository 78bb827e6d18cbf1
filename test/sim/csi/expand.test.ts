/** A volume is made larger: by the driver, then by the node, and never smaller. */
import { describe, expect, it } from "vitest";
import { list, obj, str } from "../../../sim/src/api/kinds/access.ts";
import { isReady, type World, world } from "../misconceptions/world.ts";
import { CLAIM } from "./claim.ts";

const POD = `apiVersion: v1
kind: Pod
metadata: { name: a }
spec:
  terminationGracePeriodSeconds: 1
  containers: [{ name: c, image: "nginx:1.27", volumeMounts: [{ name: d, mountPath: /data }] }]
  volumes: [{ name: d, persistentVolumeClaim: { claimName: data } }]
---
`;

async function started(): Promise<World> {
  const w = world({ nodes: 1, storage: true });
  await w.until(5);
  await w.apply(CLAIM + POD);
  await w.more(30);
  expect(isReady(w.object("pods", "a")!)).toBe(true);
  return w;
}

const ask = (w: World, storage: string) =>
  w.kubectl(
    `patch pvc data -p ${JSON.stringify({ spec: { resources: { requests: { storage } } } })}`,
  );
const claim = (w: World) => obj(w.object("persistentvolumeclaims", "data"));
const state = (w: World) => {
  const { capacity, allocatedResources, allocatedResourceStatuses, conditions } = obj(
    claim(w).status,
  );
  return {
    capacity: obj(capacity).storage,
    allocated: obj(allocatedResources).storage,
    turn: obj(allocatedResourceStatuses).storage,
    conditions: list(conditions).map(({ type, status }) => `${str(type)}=${str(status)}`),
  };
};
const volume = (w: World) => obj(w.objects("persistentvolumes", "")[0]);
const EXPANSION = /Expand|Resiz/;
/** [object, component, message] of the Events of this expansion, in order. */
const told = (w: World) =>
  w
    .objects("events")
    .map(obj)
    .filter(({ reason }) => EXPANSION.test(str(reason)))
    .toSorted((a, b) => (str(a.firstTimestamp) < str(b.firstTimestamp) ? -1 : 1))
    .map(({ involvedObject, source, type, reason, message }) => [
      ...[str(obj(involvedObject).kind), str(obj(source).component)],
      ...[`${str(type)} ${str(reason)}`, str(message)],
    ]);
const calls = (w: World) => w.entries("csi").map(({ subject }) => subject);

describe("a claim that asks for more", () => {
  it("gets it while its Pod runs: the driver first, then the node", async () => {
    const w = await started();
    expect(await ask(w, "3Gi")).toBe("persistentvolumeclaim/data patched");
    await w.more(0.5);
    expect(state(w)).toEqual({
      ...{ capacity: "2Gi", allocated: "3Gi", turn: "ControllerResizeInProgress" },
      conditions: ["Resizing=True"],
    });
    await w.more(2);
    expect(state(w)).toEqual({
      ...{ capacity: "2Gi", allocated: "3Gi", turn: "NodeResizePending" },
      conditions: ["FileSystemResizePending=True"],
    });
    expect(obj(list(obj(claim(w).status).conditions)[0]).message).toBe(
      "Waiting for user to (re-)start a pod to finish file system resize of volume on node.",
    );
    expect(obj(obj(volume(w).spec).capacity).storage).toBe("3Gi");
    const old = "volume.alpha.kubernetes.io/pre-resize-capacity";
    expect(obj(obj(volume(w).metadata).annotations)[old]).toBe("2Gi");
    await w.more(100);
    const done = { capacity: "3Gi", allocated: "3Gi", turn: undefined, conditions: [] };
    expect(state(w)).toEqual(done);
    expect(obj(obj(volume(w).metadata).annotations)[old]).toBeUndefined();
    const name = str(obj(volume(w).metadata).name);
    const grown = `MountVolume.NodeExpandVolume succeeded for volume "${name}" node-1`;
    const resizer = "external-resizer disk.csi.example";
    const [kind, success] = ["PersistentVolumeClaim", "Normal FileSystemResizeSuccessful"];
    expect(told(w).toSorted()).toEqual(
      [
        [
          ...[kind, "volume_expand", "Normal ExternalExpanding"],
          "waiting for an external controller to expand this PVC",
        ],
        [kind, resizer, "Normal Resizing", `External resizer is resizing volume ${name}`],
        [
          ...[kind, resizer, "Normal FileSystemResizeRequired"],
          "Require file system resize of volume on node",
        ],
        ["Pod", "kubelet", success, grown],
        [kind, "kubelet", success, grown],
      ].toSorted(),
    );
    expect(calls(w).slice(-2)).toEqual(["ControllerExpandVolume", "NodeExpandVolume"]);
  });

  it("without a Pod waits for one: the file system follows as it is mounted", async () => {
    const w = await started();
    await w.kubectl("delete pod a");
    await w.more(20);
    await ask(w, "3Gi");
    await w.more(120);
    expect(state(w)).toMatchObject({ capacity: "2Gi", turn: "NodeResizePending" });
    const before = calls(w).length;
    await w.apply(POD);
    await w.more(30);
    expect(state(w)).toMatchObject({ capacity: "3Gi", conditions: [] });
    expect(calls(w).slice(before)).toEqual([
      ...["ControllerPublishVolume", "NodeStageVolume"],
      ...["NodeExpandVolume", "NodePublishVolume"],
    ]);
  });

  it("is told when no disk is so large, and may take its wish back", async () => {
    const w = await started();
    await ask(w, "20Ti");
    await w.more(5);
    expect(state(w)).toEqual({
      ...{ capacity: "2Gi", allocated: "20Ti", turn: "ControllerResizeInfeasible" },
      conditions: ["Resizing=True", "ControllerResizeError=True"],
    });
    // Nobody tries again at once.
    await w.more(100);
    expect(calls(w).filter((call) => call === "ControllerExpandVolume")).toHaveLength(1);
    const failure = told(w).find(([, , reason]) => reason === "Warning VolumeResizeFailed");
    expect(failure?.[3]).toMatch(
      /^resize volume "pvc-.*" by resizer "disk\.csi\.example" failed: rpc error: code = OutOfRange desc = /,
    );
    expect(await ask(w, "1Gi")).toContain(
      "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity",
    );
    expect(await ask(w, "4Gi")).toBe("persistentvolumeclaim/data patched");
    await w.more(200);
    expect(state(w)).toMatchObject({ capacity: "4Gi", allocated: "4Gi", turn: undefined });
  });

  it("of a class that does not allow it is refused", async () => {
    const w = await started();
    await w.kubectl('patch storageclass standard -p {"allowVolumeExpansion":false}');
    expect(await ask(w, "3Gi")).toContain(
      'persistentvolumeclaims "data" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
    await w.more(100);
    expect(state(w).capacity).toBe("2Gi");
    expect(calls(w)).not.toContain("ControllerExpandVolume");
  });
});

describe("a claim whose class stands in the old annotation", () => {
  it("is provisioned, described and expanded by it", async () => {
    const w = world({ nodes: 1, storage: true });
    await w.until(5);
    const [usual] = w.objects("storageclasses", "");
    const name = usual?.metadata.name ?? "";
    const annotations = `annotations: { volume.beta.kubernetes.io/storage-class: ${name} }`;
    await w.apply(CLAIM.replace("{ name: data }", `{ name: data, ${annotations} }`) + POD);
    await w.more(30);
    expect(isReady(w.object("pods", "a")!)).toBe(true);
    expect(obj(claim(w).spec).storageClassName).toBeUndefined();
    expect(await w.kubectl("describe pvc data")).toMatch(
      new RegExp(`^StorageClass: +${name}$`, "m"),
    );
    expect(await ask(w, "3Gi")).toMatch(/^persistentvolumeclaim\/data patched$/m);
  });
});
