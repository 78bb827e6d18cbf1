/** Two labs: how one Pod's node is chosen, and a score plugin that the reader writes. */
import { type ObjectSummary, objectsAt, type Row } from "@shikumi/sim/view";
import { type Check, defineLabs } from "../../../src/sandbox/lab.ts";

const COOK = `apiVersion: v1
kind: Pod
metadata:
  name: cook
spec:
  nodeSelector:
    disk: ssd
  containers:
    - name: cook
      image: registry.example/kitchen:1.0
      resources:
        requests:
          cpu: "2"
          memory: 1Gi
`;

/** A Pod that is put on its node by name, past the scheduler. */
function guest(name: string, node: string, cpu: string): string {
  return `---
apiVersion: v1
kind: Pod
metadata:
  name: ${name}
spec:
  nodeName: ${node}
  containers:
    - name: guest
      image: registry.example/kitchen:1.0
      resources:
        requests:
          cpu: "${cpu}"
          memory: 512Mi
`;
}

const ssd = { disk: "ssd" };
const taint = (effect: "NoSchedule" | "PreferNoSchedule") => [{ key: "for", value: "db", effect }];

const PRICED = 4;
const TILLS = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: till
spec:
  replicas: 9
  selector:
    matchLabels:
      app: till
  template:
    metadata:
      labels:
        app: till
    spec:
      containers:
        - name: till
          image: nginx:1.27
          resources:
            requests:
              cpu: "1"
              memory: 256Mi
`;

/** Bound Pods by node at the end of a run. */
function byNode(rows: readonly Row[]): Map<string, number> {
  const count = new Map<string, number>();
  for (const pod of podsAtTheEnd(rows)) {
    if (pod.node) count.set(pod.node, (count.get(pod.node) ?? 0) + 1);
  }
  return count;
}

function podsAtTheEnd(rows: readonly Row[]): ObjectSummary[] {
  return [...objectsAt(rows, rows.at(-1)?.id ?? 0).values()].filter(({ kind }) => kind === "Pod");
}

// region: check
/** Wants so many Pods on a node at the end. */
function wants(id: string, node: string, count: number, says: Check["says"]): Check {
  return {
    id,
    says,
    run(rows) {
      const found = byNode(rows).get(node) ?? 0;
      if (found === count) return { ok: true };
      return {
        ok: false,
        atMs: rows.at(-1)?.atMs,
        seen: {
          en: `At the end, Pods on ${node}: ${found}.`,
          ja: `最後に${node}で動いていたPodは${found}個でした。`,
        },
      };
    },
  };
}
// endregion

const checks: readonly Check[] = [
  wants("cheap", "cheap", PRICED, {
    en: "The cheap node is full: 4 Pods.",
    ja: "安いnodeが埋まっている。Podは4個。",
  }),
  wants("fair", "fair", PRICED, {
    en: "The next one is full too: 4 Pods.",
    ja: "次に安いnodeも埋まっている。Podは4個。",
  }),
  wants("dear", "dear", 1, {
    en: "Only the Pod that is left is on the dear node.",
    ja: "高いnodeにあるのは、残りの1個だけ。",
  }),
  wants("unpriced", "unpriced", 0, {
    en: "A node whose price nobody knows gets none.",
    ja: "値段の分からないnodeには、1個も置かれない。",
  }),
];

const PRICE = "example.com/price";

export default defineLabs([
  {
    id: "table",
    title: { en: "Six nodes and one Pod", ja: "6台のnodeと1個のPod" },
    caption: {
      en: "At 30 s the Pod `cook` arrives. Three nodes are ruled out, three are scored, and the decision is one field written through the API.",
      ja: "30秒にPodの`cook`が来ます。3台が除かれ、3台に点が付きます。決定は、APIを通して書かれる一つのフィールドです。",
    },
    scenario: {
      name: "table",
      untilMs: 60_000,
      images: [{ name: "registry.example/kitchen", sizeBytes: 600_000_000, startMs: 200 }],
      nodes: [
        { name: "busy", labels: ssd },
        { name: "kept", labels: ssd, taints: taint("NoSchedule") },
        { name: "disk", labels: { disk: "hdd" } },
        { name: "rough", cpu: "8", labels: ssd, taints: taint("PreferNoSchedule") },
        { name: "warm", labels: ssd },
        { name: "plain", labels: ssd },
      ],
    },
    applyAtMs: 30_000,
    manifest: COOK,
    inputs: [
      {
        atMs: 1_000,
        do: "apply",
        yaml: guest("guest-1", "busy", "3") + guest("guest-2", "warm", "500m"),
      },
    ],
    files: [],
    seed: 7,
  },
  {
    id: "price",
    title: { en: "The cheapest node with room", ja: "空きのある、いちばん安いnode" },
    caption: {
      en: "Four nodes, three of them with a price. Without a plugin for it, the scheduler spreads the Pods and never looks at the money.",
      ja: "4台のうち3台に値段が付いています。そのためのプラグインがなければ、スケジューラーは値段を見ずにPodを散らします。",
    },
    task: {
      en: "Write the score plugin `price` and give it a weight, so that the Pods fill the cheapest node first, then the next. A node without a price comes last.",
      ja: "スコアのプラグイン`price`を書き、重みを決めてください。Podは、いちばん安いnodeから順に埋まるようにします。値段のないnodeは最後です。",
    },
    scenario: {
      name: "price",
      untilMs: 40_000,
      nodes: [
        { name: "cheap", labels: { [PRICE]: "10" } },
        { name: "fair", labels: { [PRICE]: "30" } },
        { name: "dear", cpu: "16", memory: "32Gi", labels: { [PRICE]: "90" } },
        { name: "unpriced", cpu: "16", memory: "32Gi" },
      ],
    },
    manifest: TILLS,
    files: ["scheduler/profile.ts"],
    seed: 7,
    checks,
  },
]);
