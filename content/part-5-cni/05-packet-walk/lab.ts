/** Two labs: seven connections hop by hop, and answers that nobody turns back. */
import type { Input, Row, Scenario } from "@shikumi/sim";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

const pod = (name: string, node: string) => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  labels:
    app: ${name}
spec:
  nodeName: ${node}
  containers:
    - name: nginx
      image: nginx:1.27
      ports:
        - containerPort: 80
`;

const MANIFEST = [
  pod("client", "node-1"),
  pod("near", "node-1"),
  pod("web", "node-2"),
  `apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  type: NodePort
  clusterIP: 10.96.7.7
  selector:
    app: web
  ports:
    - port: 80
      nodePort: 30080
`,
].join("---\n");

const CLIENT = "pod default/client";
const WALKS = [
  [CLIENT, "pod default/near:80"],
  [CLIENT, "pod default/web:80"],
  [CLIENT, "10.96.7.7:80"],
  [CLIENT, "web:80"],
  ["pod default/web", "10.96.7.7:80"],
  ["outside", "node node-1:30080"],
  [CLIENT, "203.0.113.10:80"],
] as const;

/** A client gives up after 3 s; by then the next has not begun. */
const inputs = WALKS.map(
  ([from, to], i): Input => ({ atMs: 20_000 + i * 3_500, do: "connect", from, to }),
);

const scenario = (name: string): Scenario => ({
  ...{ name, nodes: 2, network: "flannel", proxy: "iptables", dns: true },
  ...{ untilMs: 46_000, quietMs: 0 },
});

/** All of these walks, by their place in the list, must have been answered. */
function answered(rows: readonly Row[], walks: readonly number[]): CheckResult {
  for (const walk of walks) {
    const [from, to] = WALKS[walk]!;
    const head = `${from} > ${to}: `;
    const row = rows.find(({ verb, subject }) => verb === "log" && subject.startsWith(head));
    if (row && / answers/.test(row.subject)) continue;
    const seen = {
      en: `\`${from}\` got no answer from \`${to}\`.`,
      ja: `\`${from}\`は、\`${to}\`から応答を得られませんでした。`,
    };
    return { ok: false, seen, atMs: row?.atMs };
  }
  return { ok: true };
}

const checks: readonly Check[] = [
  {
    id: "direct",
    says: {
      en: "From Pod to Pod, where nothing is rewritten, answers arrive as before.",
      ja: "何も書き換えないPodどうしの接続では、今までどおり応答が届く。",
    },
    run: (rows) => answered(rows, [0, 1]),
  },
  {
    id: "destination",
    says: {
      en: "Whoever asks a ClusterIP, for `web` or for a name, is answered by that ClusterIP.",
      ja: "`web`のためでも名前を引くためでも、ClusterIPへつないだものは、そのClusterIPから応答を得る。",
    },
    run: (rows) => answered(rows, [2, 3]),
  },
  {
    id: "source",
    says: {
      en: "Answers to a Pod that went outside find back to the Pod.",
      ja: "クラスターの外へつないだPodに、応答が戻ってくる。",
    },
    run: (rows) => answered(rows, [6]),
  },
  {
    id: "both",
    says: {
      en: "`web` reaches itself through its Service, and a client outside the NodePort of `node-1`.",
      ja: "`web`はServiceを通して自分に、外のクライアントは`node-1`のNodePortにつながる。",
    },
    run: (rows) => answered(rows, [4, 5]),
  },
];

export default defineLabs([
  {
    id: "walks",
    title: { en: "Seven walks", ja: "七つの道" },
    caption: {
      en: "`client` and `near` are on `node-1`, `web` is on `node-2`. The console tells who answered, and as whom it saw the client. The headers at each interface stand in the steps.",
      ja: "`client`と`near`は`node-1`に、`web`は`node-2`にあります。コンソールに出るのは、誰が答え、相手を誰と見たかです。インターフェースごとのヘッダーは、ステップにあります。",
    },
    scenario: scenario("walks"),
    manifest: MANIFEST,
    inputs,
    files: ["kube-proxy/iptables.ts", "network/walk.ts"],
    seed: 7,
    show: "console",
  },
  {
    id: "way-back",
    title: { en: "Answers that nobody turns back", ja: "元に戻されない応答" },
    caption: {
      en: "The same seven connections. Requests are rewritten as they should be; answers go on as they came.",
      ja: "同じ七つの接続です。行きのパケットは正しく書き換えられますが、応答は来たままの姿で先へ進みます。",
    },
    task: {
      en: "Make `translateDestination` and `translateSource` put back in the answers what was changed in the requests.",
      ja: "`translateDestination`と`translateSource`を直してください。行きに書き換えたものを、応答では元に戻します。",
    },
    scenario: scenario("way-back"),
    manifest: MANIFEST,
    inputs,
    files: ["network/conntrack.ts", "network/netfilter.ts"],
    seed: 7,
    show: "console",
    meetsErrors: true,
    checks,
  },
]);
