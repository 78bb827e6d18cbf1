/** What readers get wrong about storage; ids of content/misconceptions.yaml. */
import { describe, expect, it } from "vitest";
import { CLAIM } from "../csi/claim.ts";
import { isReady, spec, world } from "./world.ts";

/** A Pod of this name on the claim `data`. */
const user = (name: string) => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec:
  containers:
    - { name: c, image: "nginx:1.27", volumeMounts: [{ name: data, mountPath: /data }] }
  volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;

const DATABASE = `apiVersion: apps/v1
kind: Deployment
metadata: { name: db }
spec:
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec:
      containers:
        - { name: c, image: "nginx:1.27", volumeMounts: [{ name: data, mountPath: /data }] }
      volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;

describe("storage", () => {
  it("rwo-is-one-pod: two Pods of one node use the volume; with ReadWriteOncePod the second waits", async () => {
    const both = `${user("first")}---\n${user("second")}`;
    const shared = world({ nodes: 1, storage: true });
    await shared.apply(CLAIM + both);
    await shared.more(40);
    expect(shared.objects("pods").map(isReady)).toEqual([true, true]);

    const alone = world({ nodes: 1, storage: true });
    await alone.apply(CLAIM.replace("ReadWriteOnce", "ReadWriteOncePod") + both);
    await alone.more(40);
    expect(alone.objects("pods").filter(isReady)).toHaveLength(1);
    expect(await alone.kubectl("get events --field-selector reason=FailedScheduling")).toContain(
      "ReadWriteOncePod",
    );
  });

  it("disk-is-free-at-once: it stays with the dead node until somebody vouches for its death", async () => {
    const dies = { atMs: 60_000, do: "stop", actor: "node/node-1" } as const;
    const w = world({ nodes: 2, storage: true }, [dies]);
    await w.kubectl("cordon node-2");
    await w.apply(`${CLAIM}${DATABASE}`);
    await w.until(50);
    await w.kubectl("uncordon node-2");
    const holder = () => w.objects("volumeattachments", "").map((one) => spec(one).nodeName);
    /** Where its Pods are, and whether they are ready. */
    const places = () =>
      w
        .objects("pods")
        .map((pod) => `${spec(pod).nodeName} ${isReady(pod)}`)
        .sort();
    expect(holder()).toEqual(["node-1"]);

    await w.until(960);
    expect(holder()).toEqual(["node-1"]);
    expect(places()).toEqual(["node-1 false", "node-2 false"]);

    await w.kubectl("taint nodes node-1 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute");
    // By now the kubelet of node-2 asks about every two minutes.
    await w.more(180);
    expect(holder()).toEqual(["node-2"]);
    expect(places()).toEqual(["node-2 true"]);
  });
});
