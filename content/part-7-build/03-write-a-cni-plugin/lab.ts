/** Two labs: a network of pairs and routes, and the plugin that makes it, to be written. */
import type { Input, Row, Scenario } from "@shikumi/sim";
import { type ObjectSummary, objectsAt } from "@shikumi/sim/view";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

/** Three addresses, for four Pods. */
const conflist = JSON.stringify(
  {
    cniVersion: "1.0.0",
    name: "podnet",
    plugins: [
      {
        type: "ptp",
        ipMasq: true,
        ipam: {
          type: "host-local",
          ranges: [[{ subnet: "10.90.0.0/24", rangeStart: "10.90.0.10", rangeEnd: "10.90.0.12" }]],
          routes: [{ dst: "0.0.0.0/0" }],
        },
      },
    ],
  },
  undefined,
  2,
);

const scenario = (name: string): Scenario => ({
  name,
  nodes: [{ files: [{ path: "/etc/cni/net.d/10-podnet.conflist", text: conflist }] }],
  ...{ untilMs: 40_000, quietMs: 0 },
});

/** Ready once the node reaches it. */
const pod = (name: string) => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
spec:
  terminationGracePeriodSeconds: 1
  containers:
    - name: nginx
      image: nginx:1.27
      ports:
        - containerPort: 80
      readinessProbe:
        tcpSocket: { port: 80 }
        periodSeconds: 2
`;

const NAMES = ["a", "b", "c", "d"];
const manifest = NAMES.slice(0, 3).map(pod).join("---\n");
const OUTSIDE = "203.0.113.10:80";

const connect = (atMs: number, from: string, to: string): Input => {
  return { atMs, do: "connect", from: `pod default/${from}`, to };
};
const kubectl = (atMs: number, line: string): Input => ({ atMs, do: "kubectl", line });

const inputs: readonly Input[] = [
  { atMs: 6_000, do: "apply", yaml: pod("d") },
  kubectl(10_000, "get pods -o wide"),
  connect(11_000, "a", "pod default/b:80"),
  connect(15_000, "a", OUTSIDE),
  kubectl(19_000, "delete pod a --wait=false"),
  kubectl(39_000, "get pods -o wide"),
];

function podsAt(rows: readonly Row[], atMs: number): ObjectSummary[] {
  const last = rows.findLast((row) => row.atMs <= atMs)?.id ?? 0;
  const objects = objectsAt(rows, last);
  return NAMES.flatMap((name) => objects.get(`Pod default/${name}`) ?? []);
}

function failed(atMs: number, pods: readonly ObjectSummary[]): CheckResult {
  const list = pods.map(({ name, status, ready }) => `${name} ${ready ? "Ready" : status}`);
  const at = (atMs / 1_000).toFixed(0);
  return {
    ok: false,
    atMs,
    seen: {
      en: `At ${at} s: ${list.join(", ")}.`,
      ja: `${at}秒の状態: ${list.join("、")}。`,
    },
  };
}

/** The connection to this place was answered. */
function answered(rows: readonly Row[], to: string): CheckResult {
  const head = `pod default/a > ${to}: `;
  const row = rows.find(({ verb, subject }) => verb === "log" && subject.startsWith(head));
  if (row && / answers/.test(row.subject)) return { ok: true };
  return {
    ok: false,
    atMs: row?.atMs,
    seen: {
      en: `\`a\` got no answer from \`${to}\`.`,
      ja: `\`a\`は、\`${to}\`から応答を得られませんでした。`,
    },
  };
}

const checks: readonly Check[] = [
  {
    id: "joined",
    says: {
      en: "At 10 s three of the four Pods are Ready: the node reaches them. The fourth has no address.",
      ja: "10秒に、4個のうち3個のPodがReadyになっている。nodeから届くということ。残りの1個にはアドレスがない。",
    },
    run(rows) {
      const pods = podsAt(rows, 10_000);
      return pods.filter(({ ready }) => ready).length === 3 ? { ok: true } : failed(10_000, pods);
    },
  },
  {
    id: "neighbour",
    says: { en: "`a` is answered by `b`.", ja: "`a`は、`b`から応答を得る。" },
    run: (rows) => answered(rows, "pod default/b:80"),
  },
  {
    id: "outside",
    says: {
      en: "`a` is answered by a server outside of the cluster.",
      ja: "`a`は、クラスターの外のサーバーから応答を得る。",
    },
    run: (rows) => answered(rows, OUTSIDE),
  },
  {
    id: "given-back",
    says: {
      en: "`a` is deleted at 19 s. At 39 s it is gone, and `d` has its address and is Ready.",
      ja: "19秒に`a`を削除する。39秒には`a`がなくなり、`d`がそのアドレスでReadyになっている。",
    },
    run(rows) {
      const pods = podsAt(rows, 39_000);
      const isRight = pods.length === 3 && pods.every(({ name, ready }) => name !== "a" && ready);
      return isRight ? { ok: true } : failed(39_000, pods);
    },
  },
];

export default defineLabs([
  {
    id: "pairs",
    title: { en: "A pair and a route", ja: "一対と、経路が一本" },
    caption: {
      en: "No bridge and no tunnel: each Pod has a cable to the node, and the node routes.",
      ja: "ブリッジもトンネルもありません。どのPodもnodeと一本のケーブルでつながり、nodeが経路を選びます。",
    },
    scenario: scenario("pairs"),
    manifest,
    inputs,
    files: ["cni/plugins/ptp.ts"],
    seed: 7,
    show: "console",
  },
  {
    id: "plugin",
    title: { en: "Write the plugin", ja: "プラグインを書く" },
    caption: {
      en: "The start asks for an address and makes a pair. It neither uses the one nor clears away the other.",
      ja: "はじめのコードは、アドレスをもらい、一対のインターフェースを作るだけです。どちらも使わず、片づけもしません。",
    },
    task: {
      en: "Write `add` and `del` of the plugin `ptp`, so that Pods reach one another and the world, and leave nothing behind.",
      ja: "プラグイン`ptp`の`add`と`del`を書いてください。Podどうしも外の世界ともつながり、あとに何も残らないようにします。",
    },
    scenario: scenario("plugin"),
    manifest,
    inputs,
    files: ["cni/plugins/ptp.ts", "cni/plugins/configure.ts", "network/namespace.ts"],
    seed: 7,
    show: "console",
    meetsErrors: true,
    checks,
  },
]);
