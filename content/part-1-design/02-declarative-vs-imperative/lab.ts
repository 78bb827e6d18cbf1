/** Two labs: Pods made step by step beside a declared Deployment, and a script that the reader turns into a loop. */
import type { Input } from "@shikumi/sim";
import { type ObjectSummary, objectId, type Row } from "@shikumi/sim/view";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

const declared = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: declared
spec:
  replicas: 3
  selector:
    matchLabels:
      app: declared
  template:
    metadata:
      labels:
        app: declared
    spec:
      containers:
        - name: web
          image: nginx:1.27
`;

const goal = (replicas: number) => `apiVersion: apps/v1
kind: ReplicaSet
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
      terminationGracePeriodSeconds: 1
      tolerations: # A lost Node is given up after 5 s, not after 300.
        - key: node.kubernetes.io/unreachable
          operator: Exists
          effect: NoExecute
          tolerationSeconds: 5
      containers:
        - name: web
          image: nginx:1.27
`;

const kubectl = (atMs: number, line: string): Input => ({ atMs, do: "kubectl", line });
const fault = (atMs: number, what: "stop" | "start", actor: string): Input => ({
  atMs,
  do: what,
  actor,
});
const MANAGER = "kube-controller-manager";

/** Living Pods at a moment, in ms. */
function podsAt(rows: readonly Row[], atMs: number): ObjectSummary[] {
  const pods = new Map<string, ObjectSummary>();
  for (const row of rows) {
    if (row.atMs > atMs) break;
    const { object, type } = row;
    if (object?.kind !== "Pod") continue;
    if (type === "DELETED" || object.deleting) pods.delete(objectId(object));
    else pods.set(objectId(object), object);
  }
  return [...pods.values()];
}

/** Fails if at `atMs` there are not `wanted` Pods, all of them ready. */
function settled(rows: readonly Row[], atMs: number, wanted: number): CheckResult {
  const pods = podsAt(rows, atMs);
  const ready = pods.filter((pod) => pod.ready).length;
  if (pods.length === wanted && ready === wanted) return { ok: true };
  const { length } = pods;
  const s = atMs / 1_000;
  return {
    ok: false,
    atMs,
    seen: {
      en: `At ${s} s there ${length === 1 ? "was 1 Pod" : `were ${length} Pods`}, ${ready} of them ready.`,
      ja: `${s}秒に、Podは${length}個、そのうちReadyは${ready}個でした。`,
    },
  };
}

const checks: readonly Check[] = [
  {
    id: "half-finished",
    says: {
      en: "The program dies between two steps and starts again: 3 Pods.",
      ja: "手順の途中でプログラムが落ち、また起動しても、Podは3個。",
    },
    run: (rows) => settled(rows, 14_500, 3),
  },
  {
    id: "edit",
    says: {
      en: "Someone deletes every Pod: 3 Pods again.",
      ja: "誰かがPodをすべて削除しても、また3個に戻る。",
    },
    run: (rows) => settled(rows, 24_500, 3),
  },
  {
    id: "other-goal",
    says: {
      en: "The goal changes to 5, then to 2: so do the Pods.",
      ja: "目標が5個に、次に2個に変わると、Podもそのとおりになる。",
    },
    run(rows) {
      const more = settled(rows, 34_500, 5);
      return more.ok ? settled(rows, 44_500, 2) : more;
    },
  },
  {
    id: "node-lost",
    says: {
      en: "Two nodes die: 2 Pods on the node that is left.",
      ja: "nodeが2台壊れても、残ったnodeでPodが2個動く。",
    },
    run: (rows) => settled(rows, 139_500, 2),
  },
];

export default defineLabs([
  {
    id: "side-by-side",
    title: { en: "Three by command, three by declaration", ja: "命令した3個と、宣言した3個" },
    caption: {
      en: "Pods are deleted, and a machine dies. Only where three are written down as wanted do three come back.",
      ja: "Podが削除され、マシンが壊れます。3個に戻るのは、3個を求めると書かれている側だけです。",
    },
    scenario: { name: "side-by-side", nodes: 3, untilMs: 420_000, quietMs: 0 },
    manifest: declared,
    inputs: [
      kubectl(1_300, "run step-1 --image=nginx:1.27"),
      kubectl(1_600, "run step-2 --image=nginx:1.27"),
      kubectl(1_900, "run step-3 --image=nginx:1.27"),
      // A colleague, and one machine.
      kubectl(15_000, "delete pod step-1"),
      kubectl(15_500, "delete pods -l app=declared"),
      fault(30_000, "stop", "node/node-2"),
    ],
    files: [],
    seed: 7,
  },
  {
    id: "loop",
    title: { en: "From script to loop", ja: "スクリプトからループへ" },
    caption: {
      en: "A deploy script stands in for the ReplicaSet controller. It does its steps once, and what happens later is not its business.",
      ja: "ReplicaSetコントローラーの席に、デプロイスクリプトが座っています。手順を一度済ませると、その後のことには関わりません。",
    },
    task: {
      en: "Turn `deploy` into a loop that holds as many Pods as `spec.replicas` says. What it needs to look at the cluster stands below it.",
      ja: "`deploy`を、`spec.replicas`の数だけPodを保つループに書き直してください。クラスターを見るための関数は、その下にあります。",
    },
    // Slow requests, so that the program dies between its second and its third step.
    scenario: {
      name: "loop",
      nodes: 3,
      untilMs: 140_000,
      quietMs: 0,
      latency: { apiMs: [10, 12] },
    },
    manifest: goal(3),
    inputs: [
      fault(1_088, "stop", MANAGER),
      fault(5_000, "start", MANAGER),
      kubectl(15_000, "delete pods --all"),
      { atMs: 25_000, do: "apply", yaml: goal(5) },
      { atMs: 35_000, do: "apply", yaml: goal(2) },
      fault(45_000, "stop", "node/node-2"),
      fault(45_000, "stop", "node/node-3"),
    ],
    files: ["controllers/replicaset.ts"],
    seed: 7,
    checks,
  },
]);
