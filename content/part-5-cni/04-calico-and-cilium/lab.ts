/** Four labs: one NetworkPolicy on three networks, and an agent that reads policies wrongly. */
import type { Input, Row } from "@shikumi/sim";
import { type Check, type CheckResult, defineLabs, type Lab } from "../../../src/sandbox/lab.ts";

const pod = (name: string, node: string, namespace = "", app = name) => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
${namespace && `  namespace: ${namespace}\n`}  labels:
    app: ${app}
spec:
  nodeName: ${node}
  containers:
    - name: nginx
      image: nginx:1.27
      ports:
        - containerPort: 80
`;

const SERVICE = `apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  clusterIP: 10.96.7.7
  selector:
    app: web
  ports:
    - port: 80
`;

const ONLY_FRIENDS = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: only-friends
spec:
  podSelector:
    matchLabels:
      app: web
  ingress:
    - from:
        - podSelector:
            matchLabels:
              app: friend
`;

/** The policy comes first: it is what the reader is to read and to change. */
const THREE_PODS = [
  ONLY_FRIENDS,
  pod("friend", "node-1"),
  pod("stranger", "node-1"),
  pod("web", "node-2"),
  SERVICE,
].join("---\n");

const connect = (atMs: number, from: string, to: string, rules = false): Input => {
  return { atMs, do: "connect", from: `pod ${from}`, to, ...(rules ? { rules } : {}) };
};
const asks = (rules: boolean) => [
  connect(16_000, "default/friend", "10.96.7.7:80", rules),
  connect(17_500, "default/stranger", "10.96.7.7:80", rules),
];

type Network = NonNullable<Lab["scenario"]["network"]>;
const scenario = (network: Network, name: string): Lab["scenario"] => ({
  ...{ name, nodes: 2, network, proxy: network === "cilium" ? "none" : "iptables" },
  ...{ untilMs: 22_000, quietMs: 0 },
});

const namespace = (name: string) => `apiVersion: v1
kind: Namespace
metadata:
  name: ${name}
`;

const policy = (name: string, selector: string, ...ingress: string[]) => {
  return `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: ${name}
  namespace: shop
spec:
  podSelector: ${selector}
  policyTypes: [Ingress]
${ingress.map((line) => `  ${line}\n`).join("")}`;
};

const SHOP = [
  namespace("shop"),
  namespace("monitoring"),
  namespace("test"),
  policy("default-deny", "{}"),
  policy(
    "web-clients",
    "{ matchLabels: { app: web } }",
    "ingress:",
    "  - from:",
    "      - podSelector: { matchLabels: { app: client } }",
  ),
  policy(
    "web-metrics",
    "{ matchLabels: { app: web } }",
    "ingress:",
    "  - from:",
    "      - namespaceSelector:",
    "          matchLabels: { kubernetes.io/metadata.name: monitoring }",
    "        podSelector: { matchLabels: { app: prometheus } }",
  ),
  pod("web", "node-1", "shop"),
  pod("db", "node-2", "shop"),
  pod("client", "node-2", "shop"),
  pod("prometheus", "node-2", "monitoring"),
  pod("debug", "node-2", "monitoring"),
  pod("web", "node-2", "test"),
  pod("client", "node-1", "test"),
].join("---\n");

/** Who asks whom, in this order. */
const ASKED = [
  ["shop/client", "shop/db"],
  ["shop/client", "shop/web"],
  ["test/client", "shop/web"],
  ["monitoring/prometheus", "shop/web"],
  ["monitoring/debug", "shop/web"],
  ["test/client", "test/web"],
  ["shop/db", "test/web"],
] as const;

/** Was it answered, and when was that known? */
function asked(rows: readonly Row[], from: string, to: string) {
  const head = `pod ${from} > pod ${to}:80: `;
  const row = rows.find(({ verb, subject }) => verb === "log" && subject.startsWith(head));
  return { answered: / answers/.test(row?.subject ?? ""), atMs: row?.atMs };
}

/** These must be answered, and those must not. */
function verdict(
  rows: readonly Row[],
  wanted: readonly (readonly [from: string, to: string, answered: boolean])[],
): CheckResult {
  for (const [from, to, answered] of wanted) {
    const found = asked(rows, from, to);
    if (found.answered === answered) continue;
    const seen = answered
      ? {
          en: `\`${from}\` got no answer from \`${to}\`.`,
          ja: `\`${from}\`は、\`${to}\`から応答を得られませんでした。`,
        }
      : {
          en: `\`${to}\` answered \`${from}\`.`,
          ja: `\`${to}\`が、\`${from}\`に答えました。`,
        };
    return { ok: false, seen, atMs: found.atMs };
  }
  return { ok: true };
}

const checks: readonly Check[] = [
  {
    id: "closed",
    says: {
      en: "`default-deny` closes `db`, which no other policy opens.",
      ja: "`default-deny`が、ほかにどのポリシーも開けていない`db`を閉じる。",
    },
    run: (rows) => verdict(rows, [["shop/client", "shop/db", false]]),
  },
  {
    id: "own-namespace",
    says: {
      en: "`web-clients` lets in `client` of its own Namespace, and not the `client` of `test`.",
      ja: "`web-clients`は、自分のNamespaceの`client`を通し、`test`の`client`は通さない。",
    },
    run: (rows) =>
      verdict(rows, [
        ["shop/client", "shop/web", true],
        ["test/client", "shop/web", false],
      ]),
  },
  {
    id: "both-selectors",
    says: {
      en: "`web-metrics` lets in `prometheus` of `monitoring`, and nobody else from there.",
      ja: "`web-metrics`は、`monitoring`の`prometheus`を通し、同じところのほかのPodは通さない。",
    },
    run: (rows) =>
      verdict(rows, [
        ["monitoring/prometheus", "shop/web", true],
        ["monitoring/debug", "shop/web", false],
      ]),
  },
  {
    id: "not-concerned",
    says: {
      en: "Whom no policy concerns stays open: `test/web` answers everybody, and `db` may ask whom it likes.",
      ja: "ポリシーの及ばないところは、開いたまま。`test/web`は誰にでも答え、`db`は誰にでも尋ねてよい。",
    },
    run: (rows) =>
      verdict(rows, [
        ["test/client", "test/web", true],
        ["shop/db", "test/web", true],
      ]),
  },
];

export default defineLabs([
  {
    id: "flannel",
    title: { en: "A policy on flannel", ja: "flannelにポリシーを置く" },
    caption: {
      en: "`only-friends` lets only `friend` in to `web`. At 16 s `friend` asks, at 17.5 s `stranger`.",
      ja: "`only-friends`は、`web`に`friend`だけを通します。16秒に`friend`が、17.5秒に`stranger`がつなぎます。",
    },
    scenario: scenario("flannel", "flannel"),
    manifest: THREE_PODS,
    inputs: [{ atMs: 15_000, do: "kubectl", line: "get networkpolicy" }, ...asks(false)],
    files: ["networks/flannel/flanneld.ts", "networks/policy.ts"],
    seed: 7,
    show: "console",
  },
  {
    id: "calico",
    title: { en: "The same on Calico", ja: "同じことをCalicoで" },
    caption: {
      en: "The same objects, the same two connections, with every rule that they met on their way.",
      ja: "同じオブジェクト、同じ二つの接続です。途中で当てはまった規則も、すべて表示します。",
    },
    scenario: scenario("calico", "calico"),
    manifest: THREE_PODS,
    inputs: asks(true),
    files: ["networks/calico/rules.ts", "networks/policy.ts", "networks/calico/routes.ts"],
    seed: 7,
    show: "console",
    meetsErrors: true,
  },
  {
    id: "cilium",
    title: { en: "The same on Cilium", ja: "同じことをCiliumで" },
    caption: {
      en: "No kube-proxy runs here, and every rule that matches is printed: there is none.",
      ja: "ここではkube-proxyが動いていません。当てはまった規則はすべて表示しますが、一つもありません。",
    },
    scenario: scenario("cilium", "cilium"),
    manifest: THREE_PODS,
    inputs: asks(true),
    files: ["network/cilium.ts", "networks/cilium/maps.ts"],
    seed: 7,
    show: "console",
    meetsErrors: true,
  },
  {
    id: "policies",
    title: { en: "An agent that reads policies wrongly", ja: "ポリシーを読み違えるエージェント" },
    caption: {
      en: "Three Namespaces and three policies, all in `shop`. From 16 s on there are seven connections, one after another.",
      ja: "Namespaceが三つあり、三つのポリシーは、どれも`shop`のものです。16秒から、七つの接続が順にあります。",
    },
    task: {
      en: "Mend `policiesOf` and `peerOf`, so that a Pod is isolated by a policy without rules too, and a peer is what its selectors mean together.",
      ja: "`policiesOf`と`peerOf`を直してください。規則のないポリシーでもPodを閉じ、通す相手を、セレクターの組み合わせどおりに選びます。",
    },
    scenario: {
      ...{ name: "policies", nodes: 2, network: "calico", proxy: "none" },
      ...{ untilMs: 39_000, quietMs: 0 },
    },
    manifest: SHOP,
    inputs: ASKED.map(([from, to], i) => connect(16_000 + i * 3_200, from, `pod ${to}:80`)),
    files: ["networks/policy.ts", "networks/calico/rules.ts"],
    seed: 7,
    show: "console",
    meetsErrors: true,
    checks,
  },
]);
