/** Who waits for whom until a volume is mounted, and until it is let go. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { list, obj, str } from "../../../sim/src/api/kinds/access.ts";
import type { Node } from "../../../sim/src/api/kinds/node.ts";
import type { WriteDetail } from "../../../sim/src/api/transport.ts";
import { Detaching } from "../../../sim/src/controllers/volume/detach.ts";
import { isReady, type World, world } from "../misconceptions/world.ts";
import { CLAIM } from "./claim.ts";

const pod = (name: string, node: string) => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec:
  terminationGracePeriodSeconds: 1
  nodeSelector: { kubernetes.io/hostname: ${node} }
  tolerations: [{ operator: Exists }]
  containers: [{ name: c, image: "nginx:1.27", volumeMounts: [{ name: d, mountPath: /data }] }]
  volumes: [{ name: d, persistentVolumeClaim: { claimName: data } }]
---
`;

async function started(): Promise<World> {
  const w = world({ nodes: 2, storage: true });
  await w.until(5);
  await w.apply(CLAIM + pod("a", "node-1"));
  await w.more(30);
  expect(isReady(w.object("pods", "a")!)).toBe(true);
  return w;
}

const status = (w: World, node: string) => obj(obj(w.object("nodes", node, "")).status);
const attachedTo = (w: World) =>
  w.objects("volumeattachments", "").map((one) => str(obj(obj(one).spec).nodeName));

/** The order of what happened, of these alone. */
function story(w: World, from = 0): string[] {
  const found: string[] = [];
  for (const { verb, subject, detail, atMs } of w.kernel.trace) {
    if (atMs < from) continue;
    if (verb === "csi") found.push(subject);
    if (verb !== "write" || !/^(Node|VolumeAttachment) /.test(subject)) continue;
    const { before, after } = detail as WriteDetail;
    if (!before || !after) found.push(`${after ? "+" : "-"}VolumeAttachment`);
    else {
      for (const field of ["volumesInUse", "volumesAttached"]) {
        const [old, now] = [before, after].map((one) => list(obj(obj(one).status)[field]).length);
        if (old !== now) found.push(`${field} ${now}`);
      }
    }
  }
  return found.filter((line, i) => line !== found[i - 1] && !/^\+VolumeAttachment$/.test(line));
}

describe("the attacher", () => {
  it("waits longer and longer before it asks a driver again that refused", async () => {
    const w = await started();
    w.cluster.stop("kube-controller-manager"); // It would take away what nobody needs.
    const from = w.kernel.now();
    const pv = w.objects("persistentvolumes", "")[0]!.metadata.name;
    await w.apply(`apiVersion: storage.k8s.io/v1
kind: VolumeAttachment
metadata: { name: by-hand }
spec: { attacher: disk.csi.example, nodeName: node-2, source: { persistentVolumeName: ${pv} } }
`);
    await w.more(20);
    const asked = w.entries("csi", from).filter(({ detail }) => "error" in obj(detail));
    const waits = asked.slice(1).map(({ atMs }, i) => Math.round((atMs - asked[i]!.atMs) / 1000));
    // Its finalizer on the object wakes it once; the error that it writes there does not.
    expect(waits).toEqual([0, 1, 4, 8]);
  });
});

describe("the handshake", () => {
  it("mounts only what the Node's status says is in use and attached", async () => {
    const w = await started();
    const told = story(w);
    const at = (what: string) => told.indexOf(what);
    expect(told.toSorted()).toEqual(
      [
        ...["CreateVolume", "ControllerPublishVolume", "volumesInUse 1", "volumesAttached 1"],
        ...["NodeStageVolume", "NodePublishVolume"],
      ].toSorted(),
    );
    expect(at("volumesAttached 1")).toBeGreaterThan(at("ControllerPublishVolume"));
    expect(told.slice(-2)).toEqual(["NodeStageVolume", "NodePublishVolume"]);
    const name = list(status(w, "node-1").volumesInUse)[0];
    expect(str(name)).toMatch(/^kubernetes\.io\/csi\/disk\.csi\.example\^pvc-/);
    expect(obj(list(status(w, "node-1").volumesAttached)[0]).name).toBe(name);
    const events = w.objects("events").map(obj);
    const success = events.find(({ reason }) => reason === "SuccessfulAttachVolume");
    expect(success).toMatchObject({
      type: "Normal",
      involvedObject: { kind: "Pod", name: "a" },
      source: { component: "attachdetach-controller" },
    });
    expect(str(success?.message)).toMatch(/^AttachVolume\.Attach succeeded for volume "pvc-.*" $/);
    // To wait is no failure.
    expect(events.filter(({ reason }) => reason === "FailedMount")).toEqual([]);
  });

  it("names the VolumeAttachment and the staging path by SHA-256", async () => {
    const w = await started();
    const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
    const { volumeHandle } = obj(obj(obj(w.objects("persistentvolumes", "")[0]).spec).csi);
    const names = w.objects("volumeattachments", "").map(({ metadata }) => metadata.name);
    expect(names).toEqual([`csi-${sha256(`${str(volumeHandle)}disk.csi.examplenode-1`)}`]);
    const staged = w.entries("csi").find(({ subject }) => subject === "NodeStageVolume");
    expect(obj(obj(staged?.detail).request).staging_target_path).toBe(
      `/var/lib/kubelet/plugins/kubernetes.io/csi/disk.csi.example/${sha256(str(volumeHandle))}/globalmount`,
    );
  });

  it("lets go in the same order backwards: unmounted, told, detached", async () => {
    const w = await started();
    const at = w.kernel.now();
    await w.kubectl("delete pod a");
    await w.more(30);
    expect(story(w, at)).toEqual([
      ...["NodeUnpublishVolume", "NodeUnstageVolume"],
      ...["volumesInUse 0", "volumesAttached 0"],
      ...["ControllerUnpublishVolume", "-VolumeAttachment"],
    ]);
  });

  it("keeps a volume staged until the last Pod of the node is gone", async () => {
    const w = await started();
    await w.apply(pod("b", "node-1"));
    await w.more(20);
    expect(w.pods().map(isReady)).toEqual([true, true]);
    const count = (call: string) => w.entries("csi").filter((one) => one.subject === call).length;
    await w.kubectl("delete pod a");
    await w.more(20);
    expect([count("NodeUnpublishVolume"), count("NodeUnstageVolume")]).toEqual([1, 0]);
    await w.kubectl("delete pod b");
    await w.more(20);
    expect([count("NodeUnpublishVolume"), count("NodeUnstageVolume")]).toEqual([2, 1]);
  });
});

describe("a kubelet that starts again", () => {
  it("knows what is mounted: the volume stays in use all the while", async () => {
    const w = await started();
    const at = w.kernel.now();
    w.cluster.stop("kubelet/node-1");
    await w.more(5);
    w.cluster.startAgain("kubelet/node-1");
    await w.more(40);
    // It mounts once more, which does no harm.
    expect(story(w, at)).toEqual(["NodeStageVolume", "NodePublishVolume"]);
    expect(isReady(w.object("pods", "a")!)).toBe(true);
  });

  it("unmounts what was deleted meanwhile, and only then it is detached", async () => {
    const w = await started();
    const at = w.kernel.now();
    w.cluster.stop("kubelet/node-1");
    await w.kubectl("delete pod a --wait=false");
    await w.more(20);
    expect(attachedTo(w)).toEqual(["node-1"]);
    w.cluster.startAgain("kubelet/node-1");
    await w.more(60);
    expect(w.pods()).toEqual([]);
    expect(story(w, at)).toEqual([
      ...["NodeUnpublishVolume", "NodeUnstageVolume"],
      ...["volumesInUse 0", "volumesAttached 0"],
      ...["ControllerUnpublishVolume", "-VolumeAttachment"],
    ]);
  });

  it("lets go of a volume that was never mounted, without a call to the driver", async () => {
    const w = world({ nodes: 1, storage: true, without: ["csi-attacher"] });
    await w.until(5);
    await w.apply(CLAIM + pod("a", "node-1"));
    await w.more(30);
    expect(list(status(w, "node-1").volumesInUse)).toHaveLength(1);
    await w.kubectl("delete pod a");
    await w.more(20);
    expect(status(w, "node-1").volumesInUse).toBeUndefined();
    expect(w.entries("csi").map(({ subject }) => subject)).toEqual(["CreateVolume"]);
  });

  it("tells a Pod that waits in vain, after two minutes", async () => {
    const w = world({ nodes: 1, storage: true, without: ["csi-attacher"] });
    await w.until(5);
    await w.apply(CLAIM + pod("a", "node-1"));
    const said = () =>
      w
        .objects("events")
        .filter((one) => obj(one).reason === "FailedMount")
        .map(obj);
    await w.more(110);
    expect(said()).toEqual([]);
    await w.more(150);
    expect(said()[0]?.message).toBe(
      "Unable to attach or mount volumes: unmounted volumes=[d], unattached volumes=[], failed to process volumes=[]: context deadline exceeded",
    );
  });
});

describe("a node that is gone without a word", () => {
  /** Its Pod is deleted by force, and another shall take over. */
  async function lost(): Promise<World> {
    const w = await started();
    w.cluster.stop("node/node-1");
    await w.more(60);
    await w.kubectl("delete pod a --force --grace-period=0");
    await w.apply(pod("b", "node-2"));
    return w;
  }

  it("keeps its volume for six minutes", async () => {
    const w = await lost();
    const at = w.kernel.now();
    await w.more(350);
    expect(attachedTo(w)).toEqual(["node-1"]);
    await w.more(40);
    expect(attachedTo(w)).toEqual(["node-2"]);
    await w.until(at / 1000 + 420);
    expect(isReady(w.object("pods", "b")!)).toBe(true);
  });

  it("marked out of service, keeps nothing", async () => {
    const w = await lost();
    await w.more(5);
    expect(attachedTo(w)).toEqual(["node-1"]);
    await w.kubectl("taint node node-1 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute");
    await w.more(30);
    expect(attachedTo(w)).toEqual(["node-2"]);
    expect(isReady(w.object("pods", "b")!)).toBe(true);
  });

  it("healthy, but with a volume in use, keeps it longer than that", async () => {
    const w = await started();
    const detaching = new Detaching();
    const node = w.object("nodes", "node-1", "")! as Node;
    const volume = str(list(status(w, "node-1").volumesInUse)[0]);
    detaching.heard(node);
    expect(detaching.waitMs("node-1", node, volume, 0)).toBe(360_000);
    expect(detaching.waitMs("node-1", node, volume, 400_000)).toBeUndefined();
    expect(detaching.waitMs("node-1", undefined, volume, 400_000)).toBe(0);
    detaching.isWanted("node-1", volume);
    expect(detaching.waitMs("node-1", node, volume, 400_000)).toBe(360_000);
  });
});
