/** Four labs: the rules that a packet meets, the same with ipvs, the doors of a Service, and a choice that is not fair. */
import type { Input, Row } from "@shikumi/sim";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

const service = (name: string, port: string, ...spec: string[]) => `apiVersion: v1
kind: Service
metadata:
  name: ${name}
spec:
${spec.map((line) => `  ${line}\n`).join("")}  selector:
    app: web
  ports:
    - ${port}
`;

const pod = (name: string, node: string, app: string, image: string) => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  labels:
    app: ${app}
spec:
  nodeName: ${node}
  containers:
    - name: ${app}
      image: ${image}
`;

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
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
          ports:
            - containerPort: 80
`;

const CLIENT = `${pod("client", "node-1", "client", "busybox:1.36")}      command: ["sleep", "3600"]
`;

const IN_CLUSTER = [WEB, service("web", "port: 80", "clusterIP: 10.96.7.7"), CLIENT].join("---\n");

const AT_NODES = [
  ...["node-1", "node-2"].map((node, i) => {
    const text = pod(`web-${i + 1}`, node, "web", "nginx:1.27");
    return `${text}      ports:\n        - containerPort: 80\n`;
  }),
  CLIENT.replace("node-1", "node-3"),
  service("web", "{ port: 80, nodePort: 30080 }", "type: LoadBalancer"),
  service(
    "near",
    "{ port: 80, nodePort: 30081 }",
    "type: LoadBalancer",
    "externalTrafficPolicy: Local",
  ),
  service("heads", "port: 80", "clusterIP: None"),
].join("---\n");

const CLIENT_POD = "pod default/client";
const connect = (atMs: number, from: string, to: string): Input => {
  return { atMs, do: "connect", from, to };
};
const many = (count: number, atMs: number, everyMs: number, to: string) =>
  Array.from({ length: count }, (_, i) => connect(atMs + i * everyMs, CLIENT_POD, to));
const traced = (input: Input): Input => ({ ...input, rules: true }) as Input;

const [FIRST, ...LATER] = many(6, 15_000, 200, "10.96.7.7:80");
const PING = connect(18_000, CLIENT_POD, "10.96.7.7");

const WEB_ASKED = 300;
const STICKY_ASKED = 30;
const LEAST = 70;
const MOST = 130;

/** Who answered each connection to an address; undefined where nobody did. */
function answers(rows: readonly Row[], to: string) {
  return rows
    .filter(({ verb, subject }) => verb === "log" && subject.startsWith(`${CLIENT_POD} > ${to}: `))
    .map(({ atMs, subject }) => ({ atMs, server: / pod (\S+) answers/.exec(subject)?.[1] }));
}

function countsOf(found: ReturnType<typeof answers>): [server: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { server } of found) if (server) counts.set(server, (counts.get(server) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}

const failed = (en: string, ja: string, atMs?: number): CheckResult => ({
  ok: false,
  seen: { en, ja },
  atMs,
});

const checks: readonly Check[] = [
  {
    id: "answered",
    says: {
      en: `All ${WEB_ASKED} connections to \`web\` are answered.`,
      ja: `\`web\`への${WEB_ASKED}本の接続が、すべて応答を得る。`,
    },
    run(rows) {
      const found = answers(rows, "10.96.7.7:80");
      const silent = found.filter(({ server }) => !server);
      if (found.length === WEB_ASKED && silent.length === 0) return { ok: true };
      const count = WEB_ASKED - found.length + silent.length;
      return failed(
        `${count} got no answer: their packets were given no destination.`,
        `${count}本には応答がありませんでした。パケットの宛先が書き換わらなかったのです。`,
        silent[0]?.atMs,
      );
    },
  },
  {
    id: "fair",
    says: {
      en: `Each of the three Pods answers ${LEAST} to ${MOST} of them.`,
      ja: `三つのPodが、それぞれ${LEAST}〜${MOST}本に応答する。`,
    },
    run(rows) {
      const found = answers(rows, "10.96.7.7:80");
      const counts = countsOf(found);
      const fair = counts.every(([, count]) => count >= LEAST && count <= MOST);
      if (counts.length === 3 && fair) return { ok: true };
      const list = counts.map(([server, count]) => `${server.split("-").at(-1)} ${count}`);
      return failed(
        `By the last letters of their names: ${list.join(", ") || "nobody answered"}.`,
        `名前の末尾で言うと、${list.join("、") || "応答なし"}でした。`,
        found.at(-1)?.atMs,
      );
    },
  },
  {
    id: "sticky",
    says: {
      en: `All ${STICKY_ASKED} connections of one client to \`sticky\` reach the same Pod.`,
      ja: `同じクライアントから\`sticky\`への${STICKY_ASKED}本の接続が、すべて同じPodに届く。`,
    },
    run(rows) {
      const found = answers(rows, "10.96.7.8:80");
      const [first] = found;
      const other = found.find(({ server }) => !server || server !== first?.server);
      if (found.length === STICKY_ASKED && !other) return { ok: true };
      return failed(
        `The first reached ${first?.server ?? "nobody"}, a later one ${other?.server ?? "nobody"}.`,
        `最初は${first?.server ?? "応答なし"}、後の一本は${other?.server ?? "応答なし"}でした。`,
        other?.atMs,
      );
    },
  },
];

export default defineLabs([
  {
    id: "rules",
    title: { en: "Each rule that a packet meets", ja: "パケットが出会う規則のすべて" },
    caption: {
      en: "Six connections to a ClusterIP; of the first, every rule that matched is printed. At the end somebody pings the address.",
      ja: "ClusterIPへの接続が六本。最初の一本については、当てはまった規則をすべて表示します。最後に、このアドレスへpingを打ちます。",
    },
    scenario: {
      ...{ name: "rules", nodes: 2, network: "flannel", proxy: "iptables" },
      ...{ untilMs: 24_000, quietMs: 0 },
    },
    manifest: IN_CLUSTER,
    inputs: [traced(FIRST!), ...LATER, PING],
    files: ["kube-proxy/iptables.ts", "kube-proxy/kube-proxy.ts"],
    seed: 7,
    show: "console",
    meetsErrors: true,
  },
  {
    id: "ipvs",
    title: { en: "The same with ipvs", ja: "同じことをipvsで" },
    caption: {
      en: "The same six connections. The rules only let the packet through to a load balancer that is in the kernel itself.",
      ja: "同じ六本の接続です。規則はパケットを通すだけで、選ぶのは、カーネルに備わったロードバランサーです。",
    },
    scenario: {
      ...{ name: "ipvs", nodes: 2, network: "flannel", proxy: "ipvs" },
      ...{ untilMs: 24_000, quietMs: 0 },
    },
    manifest: IN_CLUSTER,
    inputs: [traced(FIRST!), ...LATER],
    files: ["kube-proxy/ipvs.ts", "network/ipvs.ts"],
    seed: 7,
    show: "console",
  },
  {
    id: "doors",
    title: { en: "The doors of a Service", ja: "Serviceの入り口" },
    caption: {
      en: "Web Pods on `node-1` and `node-2`, none on `node-3`. Who answers, and whose address does the Pod see?",
      ja: "webのPodは`node-1`と`node-2`にあり、`node-3`にはありません。誰が答え、Podには誰のアドレスが見えるでしょうか。",
    },
    scenario: {
      ...{ name: "doors", nodes: 3, network: "flannel", proxy: "iptables" },
      ...{ cloud: true, dns: true, untilMs: 60_000, quietMs: 0 },
    },
    manifest: AT_NODES,
    inputs: [
      connect(20_000, CLIENT_POD, "web:80"),
      connect(25_000, CLIENT_POD, "heads:80"),
      connect(30_000, "outside", "node node-3:30080"),
      connect(35_000, "outside", "198.51.100.10:80"),
      connect(40_000, "outside", "node node-1:30081"),
      connect(45_000, "outside", "node node-3:30081"),
      connect(50_000, "outside", "198.51.100.11:80"),
    ].map(traced),
    files: ["kube-proxy/iptables-external.ts", "kube-proxy/verdicts.ts"],
    seed: 7,
    show: "console",
    meetsErrors: true,
  },
  {
    id: "generator",
    title: { en: "A choice that is not fair", ja: "公平でない選び方" },
    caption: {
      en: "300 connections to `web`, then 30 to `sticky`, which asks for session affinity. The rules are tried from the top, and the first that matches takes the connection.",
      ja: "`web`への接続が300本、セッションアフィニティを求める`sticky`への接続が30本。規則は上から順に試され、最初に当てはまったものが接続を引き受けます。",
    },
    task: {
      en: "Make `balanceRules` give every endpoint the same share, lose no connection, and bring a client of a Service with session affinity back to where it was.",
      ja: "`balanceRules`を直してください。どのエンドポイントにも同じ割合で渡し、接続を一本も失わず、セッションアフィニティを求めるServiceでは、クライアントを前と同じところへ返します。",
    },
    scenario: {
      ...{ name: "generator", nodes: 2, network: "flannel", proxy: "iptables" },
      ...{ untilMs: 34_000, quietMs: 0 },
    },
    manifest: [
      WEB,
      service("web", "port: 80", "clusterIP: 10.96.7.7"),
      service("sticky", "port: 80", "clusterIP: 10.96.7.8", "sessionAffinity: ClientIP"),
      CLIENT,
    ].join("---\n"),
    inputs: [
      ...many(WEB_ASKED, 15_000, 40, "10.96.7.7:80"),
      ...many(STICKY_ASKED, 28_000, 50, "10.96.7.8:80"),
    ],
    files: ["kube-proxy/iptables-balance.ts", "kube-proxy/iptables.ts"],
    seed: 7,
    meetsErrors: true,
    checks,
  },
]);
