/** Three labs: the map with its traffic, the same without a scheduler for a while, and the scheduler's work done elsewhere. */
import { type ObjectSummary, objectsAt, type Row } from "@shikumi/sim/view";
import { type Check, defineLabs } from "../../../src/sandbox/lab.ts";

const WANTED = 3;

/** The Deployment `web` with so many Pods. */
const web = (replicas: number) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: ${replicas}
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: nginx
          image: nginx:1.27
`;

/** Its Pods under one address, also from outside. */
const service = `apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  type: LoadBalancer
  selector:
    app: web
  ports:
    - port: 80
`;

/** Pods of the Deployment at the end of a run. */
function podsAtEnd(rows: readonly Row[]): ObjectSummary[] {
  const last = rows.at(-1)?.id ?? 0;
  const objects = [...objectsAt(rows, last).values()];
  return objects.filter(({ kind, name }) => kind === "Pod" && name.startsWith("web-"));
}

const checks: readonly Check[] = [
  {
    id: "all-run",
    says: {
      en: "The run ends with 3 ready Pods, though no scheduler runs.",
      ja: "スケジューラーが動いていなくても、実行の最後に3個のPodがReadyになっている。",
    },
    run(rows) {
      const pods = podsAtEnd(rows);
      const ready = pods.filter((pod) => pod.ready).length;
      const placed = pods.filter((pod) => pod.node).length;
      if (ready === WANTED && pods.length === WANTED) return { ok: true };
      return {
        ok: false,
        atMs: rows.at(-1)?.atMs,
        seen: {
          en: `At the end there were ${pods.length} Pods: ${placed} with a node, ${ready} ready.`,
          ja: `最後に、Podは${pods.length}個でした。nodeが決まったものは${placed}個、Readyなものは${ready}個です。`,
        },
      };
    },
  },
  {
    id: "spread",
    says: { en: "Each node runs one of them.", ja: "どのnodeでも、1個ずつ動いている。" },
    run(rows) {
      const nodes = podsAtEnd(rows).map((pod) => pod.node ?? "");
      if (new Set(nodes.filter(Boolean)).size === WANTED) return { ok: true };
      const list = nodes.map((node) => node || "–").join(", ");
      return {
        ok: false,
        atMs: rows.at(-1)?.atMs,
        seen: {
          en: `At the end the Pods were on these nodes: ${list}`,
          ja: `最後に、Podのあったnodeは次のとおりでした: ${list}`,
        },
      };
    },
  },
];

export default defineLabs([
  {
    id: "map",
    title: { en: "The map, with its traffic", ja: "部品の地図と、そこを行き来するもの" },
    caption: {
      en: "Every message of this run goes to the rail or comes from it, until it is down on a node.",
      ja: "どの知らせもレールに入り、レールから出ます。それ以外のやり取りは、nodeの中にしかありません。",
    },
    scenario: { name: "map", nodes: 2, untilMs: 40_000, proxy: "iptables", cloud: true },
    manifest: `${web(WANTED)}---\n${service}`,
    files: [],
    seed: 7,
  },
  {
    id: "stopped",
    title: { en: "Twelve seconds without a scheduler", ja: "スケジューラーのいない12秒" },
    caption: {
      en: "The scheduler is stopped at 8 s, and 3 more Pods are asked for. Everything else goes on; at 20 s it comes back, and nobody has to tell it what it missed.",
      ja: "8秒にスケジューラーが止まり、その後でPodを3個増やします。ほかの部品は、いつもどおりです。20秒に戻ったスケジューラーには、誰も何も教えません。",
    },
    scenario: { name: "stopped", nodes: 3, untilMs: 60_000 },
    manifest: web(WANTED),
    inputs: [
      { atMs: 8_000, do: "stop", actor: "kube-scheduler" },
      { atMs: 9_000, do: "apply", yaml: web(6) },
      { atMs: 20_000, do: "start", actor: "kube-scheduler" },
    ],
    files: [],
    seed: 7,
  },
  {
    id: "no-scheduler",
    title: { en: "A cluster that has no scheduler", ja: "スケジューラーのないクラスター" },
    caption: {
      en: "No scheduler is there at all; the ReplicaSet controller in the editor can do its work.",
      ja: "スケジューラーは最初からありません。エディターのReplicaSetコントローラーに、その仕事をさせられます。",
    },
    task: {
      en: "This cluster has nodes `node-1`, `node-2` and `node-3`, and no scheduler. Make the ReplicaSet controller create its 3 Pods so that one runs on each node, also after all of them are deleted at 12 s.",
      ja: "このクラスターには`node-1`、`node-2`、`node-3`があり、スケジューラーがありません。ReplicaSetコントローラーを書き換えて、3個のPodがnodeごとに1個ずつ動くようにしてください。12秒に全部削除された後も、そうなっていることが条件です。",
    },
    scenario: { name: "no-scheduler", nodes: 3, untilMs: 40_000, without: ["kube-scheduler"] },
    manifest: web(WANTED),
    inputs: [{ atMs: 12_000, do: "kubectl", line: "delete pods -l app=web" }],
    files: ["controllers/replicaset.ts"],
    seed: 7,
    checks,
  },
]);
