/** Two labs: a packet in a packet, and the three entries without which it does not get there. */
import type { Input, Row, Scenario } from "@shikumi/sim";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

const pod = (name: string, node: string) => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
spec:
  nodeName: ${node}
  containers:
    - name: nginx
      image: nginx:1.27
      ports:
        - containerPort: 80
`;

const manifest = [pod("a", "node-1"), pod("b", "node-2")].join("---\n");
const A = "pod default/a";
const B = "pod default/b:80";
const C = "pod default/c:80";
/** The address of `c`, which outlives its Pod here. */
const C_IP = "10.244.2.2:80";

const stop = (atMs: number, actor: string): Input => ({ atMs, do: "stop", actor });
const start = (atMs: number, actor: string): Input => ({ atMs, do: "start", actor });
const connect = (atMs: number, to: string): Input => ({ atMs, do: "connect", from: A, to });
const kubectl = (atMs: number, line: string): Input => ({ atMs, do: "kubectl", line });

const scenario = (name: string): Scenario => ({
  ...{ name, nodes: 3, network: "flannel", untilMs: 40_000, quietMs: 0 },
});

/** The third node joins at 12 s. */
const late: readonly Input[] = [
  stop(0, "kubelet/node-3"),
  start(12_000, "kubelet/node-3"),
  { atMs: 15_000, do: "apply", yaml: pod("c", "node-3") },
];

function answered(rows: readonly Row[], to: string): CheckResult {
  const head = `${A} > ${to}: `;
  const row = rows.find(({ verb, subject }) => verb === "log" && subject.startsWith(head));
  if (row && / answers/.test(row.subject)) return { ok: true };
  const seen = {
    en: `\`a\` got no answer from \`${to}\`.`,
    ja: `\`a\`は、\`${to}\`から応答を得られませんでした。`,
  };
  return { ok: false, seen, atMs: row?.atMs };
}

const checks: readonly Check[] = [
  {
    id: "across",
    says: {
      en: "`a` is answered by `b`, which is on `node-2`.",
      ja: "`a`は、`node-2`にいる`b`から応答を得る。",
    },
    run: (rows) => answered(rows, B),
  },
  {
    id: "late",
    says: {
      en: "`node-3` joins later. `a` is answered by `c`, which is there.",
      ja: "`node-3`はあとから加わる。`a`は、そこにいる`c`から応答を得る。",
    },
    run: (rows) => answered(rows, C),
  },
  {
    id: "gone",
    says: {
      en: "When the Node `node-3` has been deleted, `node-1` sends no more packets there.",
      ja: "Nodeの`node-3`が削除されたあと、`node-1`はそこへパケットを送らない。",
    },
    run(rows) {
      const sent = rows.find(
        ({ verb, subject, atMs }) =>
          verb === "packet" &&
          atMs > 30_000 &&
          /> 172\.18\.0\.4:8472 at node node-1$/.test(subject),
      );
      if (sent) {
        const seen = {
          en: "A packet for `c` left `node-1` in the tunnel.",
          ja: "`c`へのパケットが、トンネルで`node-1`を出ていきました。",
        };
        return { ok: false, seen, atMs: sent.atMs };
      }
      return answered(rows, C);
    },
  },
];

export default defineLabs([
  {
    id: "tunnel",
    title: { en: "A packet in a packet", ja: "パケットの中のパケット" },
    caption: {
      en: "The third node joins at 12 s and is reached. At 24 s every flanneld is stopped, and nothing changes for those who speak.",
      ja: "12秒に三つ目のnodeが加わり、そこにも届きます。24秒に、すべてのflanneldが止まりますが、通信は何も変わりません。",
    },
    scenario: scenario("tunnel"),
    manifest,
    inputs: [
      ...late,
      connect(8_000, B),
      connect(20_000, C),
      ...["node-1", "node-2", "node-3"].map((node) => stop(24_000, `flanneld/${node}`)),
      connect(26_000, B),
      kubectl(30_000, "get nodes -o wide"),
    ],
    files: ["networks/flannel/flanneld.ts", "networks/flannel/backend.ts"],
    seed: 7,
    show: "console",
  },
  {
    id: "entries",
    title: { en: "Three entries for each node", ja: "nodeごとに三つの記入" },
    caption: {
      en: "flanneld has heard of the other nodes, and writes nothing down. `node-3` joins at 12 s; at 29 s it is taken out again.",
      ja: "flanneldは、ほかのnodeを知っていながら、何も書き込みません。`node-3`は12秒に加わり、29秒に外されます。",
    },
    task: {
      en: "Write `add` and `remove` of the VXLAN backend, so that Pods reach those of every node that there is, and of none that is gone.",
      ja: "VXLANバックエンドの`add`と`remove`を書いてください。いまあるすべてのnodeのPodに届き、なくなったnodeには送らないようにします。",
    },
    scenario: scenario("entries"),
    manifest,
    inputs: [
      ...late,
      connect(8_000, B),
      connect(20_000, C),
      stop(28_000, "kubelet/node-3"),
      kubectl(29_000, "delete node node-3"),
      connect(32_000, C_IP),
    ],
    files: ["networks/flannel/backend.ts"],
    seed: 7,
    show: "console",
    meetsErrors: true,
    checks,
  },
]);
