/** Two labs: one part of the control plane after another is taken away, and an election that the reader makes shorter. */
import type { Input, Row } from "@shikumi/sim";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

const manifest = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: web
          image: nginx:1.27
`;

const MEMBERS = ["etcd/cp-1", "etcd/cp-2", "etcd/cp-3"] as const;
const kubectl = (atMs: number, line: string): Input => ({ atMs, do: "kubectl", line });
const scale = (atMs: number, replicas: number) =>
  kubectl(atMs, `scale deployment web --replicas=${replicas}`);
const fault = (atMs: number, what: "stop" | "start", actor: string): Input => ({
  atMs,
  do: what,
  actor,
});

/** The network between the members stands still for a moment. */
function hiccup(atMs: number, ms: number): Input[] {
  const [a, b, c] = MEMBERS;
  const pairs = [
    [a, b],
    [a, c],
    [b, c],
  ] as const;
  return pairs.flatMap((between): Input[] => [
    { atMs, do: "partition", between },
    { atMs: atMs + ms, do: "heal", between },
  ]);
}

const STOPS_MS = [12_000, 20_000, 28_000];
const HICCUPS_MS = [40_000, 44_000, 48_000, 52_000];
const HICCUP_MS = 300;
const LONGEST_MS = 1_000;

const isRaft = (row: Row, text: string) => row.verb === "raft" && row.subject.startsWith(text);

/** Who led just before a moment. */
function leaderBefore(rows: readonly Row[], atMs: number): string | undefined {
  return rows.findLast((row) => row.atMs < atMs && isRaft(row, "becomes leader"))?.actor;
}

const checks: readonly Check[] = [
  {
    id: "soon",
    says: {
      en: "Whenever the leader dies, another leads within 1 s.",
      ja: "リーダーが落ちるたびに、1秒以内に次のリーダーが決まる。",
    },
    run(rows): CheckResult {
      for (const [i, atMs] of STOPS_MS.entries()) {
        if (leaderBefore(rows, atMs) !== MEMBERS[i]) continue;
        const next = rows.find((row) => row.atMs > atMs && isRaft(row, "becomes leader"));
        const gapMs = (next?.atMs ?? 60_000) - atMs;
        if (gapMs <= LONGEST_MS) continue;
        const s = (gapMs / 1_000).toFixed(1);
        return {
          ok: false,
          atMs,
          seen: {
            en: `There was no leader for ${s} s.`,
            ja: `${s}秒の間、リーダーがいませんでした。`,
          },
        };
      }
      return { ok: true };
    },
  },
  {
    id: "calm",
    says: {
      en: "If the network stands still for 0.3 s, nobody asks for an election.",
      ja: "ネットワークが0.3秒途切れるだけなら、誰も選挙を始めようとしない。",
    },
    run(rows): CheckResult {
      const hasty = rows.find(
        (row) => row.atMs >= HICCUPS_MS[0]! && isRaft(row, "asks who would vote"),
      );
      if (!hasty) return { ok: true };
      const s = (hasty.atMs / 1_000).toFixed(1);
      return {
        ok: false,
        atMs: hasty.atMs,
        seen: {
          en: `At ${s} s ${hasty.actor} asked for votes.`,
          ja: `${s}秒に、${hasty.actor}が投票を求めました。`,
        },
      };
    },
  },
];

export default defineLabs([
  {
    id: "chaos",
    title: { en: "One part after another", ja: "一つずつ止めていく" },
    caption: {
      en: "A machine, the load balancer, then two of three etcd members are taken away and given back. The Pods run on through all of it.",
      ja: "マシンを1台、ロードバランサー、etcdを3台のうち2台。順に止めては戻します。その間ずっと、Podは動き続けます。",
    },
    scenario: { name: "chaos", controlPlanes: 3, nodes: 2, untilMs: 110_000, quietMs: 0 },
    manifest,
    applyAtMs: 6_000,
    meetsErrors: true,
    inputs: [
      fault(15_000, "stop", "node/cp-2"),
      scale(18_000, 3),
      fault(40_000, "start", "node/cp-2"),
      fault(50_000, "stop", "load-balancer"),
      scale(52_000, 4),
      fault(55_000, "start", "load-balancer"),
      fault(65_000, "stop", "etcd/cp-2"),
      fault(65_000, "stop", "etcd/cp-3"),
      kubectl(67_000, "get pods"),
      scale(67_000, 5),
      fault(80_000, "start", "etcd/cp-2"),
      fault(80_000, "start", "etcd/cp-3"),
      scale(90_000, 6),
    ],
    files: [],
    seed: 7,
  },
  {
    id: "election",
    title: { en: "A shorter election", ja: "選挙を短くする" },
    caption: {
      en: "Three times a member dies, and four times the network stands still for a moment. Patience decides which of the two an etcd member takes for the other.",
      ja: "メンバーが三度落ち、ネットワークが四度だけ途切れます。どれだけ待つかで、二つを取り違えるかどうかが決まります。",
    },
    task: {
      en: "Make etcd find a new leader within 1 s, and still take a network that stands still for 0.3 s for what it is.",
      ja: "新しいリーダーが1秒以内に決まるようにしてください。ただし、ネットワークが0.3秒途切れただけで選挙を始めてはいけません。",
    },
    scenario: {
      ...{ name: "election", controlPlanes: 3, nodes: 1, untilMs: 56_000, quietMs: 0 },
      without: [1, 2, 3].map((n) => `kube-scheduler/cp-${n}`),
    },
    manifest: "",
    inputs: [
      ...STOPS_MS.flatMap((atMs, i) => [
        fault(atMs, "stop", MEMBERS[i]!),
        fault(atMs + 5_000, "start", MEMBERS[i]!),
      ]),
      ...HICCUPS_MS.flatMap((atMs) => hiccup(atMs, HICCUP_MS)),
    ],
    files: ["etcd/raft/state.ts", "etcd/raft/election.ts"],
    seed: 7,
    checks,
  },
]);
