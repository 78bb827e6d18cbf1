/** Three labs: a claim becomes a mounted disk, a node dies with a disk on it, and a driver that cannot bear to be asked twice. */
import type { Input, Row } from "@shikumi/sim";
import { objectsAt } from "@shikumi/sim/view";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

const DATABASE = `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
spec:
  accessModes:
    - ReadWriteOnce
  resources:
    requests:
      storage: 10Gi
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: db
spec:
  replicas: 1
  selector:
    matchLabels:
      app: db
  template:
    metadata:
      labels:
        app: db
    spec:
      containers:
        - name: postgres
          image: postgres:17
          volumeMounts:
            - name: data
              mountPath: /var/lib/postgresql/data
      volumes:
        - name: data
          persistentVolumeClaim:
            claimName: data
`;

const kubectl = (atMs: number, line: string): Input => ({ atMs, do: "kubectl", line });
const stop = (atMs: number, actor: string): Input => ({ atMs, do: "stop", actor });

/** The component is gone for a moment, and begins anew. */
const restart = (atMs: number, actor: string): Input[] => [
  stop(atMs, actor),
  { atMs: atMs + 100, do: "start", actor },
];

/** Whatever the attacher is at, it is soon torn away from it. */
const RESTARTS_MS = Array.from({ length: 12 }, (_, i) => 31_000 + i * 1_400);

/** What the driver says of its disks, in order: `make`, `attach node-1`. */
const deedsOf = (rows: readonly Row[]) => rows.filter(({ verb }) => verb === "disk");

const failed = (en: string, ja: string, row?: Row): CheckResult => ({
  ok: false,
  seen: { en, ja },
  atMs: row?.atMs,
});

const checks: readonly Check[] = [
  {
    id: "one-disk",
    says: {
      en: "One claim, one disk, though the provisioner is restarted while the disk is being made.",
      ja: "ディスクを作っている最中に`csi-provisioner`が再起動しても、一つのPersistentVolumeClaimには、一つのディスクしかできない。",
    },
    run(rows) {
      const made = deedsOf(rows).filter(({ subject }) => subject === "make");
      if (made.length === 1) return { ok: true };
      return failed(
        `${made.length} disks were made.`,
        `ディスクは${made.length}個できました。`,
        made.at(-1),
      );
    },
  },
  {
    id: "one-node",
    says: {
      en: "The disk is never attached to a node before it is detached from the other.",
      ja: "ディスクは、前のnodeから取り外されるまで、次のnodeに取り付けられない。",
    },
    run(rows) {
      let holder = "";
      for (const row of deedsOf(rows)) {
        const [deed, node = ""] = row.subject.split(" ");
        if (deed === "attach" && holder !== "") {
          return failed(
            `It was attached to ${node} while ${holder} had it.`,
            `${holder}に付いたまま、${node}にも取り付けられました。`,
            row,
          );
        }
        if (deed === "attach") holder = node;
        if (deed === "detach") holder = "";
      }
      return { ok: true };
    },
  },
  {
    id: "moved",
    says: {
      en: "`node-1` is drained, and the Pod ends up ready on `node-2`, with the disk.",
      ja: "`node-1`がdrainされた後、Podは`node-2`で、そのディスクとともにReadyになる。",
    },
    run(rows) {
      const last = deedsOf(rows).findLast(({ subject }) => subject !== "make");
      const pods = [...objectsAt(rows, rows.at(-1)?.id ?? 0).values()].filter(
        ({ kind, namespace }) => kind === "Pod" && namespace === "default",
      );
      const pod = pods.find(({ node }) => node === "node-2") ?? pods[0];
      if (pod?.ready && pod.node === "node-2" && last?.subject === "attach node-2") {
        return { ok: true };
      }
      const where = last?.subject ?? "–";
      return failed(
        `The Pod ended as ${pod?.status ?? "none at all"} on ${pod?.node || "no node"}; the driver's last deed was “${where}”.`,
        `最後のPodは${pod?.node || "nodeなし"}で${pod?.status ?? "なし"}、ドライバーが最後にしたことは「${where}」でした。`,
        rows.at(-1),
      );
    },
  },
];

export default defineLabs([
  {
    id: "one-claim",
    title: { en: "A claim becomes a disk", ja: "PersistentVolumeClaimからディスクへ" },
    caption: {
      en: "Three sidecars and the kubelets call the driver; the driver itself never speaks to the API server.",
      ja: "ドライバーを呼ぶのは、サイドカーとkubeletです。ドライバー自身は、APIサーバーと話しません。",
    },
    scenario: { name: "one-claim", nodes: 2, storage: true, untilMs: 20_000, quietMs: 0 },
    manifest: DATABASE,
    files: ["csi/example-driver.ts", "storage/attacher.ts", "storage/provisioner.ts"],
    seed: 7,
  },
  {
    id: "lost",
    title: { en: "A node dies with a disk on it", ja: "ディスクを付けたまま落ちたnode" },
    caption: {
      en: "Nobody can tell a dead node from a silent one, so its disk stays where it is until somebody vouches for it.",
      ja: "落ちたnodeと、黙っているだけのnodeは、見分けがつきません。誰かが請け合うまで、ディスクは動きません。",
    },
    scenario: { name: "lost", nodes: 2, storage: true, untilMs: 460_000, quietMs: 0 },
    inputs: [
      kubectl(500, "cordon node-2"),
      kubectl(18_000, "uncordon node-2"),
      stop(20_000, "node/node-1"),
      kubectl(
        400_000,
        "taint nodes node-1 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute",
      ),
    ],
    manifest: DATABASE,
    files: ["controllers/volume/detach.ts", "controllers/volume/multi-attach.ts"],
    seed: 7,
  },
  {
    id: "twice",
    title: { en: "A driver in a hurry", ja: "急いで書かれたドライバー" },
    caption: {
      en: "A sidecar that was restarted knows nothing of the answer it was waiting for, and asks again.",
      ja: "再起動したサイドカーは、待っていた返事のことを何も覚えていません。だから、また尋ねます。",
    },
    task: {
      en: "Make `createVolume`, `controllerPublishVolume` and `controllerUnpublishVolume` harmless when the same call comes twice, even while the first is still under way. Leave the calls of `tell` where they are: the checks read them.",
      ja: "`createVolume`、`controllerPublishVolume`、`controllerUnpublishVolume`を、同じ呼び出しが二度来ても困らないように直してください。一度目がまだ終わっていないときも同じです。`tell`の呼び出しは、検査が読むので、そのまま残してください。",
    },
    scenario: { name: "twice", nodes: 2, storage: true, untilMs: 80_000, quietMs: 0 },
    inputs: [
      kubectl(500, "cordon node-2"),
      ...restart(1_400, "csi-provisioner"),
      kubectl(30_000, "uncordon node-2"),
      kubectl(30_500, "drain node-1 --ignore-daemonsets"),
      ...RESTARTS_MS.flatMap((atMs) => restart(atMs, "csi-attacher")),
    ],
    manifest: DATABASE,
    files: ["csi/example-driver.ts", "storage/attacher.ts"],
    seed: 7,
    checks,
  },
]);
