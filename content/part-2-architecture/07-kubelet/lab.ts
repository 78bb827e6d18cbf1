/** Two labs: two Pods with the same trouble and different probes, and a restart that waits. */
import type { Row } from "@shikumi/sim/view";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

/** Two Pods of one image, which fails for a while; their containers are called as they are. */
const probed = `apiVersion: v1
kind: Pod
metadata:
  name: waits
spec:
  containers:
    - name: waits
      image: registry.example/shop:1.0
      readinessProbe:
        httpGet: { path: /, port: 80 }
        periodSeconds: 5
        failureThreshold: 3
---
apiVersion: v1
kind: Pod
metadata:
  name: restarts
spec:
  containers:
    - name: restarts
      image: registry.example/shop:1.0
      livenessProbe:
        httpGet: { path: /, port: 80 }
        periodSeconds: 5
        failureThreshold: 3
`;

/** Its program ends with an error, 1 s after each start. */
const crashing = `apiVersion: v1
kind: Pod
metadata:
  name: crash
spec:
  containers:
    - name: crash
      image: registry.example/crash:1.0
`;

/** Seconds from each end of the container to its next start. */
function waits(rows: readonly Row[]): number[] {
  const gaps: number[] = [];
  let endedMs: number | undefined;
  for (const { actor, verb, subject, atMs } of rows) {
    if (actor !== "containerd/node-1" || verb !== "container") continue;
    if (subject === "exit crash") endedMs = atMs;
    if (subject !== "start crash" || endedMs === undefined) continue;
    gaps.push((atMs - endedMs) / 1000);
    endedMs = undefined;
  }
  return gaps;
}

function seen(rows: readonly Row[], gaps: readonly number[]): CheckResult {
  const list = gaps.slice(0, 8).map((gap) => gap.toFixed(1));
  return {
    ok: false,
    seen: {
      en: `The first waits, in seconds: ${list.join(", ")}.`,
      ja: `始めのほうの待ち時間(秒): ${list.join("、")}。`,
    },
    atMs: rows.at(-1)?.atMs,
  };
}

const checks: readonly Check[] = [
  {
    id: "once",
    says: {
      en: "The first restart comes within 2 s: once may be bad luck.",
      ja: "最初の再起動は2秒以内。一度だけなら、運が悪かったのかもしれない。",
    },
    run(rows) {
      const gaps = waits(rows);
      return gaps.length > 0 && gaps[0]! < 2 ? { ok: true } : seen(rows, gaps);
    },
  },
  {
    id: "doubles",
    says: {
      en: "After that the container waits for at least 10, 20, 40, 80 and 160 s, and at most for half as long again.",
      ja: "その後は、少なくとも10、20、40、80、160秒待つ。長くても、その1.5倍まで。",
    },
    run(rows) {
      const gaps = waits(rows);
      const least = [10, 20, 40, 80, 160];
      const isRight = (gap: number, i: number) => gap >= least[i]! && gap < least[i]! * 1.5 + 1;
      const good = gaps.length > 5 && gaps.slice(1, 6).every(isRight);
      return good ? { ok: true } : seen(rows, gaps);
    },
  },
  {
    id: "limit",
    says: {
      en: "It never waits for more than 300 s and the half minute that its worker may be late.",
      ja: "300秒と、ワーカーが遅れうる30秒より長く待つことはない。",
    },
    run(rows) {
      const gaps = waits(rows);
      const last = rows.at(-1)?.atMs ?? 0;
      const long = gaps.some((gap) => gap > 331);
      // It comes back in time for the end, too.
      const started = rows.findLast(({ subject }) => subject === "start crash")?.atMs ?? 0;
      return !long && last - started < 333_000 ? { ok: true } : seen(rows, gaps);
    },
  },
];

export default defineLabs([
  {
    id: "probes",
    title: { en: "The same trouble, two probes", ja: "同じ不調、二つのプローブ" },
    caption: {
      en: "A readiness probe asks whether to send traffic. A liveness probe asks whether to begin anew, and that has a price.",
      ja: "readinessプローブが尋ねるのは、通信を送ってよいかです。livenessプローブが尋ねるのは、始めからやり直すかで、こちらには代償があります。",
    },
    scenario: {
      name: "probes",
      nodes: 1,
      images: [
        {
          name: "registry.example/shop",
          ports: [80],
          startMs: 500,
          stopMs: 2_000,
          // From its 20th to its 40th second it cannot serve; then it has recovered.
          sick: { fromMs: 20_000, toMs: 40_000 },
        },
      ],
      untilMs: 150_000,
      quietMs: 0,
    },
    manifest: probed,
    inputs: [
      { atMs: 20_000, do: "kubectl", line: "get pods" },
      { atMs: 37_000, do: "kubectl", line: "get pods" },
      { atMs: 145_000, do: "kubectl", line: "get pods" },
    ],
    files: ["kubelet/probes/worker.ts", "kubelet/runtime/actions.ts"],
    seed: 7,
  },
  {
    id: "backoff",
    title: { en: "A restart that waits", ja: "待ってからの再起動" },
    caption: {
      en: "CrashLoopBackOff is not an error. It is the kubelet waiting, each time twice as long.",
      ja: "CrashLoopBackOffは、エラーではありません。kubeletが待っている状態で、待つ時間はそのたびに倍になります。",
    },
    task: {
      en: "This kubelet waits 10 s before every restart, for ever. Make the wait double each time, up to the limit that it was given.",
      ja: "このkubeletは、再起動の前にいつも10秒しか待ちません。待つ時間が毎回倍になり、与えられた上限で止まるようにしてください。",
    },
    scenario: {
      name: "backoff",
      nodes: 1,
      images: [{ name: "registry.example/crash", ports: [], exit: { afterMs: 1_000, code: 1 } }],
      untilMs: 950_000,
      quietMs: 0,
    },
    manifest: crashing,
    inputs: [{ atMs: 100_000, do: "kubectl", line: "get pods" }],
    files: ["kubelet/runtime/backoff.ts", "kubelet/runtime/start-container.ts"],
    seed: 7,
    checks,
  },
]);
