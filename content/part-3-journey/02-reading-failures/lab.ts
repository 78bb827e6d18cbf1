/** Two labs: eight failures side by side, and the same eight to repair. */
import type { Input, Scenario } from "@shikumi/sim";
import { type ObjectSummary, objectsAt, type Row } from "@shikumi/sim/view";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

/** A network whose plugin nobody installed. */
const NO_PLUGIN = `{
  "cniVersion": "1.0.0",
  "name": "podnet",
  "plugins": [{ "type": "weave-net" }]
}`;

const NODES = [
  { name: "good-1" },
  { name: "good-2" },
  { name: "no-cni", files: [{ path: "/etc/cni/net.d/10-podnet.conflist", text: NO_PLUGIN }] },
];

/** The registry has version 1.0 of `shop` and no other. */
const scenario: Scenario = {
  ...{ nodes: NODES, untilMs: 78_000, quietMs: 0, proxy: "iptables" },
  images: [{ name: "shop", tags: ["1.0"], sizeBytes: 40_000_000, startMs: 100 }],
};

const BROKEN = `apiVersion: v1
kind: Pod
metadata:
  name: big
spec:
  nodeSelector:
    kubernetes.io/hostname: good-2
  containers:
    - name: app
      image: nginx:1.27
      resources:
        requests:
          cpu: "64"
---
apiVersion: v1
kind: Pod
metadata:
  name: typo
spec:
  nodeName: good-1
  containers:
    - name: app
      image: shop:1.1
---
apiVersion: v1
kind: Pod
metadata:
  name: crash
spec:
  nodeName: good-1
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "sleep 1; exit 3"]
---
apiVersion: v1
kind: Pod
metadata:
  name: offline
spec:
  nodeName: no-cni
  containers:
    - name: app
      image: nginx:1.27
---
apiVersion: v1
kind: Pod
metadata:
  name: held
  finalizers: ["example.com/backup"]
spec:
  nodeName: good-1
  containers:
    - name: app
      image: nginx:1.27
---
apiVersion: v1
kind: Pod
metadata:
  name: hungry
spec:
  nodeName: good-2
  containers:
    - name: app
      image: polinux/stress
      command: ["stress", "--vm", "1", "--vm-bytes", "200M"]
      resources:
        limits:
          memory: 100Mi
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
spec:
  replicas: 2
  progressDeadlineSeconds: 20
  selector:
    matchLabels:
      app: shop
  template:
    metadata:
      labels:
        app: shop
    spec:
      nodeName: good-2
      containers:
        - name: app
          image: nginx:1.27
          readinessProbe:
            httpGet:
              path: /
              port: 8080
            periodSeconds: 1
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
spec:
  replicas: 1
  selector:
    matchLabels:
      app: api
  template:
    metadata:
      labels:
        app: api
    spec:
      nodeName: good-1
      containers:
        - name: app
          image: nginx:1.27
---
apiVersion: v1
kind: Service
metadata:
  name: api
spec:
  clusterIP: 10.96.7.7
  selector:
    app: apis
  ports:
    - port: 80
`;

/** On a node whose kubelet will be stopped; no YAML mends that. */
const LOST = `---
apiVersion: v1
kind: Pod
metadata:
  name: lost
spec:
  nodeName: gone
  containers:
    - name: app
      image: nginx:1.27
`;

const kubectl = (atMs: number, line: string): Input => ({ atMs, do: "kubectl", line });

const DELETION = kubectl(20_000, "delete pod held --wait=false");
const LOSS: Input[] = [
  { atMs: 15_000, do: "stop", actor: "kubelet/gone" },
  kubectl(20_500, "delete pod lost --wait=false"),
];
const CALL: Input = { atMs: 70_000, do: "connect", from: "node good-1", to: "10.96.7.7:80" };
const LOOKS = [
  "get pods",
  "get deployments",
  "get endpointslices",
  "describe pod big",
  "describe pod typo",
  "describe pod crash",
  "describe pod offline",
  "describe pod hungry",
  "describe deployment shop",
  "get pod held -o yaml",
].map((line, i) => kubectl(71_000 + i * 500, line));

/** The state of a run at its end, told when it is not what was asked for. */
function end(rows: readonly Row[], isMended: (all: ObjectSummary[]) => boolean, name: string) {
  const all = [...objectsAt(rows, rows.at(-1)?.id ?? 0).values()];
  if (isMended(all)) return { ok: true };
  const found = all.filter((one) => one.kind === "Pod" && one.name.startsWith(name));
  const list = found.map((one) => one.status ?? "").join(", ");
  return {
    ok: false,
    atMs: rows.at(-1)?.atMs,
    seen: {
      en: `At the end: ${list || "no Pod"}.`,
      ja: `最後の状態は、${list || "Podなし"}でした。`,
    },
  };
}

/** So many ready Pods whose names begin so, and no others. */
const ready = (name: string, count: number) => ({
  id: name,
  says: {
    en: count === 1 ? `\`${name}\` is ready.` : `All ${count} Pods of \`${name}\` are ready.`,
    ja:
      count === 1
        ? `\`${name}\`がReadyになる。`
        : `\`${name}\`のPod${count}個が、すべてReadyになる。`,
  },
  run: (rows: readonly Row[]): CheckResult =>
    end(
      rows,
      (all) => {
        const pods = all.filter((one) => one.kind === "Pod" && one.name.startsWith(name));
        return pods.length === count && pods.every((pod) => pod.ready);
      },
      name,
    ),
});

const checks: readonly Check[] = [
  ready("big", 1),
  ready("typo", 1),
  ready("crash", 1),
  ready("offline", 1),
  ready("hungry", 1),
  ready("shop", 2),
  {
    id: "held",
    says: { en: "`held` is gone after its deletion.", ja: "`held`は、削除のあとなくなる。" },
    run: (rows) => end(rows, (all) => all.every(({ name }) => name !== "held"), "held"),
  },
  {
    id: "api",
    says: { en: "The Service `api` answers.", ja: "Service `api`が応答する。" },
    run(rows) {
      const call = rows.find(
        ({ verb, subject }) => verb === "log" && subject.includes("10.96.7.7:80: "),
      );
      if (call && / answers/.test(call.subject)) return { ok: true };
      return {
        ok: false,
        atMs: call?.atMs,
        seen: { en: "Nobody answered the call.", ja: "呼びかけに、誰も応答しませんでした。" },
      };
    },
  },
];

export default defineLabs([
  {
    id: "eight",
    title: { en: "Eight failures side by side", ja: "八つの失敗を並べる" },
    caption: {
      en: "Eight things are broken. Somebody looks at 12 s, and again, closer, from 71 s on.",
      ja: "壊れたものが八つあります。12秒に一度眺め、71秒から一つずつ調べます。",
    },
    scenario: { ...scenario, name: "eight", nodes: [...NODES, { name: "gone" }] },
    manifest: BROKEN + LOST,
    inputs: [kubectl(12_000, "get pods"), DELETION, ...LOSS, CALL, ...LOOKS],
    files: ["kubelet/sync-pod.ts"],
    seed: 7,
    show: "console",
    meetsErrors: true,
  },
  {
    id: "repair",
    title: { en: "Repair all eight", ja: "八つとも直す" },
    caption: {
      en: "The same manifest. Read what each failure says, then mend the cause and nothing else.",
      ja: "同じマニフェストです。それぞれの失敗が何を言っているかを読み、原因だけを直してください。",
    },
    task: {
      en: "Edit the manifest until all eight checks pass. The node `no-cni` stays as it is.",
      ja: "八つの確認がすべて通るように、マニフェストを直してください。node `no-cni`は、そのままにしておきます。",
    },
    scenario: { ...scenario, name: "repair", untilMs: 75_000 },
    manifest: BROKEN,
    inputs: [DELETION, CALL],
    files: [],
    seed: 7,
    show: "console",
    meetsErrors: true,
    checks,
  },
]);
