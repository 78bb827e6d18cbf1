/** Three labs: a node that falls silent, a Job with indexes, and a node controller whose patience the reader sets node by node. */
import type { Input, Row } from "@shikumi/sim";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

const app = (name: string) => `  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      labels:
        app: ${name}
    spec:
      containers:
        - name: ${name}
          image: nginx:1.27
`;

const THREE_KINDS = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
${app("web")}---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
spec:
  replicas: 3
  serviceName: db
  podManagementPolicy: Parallel
${app("db")}---
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: agent
spec:
${app("agent")}---
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector:
    app: web
  ports:
    - port: 80
`;

const pages = (comment: string) => `apiVersion: batch/v1
kind: Job
metadata:
  name: pages
spec:
  completionMode: Indexed
  completions: 5
  parallelism: 1
  backoffLimit: 2
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: print
          image: busybox:1.36
          # ${comment}
          command:
            - sh
            - -c
            - touch page-0 page-1 page-3 page-4; sleep 2; cat page-$(JOB_COMPLETION_INDEX)
`;

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
${app("web")}`;

const kubectl = (atMs: number, line: string): Input => ({ atMs, do: "kubectl", line });
const stop = (atMs: number, actor: string): Input => ({ atMs, do: "stop", actor });
const start = (atMs: number, actor: string): Input => ({ atMs, do: "start", actor });

/** The line between a node and the API server is down for a while. */
function cut(atMs: number, node: string, ms: number): Input[] {
  const between = [`kubelet/${node}`, "kube-apiserver"] as const;
  return [
    { atMs, do: "partition", between },
    { atMs: atMs + ms, do: "heal", between },
  ];
}

const NEAR_DIES_MS = 40_000;
const FAR_CUT_MS = 50_000;
const FAR_CUT_FOR_MS = 80_000;
const BLINK_MS = 70_000;
const FAR_DIES_MS = 180_000;
/** A beat may be 10 s old when a node dies, and be seen 5 s after it came. */
const SLACK_MS = 20_000;

/** Moments at which the Node was written as not ready, having been ready. */
function fallsOf(rows: readonly Row[], node: string): number[] {
  const falls: number[] = [];
  let ready = false;
  for (const { atMs, object } of rows) {
    if (object?.kind !== "Node" || object.name !== node) continue;
    if (ready && !object.ready) falls.push(atMs);
    ready = object.ready ?? false;
  }
  return falls;
}

/** The first fall, or none, has to lie between the two moments. */
function fallsWithin(node: string, fromMs: number, toMs: number) {
  return (rows: readonly Row[]): CheckResult => {
    const atMs = fallsOf(rows, node).find((ms) => ms > FAR_CUT_MS - 20_000);
    if (atMs !== undefined && atMs >= fromMs && atMs <= toMs) return { ok: true };
    const s = Math.round((atMs ?? 0) / 1_000);
    return {
      ok: false,
      atMs: atMs ?? toMs,
      seen: atMs
        ? { en: `${node} was NotReady at ${s} s.`, ja: `${node}は${s}秒にNotReadyになりました。` }
        : { en: `${node} was never NotReady.`, ja: `${node}は一度もNotReadyになりませんでした。` },
    };
  };
}

const checks: readonly Check[] = [
  {
    id: "near",
    says: {
      en: "`near-2` dies at 40 s and has no label: it is NotReady before 80 s.",
      ja: "`near-2`は40秒に落ち、ラベルはない。80秒までにNotReadyになる。",
    },
    run: fallsWithin("near-2", NEAR_DIES_MS, NEAR_DIES_MS + 40_000),
  },
  {
    id: "blink",
    says: {
      en: "The line to `near-1` is down for 10 s: it is never NotReady.",
      ja: "`near-1`との回線は10秒だけ切れる。一度もNotReadyにならない。",
    },
    run(rows) {
      const [atMs] = fallsOf(rows, "near-1");
      if (atMs === undefined) return { ok: true };
      const s = Math.round(atMs / 1_000);
      return {
        ok: false,
        atMs,
        seen: {
          en: `near-1 was NotReady at ${s} s.`,
          ja: `near-1は${s}秒にNotReadyになりました。`,
        },
      };
    },
  },
  {
    id: "far",
    says: {
      en: "`far` has the label 120. Its line is down for 80 s, and it stays Ready; when it dies at 180 s, it is NotReady before 320 s.",
      ja: "`far`のラベルは120。回線が80秒切れてもReadyのままで、180秒に落ちると320秒までにNotReadyになる。",
    },
    run: fallsWithin("far", FAR_DIES_MS + 100_000, FAR_DIES_MS + 120_000 + SLACK_MS),
  },
];

const PATIENCE = "example.com/patience";

export default defineLabs([
  {
    id: "silent",
    title: { en: "A node falls silent", ja: "nodeから便りが途絶える" },
    caption: {
      en: "At 30 s the kubelet of `node-2` stops. Nothing arrives any more, and from that alone three controllers draw their conclusions, one after another.",
      ja: "30秒に、`node-2`のkubeletが止まります。何も届かなくなったことだけを手がかりに、三つのコントローラーが順に動きます。",
    },
    scenario: { name: "silent", nodes: 3, untilMs: 480_000, quietMs: 0 },
    manifest: THREE_KINDS,
    inputs: [
      stop(30_000, "kubelet/node-2"),
      kubectl(100_000, "get nodes"),
      kubectl(100_000, "get pods"),
      kubectl(400_000, "get pods"),
      start(440_000, "kubelet/node-2"),
    ],
    files: [],
    seed: 7,
  },
  {
    id: "pages",
    title: { en: "A Job that cannot finish", ja: "終わらないJob" },
    caption: {
      en: "Five pages are to be printed, one after the other, and page 2 does not exist. The Job ends when it has failed once too often.",
      ja: "5ページを順に印刷しますが、ページ2がありません。失敗が多すぎると、Jobはそこで終わります。",
    },
    scenario: { name: "pages", nodes: 2, untilMs: 90_000 },
    manifest: pages("There is no page-2."),
    manifestJa: pages("page-2はありません。"),
    inputs: [
      kubectl(60_000, "get jobs,pods"),
      kubectl(65_000, "create namespace shop"),
      kubectl(67_000, "get serviceaccounts,configmaps,secrets --namespace shop"),
    ],
    files: [],
    seed: 7,
  },
  {
    id: "patience",
    title: { en: "Patience, node by node", ja: "待つ長さを、nodeごとに" },
    caption: {
      en: "Two nodes near by and one behind a bad line. The node controller waits for all of them for the same 50 s.",
      ja: "近くの2台と、回線の悪い遠くの1台。nodeコントローラーは、どれも同じ50秒だけ待ちます。",
    },
    task: {
      en: `Let the node controller wait 30 s for a node, unless its label ${PATIENCE} says otherwise: then as many seconds as the label says.`,
      ja: `nodeコントローラーが待つ長さを30秒にしてください。ただし、ラベル${PATIENCE}のあるnodeだけは、その秒数を待つようにします。`,
    },
    scenario: {
      name: "patience",
      nodes: [
        { name: "near-1" },
        { name: "near-2" },
        { name: "far", labels: { [PATIENCE]: "120" } },
      ],
      untilMs: 330_000,
      quietMs: 0,
    },
    manifest: WEB,
    inputs: [
      stop(NEAR_DIES_MS, "kubelet/near-2"),
      ...cut(FAR_CUT_MS, "far", FAR_CUT_FOR_MS),
      ...cut(BLINK_MS, "near-1", 10_000),
      stop(FAR_DIES_MS, "kubelet/far"),
    ],
    files: ["controllers/node-lifecycle/health.ts", "controllers/node-lifecycle/monitor.ts"],
    seed: 7,
    checks,
  },
]);
