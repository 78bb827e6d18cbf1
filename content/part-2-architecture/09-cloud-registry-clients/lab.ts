/** Three labs: who owns a field, what becomes of an image's name, and a service controller that leaves something behind. */
import type { Input, Row, Scenario } from "@shikumi/sim";
import { objectsAt } from "@shikumi/sim/view";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

const kubectl = (atMs: number, line: string, stdin?: string): Input => {
  return { atMs, do: "kubectl", line, stdin };
};

const deployment = (
  name: string,
  replicas: string,
  labels: readonly string[] = [],
) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels:
    app: ${name}
${labels.map((label) => `    ${label}\n`).join("")}spec:
${replicas === "" ? "" : `  replicas: ${replicas}\n`}  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      labels:
        app: ${name}
    spec:
      containers:
        - name: app
          image: nginx:1.27
          ports:
            - containerPort: 80
`;

const FIRST = [
  deployment("named", "2"),
  deployment("silent", ""),
  deployment("dropped", "2", ["stage: trial"]),
].join("---\n");
const SECOND = [deployment("named", "2"), deployment("silent", ""), deployment("dropped", "")].join(
  "---\n",
);

const pod = (name: string, image: string, policy = "") => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
spec:
  nodeName: node-1
  containers:
    - name: app
      image: ${image}
${policy === "" ? "" : `      imagePullPolicy: ${policy}\n`}`;

const service = (name: string) => `apiVersion: v1
kind: Service
metadata:
  name: ${name}
spec:
  type: LoadBalancer
  selector:
    app: web
  ports:
    - port: 80
`;

/** What a kubelet puts on its Node when somebody else is to say where it is. */
const UNINITIALIZED = {
  key: "node.cloudprovider.kubernetes.io/uninitialized",
  value: "true",
  effect: "NoSchedule",
} as const;
const EXCLUDE = "node.kubernetes.io/exclude-from-external-load-balancers";
const MANAGER = "cloud-controller-manager";
const STOPPED_AT_MS = 40_000;

const balanced: Scenario = {
  ...{ name: "balancer", cloud: true, network: "flannel", proxy: "iptables" },
  nodes: ["node-1", "node-2", "node-3"].map((name) => ({ name, taints: [UNINITIALIZED] })),
  ...{ untilMs: 76_000, quietMs: 0 },
};

/** Names of the nodes behind each load balancer that the cloud has at a moment, by Service. */
function balancersOf(rows: readonly Row[], untilMs = Number.POSITIVE_INFINITY) {
  const found = new Map<string, string>();
  for (const { actor, subject, atMs } of rows) {
    if (actor !== "cloud" || atMs > untilMs) continue;
    const [call = "", key = "", , , ...nodes] = subject.replace(":", "").split(" ");
    if (call === "EnsureLoadBalancer") found.set(key, nodes.join(" "));
    if (call === "DeleteLoadBalancer") found.delete(key);
  }
  return found;
}

const failed = (en: string, ja: string, atMs?: number): CheckResult => ({
  ok: false,
  seen: { en, ja },
  atMs,
});

// region: check
/** No load balancer is left for a Service. */
function noneLeft(name: string, says: Check["says"]): Check {
  return {
    id: name,
    says,
    run(rows) {
      if (!balancersOf(rows).has(`default/${name}`)) return { ok: true };
      return failed(
        `The load balancer of \`${name}\` is still there, and nobody knows of it any more.`,
        `\`${name}\`のロードバランサーが残っています。それを知っている部品は、もうありません。`,
        rows.at(-1)?.atMs,
      );
    },
  };
}
// endregion

const checks: readonly Check[] = [
  {
    id: "nodes",
    says: {
      en: "At 40 s the load balancer of `web` leads to `node-1` and `node-2`, and no longer to `node-3`.",
      ja: "40秒に、`web`のロードバランサーの先は`node-1`と`node-2`で、`node-3`は外れている。",
    },
    run(rows) {
      const nodes = balancersOf(rows, STOPPED_AT_MS).get("default/web") ?? "";
      if (nodes === "node-1, node-2") return { ok: true };
      return failed(
        `It led to: ${nodes || "nothing, it was gone"}.`,
        `ロードバランサーの先: ${nodes || "なし(ロードバランサーがありません)"}。`,
        STOPPED_AT_MS,
      );
    },
  },
  noneLeft("old", {
    en: "`old` was deleted while the manager was stopped: its load balancer is gone.",
    ja: "マネージャーが止まっている間に消された`old`のロードバランサーが、なくなっている。",
  }),
  noneLeft("brief", {
    en: "`brief` was deleted while the cloud was still at work on it: its load balancer is gone too.",
    ja: "クラウドが作っている最中に消された`brief`のロードバランサーも、なくなっている。",
  }),
  {
    id: "released",
    says: {
      en: "Both Services are gone as well; `web` is still there.",
      ja: "二つのServiceも、なくなっている。`web`は残っている。",
    },
    run(rows) {
      const left = [...objectsAt(rows, rows.at(-1)?.id ?? 0).values()]
        .filter(({ kind, name }) => kind === "Service" && name !== "kubernetes")
        .map(({ name }) => name);
      if (left.join() === "web") return { ok: true };
      return failed(
        `Services at the end: ${left.join(", ") || "none"}.`,
        `最後にあったService: ${left.join("、") || "なし"}。`,
        rows.at(-1)?.atMs,
      );
    },
  },
];

export default defineLabs([
  {
    id: "apply",
    title: { en: "Five replicas, and the file again", ja: "5個に増やして、もう一度ファイルを" },
    caption: {
      en: "Three Deployments are applied, scaled to 5 by hand, and applied again. The second file no longer names the replicas of `dropped`.",
      ja: "三つのDeploymentを適用し、手で5個に増やし、もう一度適用します。二つ目のファイルでは、`dropped`の`replicas`がなくなっています。",
    },
    scenario: { name: "apply", nodes: 2, untilMs: 42_000, quietMs: 0 },
    manifest: FIRST,
    inputs: [
      kubectl(10_000, "scale deployment named silent dropped --replicas=5"),
      kubectl(12_000, "set image deployment/named app=nginx:1.28"),
      kubectl(14_000, "label deployment named team=blue"),
      kubectl(20_000, "get deployments --show-labels"),
      kubectl(25_000, "apply -f -", SECOND),
      kubectl(40_000, "get deployments --show-labels"),
    ],
    files: ["kubectl/apply.ts", "api/patch/three-way.ts"],
    seed: 7,
    show: "console",
  },
  {
    id: "images",
    title: { en: "A name is looked up", ja: "名前が調べられるとき" },
    caption: {
      en: "The registry has `shop:1.0` and no `shop:1.1`. At 20 s the image of `first` lies on the node, and two more Pods want it.",
      ja: "レジストリにあるのは`shop:1.0`だけで、`shop:1.1`はありません。20秒には`first`のイメージがnodeにあり、あと二つのPodが同じものを求めます。",
    },
    scenario: {
      ...{ name: "images", nodes: 1, untilMs: 180_000, quietMs: 0 },
      images: [{ name: "shop", tags: ["1.0"], sizeBytes: 40_000_000, startMs: 100 }],
    },
    manifest: [
      pod("first", "shop:1.0"),
      pod("typo", "shop:1.1"),
      pod("never", "shop:1.1", "Never"),
    ].join("---\n"),
    inputs: [
      kubectl(4_000, "get pods"),
      {
        atMs: 20_000,
        do: "apply",
        yaml: [pod("again", "shop:1.0"), pod("always", "shop:1.0", "Always")].join("---\n"),
      },
      kubectl(25_000, "get events --field-selector reason=Pulled"),
      kubectl(160_000, "get pods"),
      kubectl(161_000, "describe pod typo"),
      { atMs: 162_000, do: "crictl", node: "node-1", line: "images --digests" },
    ],
    files: ["kubelet/runtime/image-manager.ts"],
    seed: 7,
    show: "console",
  },
  {
    id: "balancer",
    title: { en: "What is left behind", ja: "残されるもの" },
    caption: {
      en: "Three Services of type LoadBalancer. At 30 s `node-3` is to get no more traffic from outside; two Services are deleted while the cloud controller manager is stopped.",
      ja: "LoadBalancer型のServiceが三つ。30秒に`node-3`が外からの通信を受けなくなり、二つのServiceは、クラウドコントローラーマネージャーが止まっている間に消されます。",
    },
    task: {
      en: "Let the controller follow the Nodes, and never leave a load balancer behind, whenever it is stopped.",
      ja: "コントローラーをNodeの変化に追いつかせ、いつ止められても、ロードバランサーを残さないようにしてください。",
    },
    scenario: balanced,
    manifest: [deployment("web", "2"), service("web"), service("old")].join("---\n"),
    inputs: [
      kubectl(2_500, "get services"),
      kubectl(15_000, "get services"),
      { atMs: 18_000, do: "connect", from: "outside", to: "198.51.100.10:80" },
      kubectl(30_000, `label node node-3 ${EXCLUDE}=`),
      { atMs: STOPPED_AT_MS, do: "stop", actor: MANAGER },
      kubectl(42_000, "delete service old --wait=false"),
      kubectl(45_000, "get services"),
      { atMs: 50_000, do: "start", actor: MANAGER },
      { atMs: 60_000, do: "apply", yaml: service("brief") },
      { atMs: 61_500, do: "stop", actor: MANAGER },
      kubectl(62_000, "delete service brief --wait=false"),
      { atMs: 68_000, do: "start", actor: MANAGER },
      kubectl(75_000, "get services"),
    ],
    files: ["cloud/service.ts", "cloud/provider.ts", "cloud/node.ts", "cloud/route.ts"],
    seed: 7,
    checks,
  },
]);
