/** Two labs: one Pod starts on a node, and containerd made to work in another order. */
import { objectsAt, type Row } from "@shikumi/sim/view";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

const pod = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
    - name: nginx
      image: nginx:1.27
`;

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

/** A list whose only plugin must come after another: its ADD fails, its DEL does not. */
const brokenList = JSON.stringify(
  { cniVersion: "1.0.0", name: "podnet", plugins: [{ type: "portmap" }] },
  undefined,
  2,
);

/** What containerd does on the node, in order. */
const deeds = (rows: readonly Row[], node: string) =>
  rows.filter(
    ({ actor, verb }) => actor === `containerd/${node}` && /^(container|cni)$/.test(verb),
  );

const failed = (en: string, ja: string, row?: Row): CheckResult => ({
  ok: false,
  seen: { en, ja },
  atMs: row?.atMs,
});

const checks: readonly Check[] = [
  {
    id: "order",
    says: {
      en: "On every node: first the network namespace, then the pause container, then the ADD of the plugins.",
      ja: "どのnodeでも、ネットワークnamespace、pauseコンテナ、プラグインのADDの順になっている。",
    },
    run(rows) {
      for (const node of ["node-1", "node-2"]) {
        const order = deeds(rows, node);
        const at = (subject: string) => order.findIndex((row) => row.subject === subject);
        const [namespace, pause, add] = ["network namespace", "start pause", "ADD loopback"].map(
          at,
        );
        if (namespace! < 0 || pause! < 0 || add! < 0) {
          return failed(
            `On ${node} containerd did not do all three.`,
            `${node}では、三つのうちどれかが行われませんでした。`,
            order[0],
          );
        }
        if (pause! > add!) {
          return failed(
            `On ${node} ADD came before the pause container.`,
            `${node}では、pauseコンテナより先にADDが実行されました。`,
            order[add!],
          );
        }
        if (namespace! > pause!) {
          return failed(
            `On ${node} the pause container started before there was a namespace, so it sits in the node's own network.`,
            `${node}では、namespaceができる前にpauseコンテナが起動しました。nodeそのもののネットワークに入っています。`,
            order[pause!],
          );
        }
      }
      return { ok: true };
    },
  },
  {
    id: "ready",
    says: {
      en: "The Pod on `node-1` ends up ready, with an address of `node-1`'s range.",
      ja: "`node-1`のPodは、`node-1`の範囲のアドレスを持って、Readyになる。",
    },
    run(rows) {
      const objects = [...objectsAt(rows, rows.at(-1)?.id ?? 0).values()];
      const found = objects.find(({ kind, node }) => kind === "Pod" && node === "node-1");
      if (found?.ready && found.ip?.startsWith("10.244.0.")) return { ok: true };
      return failed(
        `It ended as ${found?.status ?? "no Pod at all"}, with the address ${found?.ip ?? "–"}.`,
        `最後は${found?.status ?? "Podなし"}、アドレスは${found?.ip ?? "–"}でした。`,
        rows.at(-1),
      );
    },
  },
  {
    id: "nothing-left",
    says: {
      en: "On `node-2`, where every ADD fails, each pause container that started was stopped again.",
      ja: "ADDが必ず失敗する`node-2`では、起動したpauseコンテナが、そのつど止められている。",
    },
    run(rows) {
      const order = deeds(rows, "node-2");
      const started = order.filter(({ subject }) => subject === "start pause");
      const stopped = order.filter(({ subject }) => subject === "stop pause");
      const left = started.length - stopped.length;
      if (left === 0) return { ok: true };
      return failed(
        `${started.length} were started and ${stopped.length} stopped.`,
        `起動は${started.length}回、停止は${stopped.length}回でした。`,
        started.at(-1),
      );
    },
  },
];

export default defineLabs([
  {
    id: "one-pod",
    title: { en: "One Pod, one node", ja: "一つのPod、一つのnode" },
    caption: {
      en: "From the kubelet downwards nothing goes over the rail: gRPC to containerd, and a program executed for each network plugin.",
      ja: "kubeletから下では、レールを通りません。containerdへはgRPCで、ネットワークのプラグインへはプログラムの実行で伝わります。",
    },
    scenario: { name: "one-pod", nodes: 1, untilMs: 30_000 },
    manifest: pod,
    files: ["cri/run-pod-sandbox.ts", "kubelet/runtime/sync.ts"],
    seed: 7,
  },
  {
    id: "order",
    title: { en: "containerd in another order", ja: "順番を変えたcontainerd" },
    caption: {
      en: "`RunPodSandbox` is one call with one answer; in which order the runtime earns it is the runtime's own affair.",
      ja: "`RunPodSandbox`は、一つの呼び出しと一つの返事です。どんな順で果たすかは、ランタイムに任されています。",
    },
    task: {
      en: "Make containerd start the pause container first and execute the network plugins afterwards, as Docker Engine does. On `node-2` every ADD fails: there the pause container must be stopped again, noted as “stop pause”.",
      ja: "Docker Engineのように、先にpauseコンテナを起動し、その後でネットワークのプラグインを実行するcontainerdにしてください。`node-2`では、ADDが必ず失敗します。そのときはpauseコンテナを止め、「stop pause」と記録してください。",
    },
    scenario: {
      name: "order",
      nodes: [{}, { files: [{ path: "/etc/cni/net.d/10-podnet.conflist", text: brokenList }] }],
      untilMs: 20_000,
      quietMs: 0,
    },
    manifest: onEveryNode,
    files: ["cri/run-pod-sandbox.ts", "cri/docker.ts"],
    seed: 7,
    checks,
  },
]);
