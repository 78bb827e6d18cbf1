/** Two labs: one Pod on three runtimes, and a process namespace that nobody holds. */
import { objectsAt, type Row } from "@shikumi/sim/view";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

/** One Pod on every node. */
const onEveryNode = `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: web
spec:
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

/** In one of the two Pods the containers see each other's processes. */
const pods = `apiVersion: v1
kind: Pod
metadata:
  name: shared
spec:
  nodeName: crio-1
  shareProcessNamespace: true
  containers:
    - name: app
      image: nginx:1.27
    - name: tool
      image: nginx:1.27
---
apiVersion: v1
kind: Pod
metadata:
  name: plain
spec:
  nodeName: crio-2
  containers:
    - name: app
      image: nginx:1.27
`;

const DELETED_AT_MS = 10_000;

/** What CRI-O does on a node, in order. */
const deeds = (rows: readonly Row[], node: string) =>
  rows.filter(({ actor, verb }) => actor === `crio/${node}` && verb === "container");

const failed = (en: string, ja: string, row?: Row): CheckResult => ({
  ok: false,
  seen: { en, ja },
  atMs: row?.atMs,
});

const checks: readonly Check[] = [
  {
    id: "held",
    says: {
      en: "On `crio-1`, whose Pod shares its processes, a pause process starts before the containers do.",
      ja: "プロセスを共有するPodのある`crio-1`では、コンテナより先にpauseのプロセスが起動する。",
    },
    run(rows) {
      const order = deeds(rows, "crio-1");
      const pause = order.findIndex(({ subject }) => subject === "start pause");
      const app = order.findIndex(({ subject }) => subject === "start app");
      if (app < 0)
        return failed("`app` never started.", "`app`は一度も起動しませんでした。", order.at(-1));
      if (pause >= 0 && pause < app) return { ok: true };
      return failed(
        "`app` started, and there was no pause process. The first process of the Pod's namespace is `app` itself.",
        "`app`が起動しましたが、pauseのプロセスはありませんでした。Podのnamespaceの最初のプロセスは、`app`そのものです。",
        order[app],
      );
    },
  },
  {
    id: "spared",
    says: {
      en: "On `crio-2`, whose Pod shares nothing of the kind, no pause process starts.",
      ja: "プロセスを共有しないPodのある`crio-2`では、pauseのプロセスは起動しない。",
    },
    run(rows) {
      const order = deeds(rows, "crio-2");
      const pause = order.find(({ subject }) => subject === "start pause");
      const app = order.find(({ subject }) => subject === "start app");
      if (app && !pause) return { ok: true };
      return pause
        ? failed("A pause process started.", "pauseのプロセスが起動しました。", pause)
        : failed("`app` never started.", "`app`は一度も起動しませんでした。", order.at(-1));
    },
  },
  {
    id: "ended",
    says: {
      en: "When the Pod on `crio-1` is deleted at 10 s, its pause process is stopped, and the Pod is gone at the end.",
      ja: "10秒に`crio-1`のPodが削除されると、pauseのプロセスも止まり、最後にはPodがなくなっている。",
    },
    run(rows) {
      const order = deeds(rows, "crio-1");
      const of = (subject: string) => order.filter((row) => row.subject === subject).length;
      const [started, stopped] = [of("start pause"), of("stop pause")];
      const last = rows.at(-1);
      const left = objectsAt(rows, last?.id ?? 0).has("Pod default/shared");
      if (started > 0 && started === stopped && !left) return { ok: true };
      const there = left ? "it is there" : "it is gone";
      return failed(
        `Pause processes: ${started} started, ${stopped} stopped. The Pod: ${there}.`,
        `pauseのプロセスは、起動が${started}回、停止が${stopped}回でした。Podは${left ? "残っています" : "なくなりました"}。`,
        last,
      );
    },
  },
];

export default defineLabs([
  {
    id: "three",
    title: { en: "One Pod, three runtimes", ja: "一つのPod、三つのランタイム" },
    caption: {
      en: "The kubelet of each node makes the same calls. What follows from them on the node is the runtime's own way.",
      ja: "どのnodeのkubeletも、同じ呼び出しをします。そこから先、nodeの上で何が起きるかは、ランタイムしだいです。",
    },
    scenario: {
      name: "three",
      nodes: [
        { name: "containerd-1", runtime: "containerd" },
        { name: "crio-1", runtime: "crio" },
        { name: "docker-1", runtime: "docker" },
      ],
      untilMs: 20_000,
    },
    manifest: onEveryNode,
    inputs: [
      { atMs: 8_000, do: "kubectl", line: "get nodes -o wide" },
      { atMs: 8_500, do: "kubectl", line: "get pods -o wide" },
      { atMs: 9_000, do: "crictl", node: "containerd-1", line: "ps" },
      { atMs: 9_200, do: "crictl", node: "crio-1", line: "ps" },
      { atMs: 9_400, do: "crictl", node: "docker-1", line: "ps" },
    ],
    files: ["cri/crio.ts", "cri/docker.ts", "cri/run-pod-sandbox.ts"],
    seed: 7,
  },
  {
    id: "shared",
    title: {
      en: "A process namespace that nobody holds",
      ja: "誰も支えていない、プロセスのnamespace",
    },
    caption: {
      en: "Network, IPC and host name stay when they are pinned to a file. A process namespace ends with its first process.",
      ja: "ネットワーク、IPC、ホスト名のnamespaceは、ファイルに留めておけば残ります。プロセスのnamespaceは、最初のプロセスとともに終わります。",
    },
    task: {
      en: "Make CRI-O start a pause process for a Pod whose containers share their processes, noted as “start pause”, and for no other Pod.",
      ja: "コンテナがプロセスを共有するPodのときだけ、CRI-Oがpauseのプロセスを起動し、「start pause」と記録するようにしてください。ほかのPodでは、起動してはいけません。",
    },
    scenario: {
      name: "shared",
      nodes: [
        { name: "crio-1", runtime: "crio" },
        { name: "crio-2", runtime: "crio" },
      ],
      untilMs: 20_000,
    },
    manifest: pods,
    inputs: [{ atMs: DELETED_AT_MS, do: "kubectl", line: "delete pod shared --wait=false" }],
    files: ["cri/crio.ts", "cri/run-pod-sandbox.ts"],
    seed: 7,
    checks,
  },
]);
